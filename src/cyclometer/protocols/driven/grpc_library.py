# SPDX-License-Identifier: MIT OR Apache-2.0
"""The program that starts servers of gRPC's own library and, one after another, clients that call them.

A client is a process of its own for each session. The control is a client and a server of the same shape in the same
language, with nothing but a length in front of each message, so that what is Python's can be told from what is gRPC's.
"""

from __future__ import annotations

import datetime
import importlib
import json
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from cyclometer.protocols.driven.drive import Series, drive, read_orders, timed
from cyclometer.protocols.driven.records import SESSION_SECONDS, Asked, Orders

SOCKET, CLEAR, TLS = "socket", "grpc", "grpc+tls"
KINDS = (SOCKET, CLEAR, TLS)
METHOD = "/cyclometer.Echo/Call"
START = "handshake-full"
LENGTH = struct.Struct("<I")


def main(folder: Path) -> None:
    """Start a server of each kind, make the sessions."""
    orders = read_orders()
    _make_certificate(folder)
    with ExitStack() as stack:
        for asked in orders.rungs:
            stack.enter_context(_server(folder, asked.name))
        drive(orders, lambda asked: _session(folder, asked, orders))


def _session(folder: Path, asked: Asked, orders: Orders) -> Series:
    """Run a client in a process of its own and return what it measured."""
    wanted = {"kind": asked.name, "payloads": orders.payloads, "transports": orders.transports, "calls": orders.calls}
    command = _own(folder, "call", json.dumps(wanted))
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=SESSION_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"the session took longer than {SESSION_SECONDS} s") from None
    if ended.returncode:
        raise RuntimeError((ended.stderr.strip().splitlines() or ["the client says nothing"])[-1])
    series: dict[str, list[int]] = json.loads(ended.stdout)
    return series


def _own(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-m", "cyclometer.protocols.driven.grpc_library", str(folder), *words]


@contextmanager
def _server(folder: Path, kind: str) -> Iterator[None]:
    """Run a server that listens on a Unix socket and, if it can, on loopback; it says when."""
    with subprocess.Popen(_own(folder, "serve", kind), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            if not process.stdout.readline():
                sys.exit(f"the server of {kind} does not start")
            yield
        finally:
            process.kill()


def _address(folder: Path, kind: str, transport: str) -> str:
    return f"127.0.0.1:{5000 + KINDS.index(kind)}" if transport == "tcp" else f"unix:{folder}/{KINDS.index(kind)}"


def serve(folder: Path, kind: str) -> None:
    """Answer every message with itself, for ever."""
    if kind == SOCKET:
        return _serve_sockets(folder)
    grpc: Any = importlib.import_module("grpc")  # of an optional group, without types

    handler = grpc.method_handlers_generic_handler(
        "cyclometer.Echo", {"Call": grpc.unary_unary_rpc_method_handler(lambda request, _: request)}
    )
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((handler,))
    for transport in ("tcp", "unix"):
        address = _address(folder, kind, transport)
        if kind == TLS:
            key, certificate = ((folder / name).read_bytes() for name in ("key", "certificate"))
            server.add_secure_port(address, grpc.ssl_server_credentials([(key, certificate)]))
        else:
            server.add_insecure_port(address)
    server.start()
    print("ready", flush=True)
    server.wait_for_termination()


def call(folder: Path, kind: str, payloads: list[int], transports: list[str], calls: int) -> None:
    """Connect over each transport, make the calls, print the time of each."""
    series: dict[str, list[int]] = {}
    for transport in transports:
        begun = time.perf_counter_ns()
        with _connected(folder, kind, transport) as exchange:
            start = time.perf_counter_ns() - begun
            if transport == "tcp":
                series[f"{START}:0"] = [start]
            for payload in payloads:
                timed(1, payload, exchange)  # the first call of a channel sets up more than a call
                series[f"call-{transport}:{payload}"] = timed(calls, payload, exchange)
    print(json.dumps(series))


@contextmanager
def _connected(folder: Path, kind: str, transport: str) -> Iterator[Callable[[bytes], bytes]]:
    """Yield the function that makes a call, once the connection and its handshake are complete."""
    address = _address(folder, kind, transport)
    if kind == SOCKET:
        with _plain_socket(transport) as connection:
            connection.connect(_socket_address(address))
            yield lambda message: _exchange(connection, message)
        return
    grpc: Any = importlib.import_module("grpc")  # of an optional group, without types

    options = [("grpc.ssl_target_name_override", "localhost")] if kind == TLS else []
    if kind == TLS:
        trusted = grpc.ssl_channel_credentials((folder / "certificate").read_bytes())
        channel = grpc.secure_channel(address, trusted, options)
    else:
        channel = grpc.insecure_channel(address)
    with channel:
        grpc.channel_ready_future(channel).result(timeout=SESSION_SECONDS)
        method = channel.unary_unary(METHOD)  # of bytes: no serialisation
        yield lambda message: method(message, timeout=SESSION_SECONDS)


def _plain_socket(transport: str) -> socket.socket:
    made = socket.socket(socket.AF_INET if transport == "tcp" else socket.AF_UNIX)
    made.settimeout(SESSION_SECONDS)
    if transport == "tcp":
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _socket_address(address: str) -> Any:
    host, _, rest = address.partition(":")
    return rest if host == "unix" else (host, int(rest))


def _exchange(connection: socket.socket, message: bytes) -> bytes:
    _send(connection, message)
    return _receive(connection)


def _send(connection: socket.socket, message: bytes) -> None:
    connection.sendall(LENGTH.pack(len(message)) + message)


def _receive(connection: socket.socket) -> bytes:
    """Return the next message; b'' if the other end has closed."""

    def exactly(size: int) -> bytes:
        return connection.recv(size, socket.MSG_WAITALL) if size else b""

    header = exactly(LENGTH.size)
    return exactly(LENGTH.unpack(header)[0]) if len(header) == LENGTH.size else b""


def _serve_sockets(folder: Path) -> None:
    listeners = []
    for transport in ("tcp", "unix"):
        listener = _plain_socket(transport)
        listener.settimeout(None)
        listener.bind(_socket_address(_address(folder, SOCKET, transport)))
        listener.listen()
        listeners.append(listener)
    print("ready", flush=True)
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(_accept, listeners))


def _accept(listener: socket.socket) -> None:
    while True:
        connection, _ = listener.accept()
        with connection:
            if listener.family == socket.AF_INET:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while message := _receive(connection):
                _send(connection, message)


def _make_certificate(folder: Path) -> None:
    """Write a key and a certificate for `localhost`, of P-256."""
    from cryptography import x509  # noqa: PLC0415 - takes a while to load
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(issuer_name=name, subject_name=name, public_key=key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    form, secret = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key").write_bytes(key.private_bytes(pem, form, secret))
    (folder / "certificate").write_bytes(certificate.public_bytes(pem))


def _run(folder: Path, words: Mapping[str, Any]) -> None:
    call(folder, words["kind"], words["payloads"], words["transports"], words["calls"])


if __name__ == "__main__":
    here, verb = Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else ""
    if verb == "serve":
        serve(here, sys.argv[3])
    elif verb == "call":
        _run(here, json.loads(sys.argv[3]))
    else:
        main(here)
