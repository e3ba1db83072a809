# SPDX-License-Identifier: MIT OR Apache-2.0
"""Signatures, checked against the real `ssh-keygen` in both directions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cyclometer.errors import BadSignature, CyclometerError
from cyclometer.signing import fingerprint, make_key, read_key, sign, verify
from support.requirements import is_missing

CONTENT = b"what is signed\n"
NAMESPACE = "test@cyclometer"


def ssh_keygen(*arguments: str | Path, content: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("ssh-keygen")
    if program is None:
        is_missing("ssh-keygen is not installed")
    return subprocess.run([program, *map(str, arguments)], input=content, capture_output=True, check=False)


def openssh_accepts(folder: Path, public: str, signature: str, content: bytes) -> bool:
    (folder / "allowed").write_text(f"someone {public}\n")
    (folder / "content.sig").write_text(signature)
    arguments = ("-Y", "verify", "-f", folder / "allowed", "-I", "someone", "-n", NAMESPACE, "-s")
    return ssh_keygen(*arguments, folder / "content.sig", content=content).returncode == 0


def test_openssh_accepts_what_we_sign_and_nothing_else(tmp_path: Path) -> None:
    public = make_key(tmp_path / "key")
    signature = sign(CONTENT, read_key(tmp_path / "key"), NAMESPACE)
    assert openssh_accepts(tmp_path, public, signature, CONTENT)
    assert not openssh_accepts(tmp_path, public, signature, CONTENT + b"!")


def test_we_accept_what_openssh_signs_with_its_own_key(tmp_path: Path) -> None:
    made = ssh_keygen("-q", "-t", "ed25519", "-N", "", "-C", "me@home", "-f", tmp_path / "key")
    assert made.returncode == 0
    signature = ssh_keygen("-q", "-Y", "sign", "-f", tmp_path / "key", "-n", NAMESPACE, content=CONTENT).stdout.decode()
    public = " ".join((tmp_path / "key.pub").read_text().split()[:2])
    assert verify(CONTENT, signature, NAMESPACE) == public
    assert fingerprint(public) == ssh_keygen("-l", "-f", tmp_path / "key.pub").stdout.decode().split()[1]
    again = sign(CONTENT, read_key(tmp_path / "key"), NAMESPACE)
    assert again == signature  # Ed25519 is deterministic


@pytest.mark.parametrize("change", ["content", "namespace", "signature", "truncated", "line ends", "not a signature"])
def test_anything_else_is_refused(tmp_path: Path, change: str) -> None:
    make_key(tmp_path / "key")
    signature = sign(CONTENT, read_key(tmp_path / "key"), NAMESPACE)
    lines = signature.splitlines()
    damaged = {
        "signature": signature.replace(lines[-2][:4], "AAAA"),
        "truncated": "\n".join([*lines[:-2], lines[-1]]),
        "line ends": signature.replace("\n", "\r\n"),
        "not a signature": "hello",
    }.get(change, signature)
    with pytest.raises(BadSignature):
        verify(
            CONTENT + b"x" * (change == "content"), damaged, "other@cyclometer" if change == "namespace" else NAMESPACE
        )


def test_a_private_key_is_for_its_owner_only_and_never_replaced(tmp_path: Path) -> None:
    make_key(tmp_path / "key")
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    with pytest.raises(CyclometerError, match="exists"):
        make_key(tmp_path / "key")


@pytest.mark.parametrize(
    ("options", "reason"),
    [(("-t", "ed25519", "-N", "secret"), "has a passphrase"), (("-t", "ecdsa", "-N", ""), "not an Ed25519 key")],
)
def test_a_key_that_cannot_be_used_says_why(tmp_path: Path, options: tuple[str, ...], reason: str) -> None:
    assert ssh_keygen("-q", *options, "-f", tmp_path / "key").returncode == 0
    with pytest.raises(CyclometerError, match=reason):
        read_key(tmp_path / "key")
    (tmp_path / "text").write_text("hello")
    with pytest.raises(CyclometerError, match="not an OpenSSH key"):
        read_key(tmp_path / "text")
