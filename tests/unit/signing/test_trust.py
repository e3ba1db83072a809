# SPDX-License-Identifier: MIT OR Apache-2.0
"""A file of trusted keys says for what, and when, a key is trusted, as OpenSSH's allowed signers do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cyclometer import signing
from cyclometer.errors import BadSignature
from support.requirements import need

RUNS = "runs@cyclometer"


@pytest.fixture
def key(tmp_path: Path) -> str:
    return " ".join(signing.make_key(tmp_path / "key").split()[:2])


LIMITS = {
    "": "",
    'namespaces="runs@*"': "",
    'namespaces="other,runs@cyclometer"': "",
    'namespaces="submission@cyclometer"': "is trusted here for submission@cyclometer, not for runs@cyclometer",
    'valid-after="20000101",valid-before="22000101Z"': "",
    'valid-before="20000101"': "was trusted here until 2000-01-01 00:00 UTC",
    'valid-after="220001011200"': "is trusted here from 2200-01-01 12:00 UTC on",
}


@pytest.mark.parametrize(("limits", "reason"), LIMITS.items())
def test_limits_of_a_key_are_kept_as_openssh_keeps_them(tmp_path: Path, key: str, limits: str, reason: str) -> None:
    need("ssh-keygen")
    line = " ".join(["anna", *filter(None, [limits]), key])
    assert signing.refusal(signing.read_trusted(f"# who may send\n\n{line}\n"), key, RUNS).endswith(reason)
    assert bool(signing.refusal(signing.read_trusted(line), key, RUNS)) == bool(reason)
    (tmp_path / "allowed").write_text(f"{line}\n", encoding="utf-8")
    (tmp_path / "sig").write_text(signing.sign(b"x", signing.read_key(tmp_path / "key"), RUNS), encoding="utf-8")
    command = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-f",
        tmp_path / "allowed",
        "-I",
        "anna",
        "-n",
        RUNS,
        "-s",
        tmp_path / "sig",
    ]
    verified = subprocess.run(command, input=b"x", capture_output=True, check=False)
    assert (verified.returncode == 0) == (not reason), verified.stderr


def test_a_public_line_is_trusted_for_everything(tmp_path: Path, key: str) -> None:
    trusted = signing.read_trusted(f"{key} anna@desk\n")
    assert signing.refusal(trusted, key, RUNS) == ""
    stranger = " ".join(signing.make_key(tmp_path / "other").split()[:2])
    assert "is not trusted here" in signing.refusal(trusted, stranger, RUNS)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("hello", "line 1 has no public key"),
        ("anna cert-authority {key}", "'cert-authority' is not one of namespaces, valid-after, valid-before"),
        ('anna valid-before="soon" {key}', "'soon' is not a time"),
        ("ssh-ed25519 AAAA", "line 1 has no Ed25519 key"),
    ],
)
def test_a_line_that_is_not_understood_is_an_error(key: str, line: str, complaint: str) -> None:
    with pytest.raises(BadSignature, match=complaint):
        signing.read_trusted(line.format(key=key))
