# SPDX-License-Identifier: MIT OR Apache-2.0
"""Clients that were not written here talk to our layers over TCP: openssl s_client, curl, gRPC's own library."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cyclometer.campaign import Environment, prepare_environment
from cyclometer.protocols.assemble import build_rung
from cyclometer.protocols.rungs import Rung
from cyclometer.protocols.studies.http2 import CLEAR, TLS, rung
from cyclometer.records.executable import Executable
from support.small_tree import SmallTree

CALLS = 3


class Server:
    """A rung's executable that serves clients on 127.0.0.1; protocols/openssl/serve.c lists its requests."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen(
            [program, "answer"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.port = int(self.ask("listen"))

    def ask(self, request: str) -> str:
        """Send a request and return its answer."""
        self.say(request)
        return self.answer()

    def say(self, request: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(f"{request}\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().split()[-1]

    def certificate(self) -> bytes:
        return bytes.fromhex(self.ask("certificate"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Environment:
    for package in ("libssl", "libnghttp2"):
        if subprocess.run(["pkg-config", "--exists", package], check=False).returncode:
            pytest.skip(f"{package} is not installed (Debian: apt install {package}-dev)")
    tree = SmallTree.grow(tmp_path_factory.mktemp("clients") / "tree", "crypto_hash/sha-1/ref")
    tree.copy("protocols")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CYCLOMETER_CACHE", str(build_cache))
        return prepare_environment(tree.root)


@contextmanager
def serving(environment: Environment, served: Rung) -> Iterator[Server]:
    """Start the server of a rung; leaving checks that it counted all calls."""
    built = build_rung(environment.tree, environment.builder, served, {})
    assert isinstance(built, Executable), built
    server = Server(built.path)
    try:
        yield server
        assert server.answer() == str(CALLS)
    finally:
        server.process.kill()
        server.process.communicate()


def messages() -> bytes:
    """Return calls as protocols/protocol/protocol.h describes them: length, number, method 1, payload."""
    payload = b"forty-five bytes, as long as Roe's second RPC"
    return b"".join(struct.pack("<IQH", 10 + len(payload), number, 1) + payload for number in range(CALLS))


def test_openssl_s_client_calls_over_tls(environment: Environment, tmp_path: Path) -> None:
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    with serving(environment, rung("tls", TLS)) as server:
        authority = tmp_path / "server.pem"
        authority.write_bytes(server.certificate())
        server.say("serve 1")
        command = ["openssl", "s_client", "-quiet", "-verify_return_error", "-verify_hostname", "localhost"]
        command += ["-CAfile", str(authority), "-tls1_3", "-connect", f"127.0.0.1:{server.port}"]
        client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert client.stdin
        assert client.stdout
        client.stdin.write(messages())
        client.stdin.flush()
        assert client.stdout.read(len(messages())) == messages()
        client.stdin.close()
        client.terminate()
        client.wait(timeout=240)


@pytest.mark.parametrize("kind", [CLEAR, TLS], ids=["clear", "tls"])
def test_curl_calls_over_http2(environment: Environment, tmp_path: Path, kind: dict[str, str]) -> None:
    if not shutil.which("curl"):
        pytest.skip("curl is not installed")
    with serving(environment, rung("http2", kind)) as server:
        authority, body = tmp_path / "server.pem", tmp_path / "body"
        authority.write_bytes(server.certificate() if kind is TLS else b"")
        body.write_bytes(bytes(range(256)) * 300)  # more than one frame
        server.say(f"serve {CALLS}")
        scheme, how = ("https", "--http2") if kind is TLS else ("http", "--http2-prior-knowledge")
        command = ["curl", "--silent", "--fail", "--noproxy", "*", "--ipv4", how, "--cacert", str(authority)]
        command += ["--write-out", "%{http_version} %{http_code}", "--data-binary", f"@{body}"]
        command += ["--output", str(tmp_path / "answer"), f"{scheme}://localhost:{server.port}/echo"]
        for _ in range(CALLS):
            ended = subprocess.run(command, capture_output=True, timeout=240, check=False)
            assert ended.stdout.decode() == "2 200", ended.stderr.decode()
            assert (tmp_path / "answer").read_bytes() == body.read_bytes()


@pytest.mark.parametrize("kind", [CLEAR, TLS], ids=["clear", "tls"])
def test_grpcs_own_library_calls(environment: Environment, kind: dict[str, str]) -> None:
    grpc = pytest.importorskip("grpc", reason="grpcio is not installed (pip install cyclometer[protocols])")
    with serving(environment, rung("grpc", kind)) as server:
        address = f"localhost:{server.port}"
        if kind is TLS:
            channel = grpc.secure_channel(address, grpc.ssl_channel_credentials(server.certificate()))
        else:
            channel = grpc.insecure_channel(address)
        server.say("serve 1")
        with channel:
            call = channel.unary_unary("/cyclometer.Echo/Call")  # of bytes: no serialisation
            for number in range(CALLS):
                request = bytes([number]) * 45
                assert call(request, timeout=240) == request
