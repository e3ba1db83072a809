# SPDX-License-Identifier: MIT OR Apache-2.0
"""A file of trusted keys says for what, and when, a key is trusted, as OpenSSH's allowed signers do."""

from __future__ import annotations

import datetime
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cyclometer import signing
from cyclometer.errors import BadSignature, CyclometerError, RefusedFile
from support.requirements import need

RUNS = "runs@cyclometer"


@pytest.fixture(autouse=True)
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Set the time zone of this machine: UTC, until a test sets another."""

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    set_zone("UTC")
    yield set_zone
    monkeypatch.undo()
    time.tzset()


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
    assert openssh_accepts(tmp_path, line) == (not reason)


def openssh_accepts(folder: Path, line: str, *options: str) -> bool:
    """Let OpenSSH verify a signature by the key in a folder, with a line of allowed signers."""
    allowed, signature = folder / "allowed", folder / "sig"
    allowed.write_text(f"{line}\n", encoding="utf-8")
    signature.write_text(signing.sign(b"x", signing.read_key(folder / "key"), RUNS), encoding="utf-8")
    command = ["ssh-keygen", "-Y", "verify", "-f", allowed, "-I", "anna", "-n", RUNS, "-s", signature, *options]
    return subprocess.run(command, input=b"x", capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("zone_name", ["UTC", "JST-9", "EST5"])
@pytest.mark.parametrize("suffix", ["", "Z"])
def test_times_without_z_are_those_of_this_machine_as_openssh_reads_them(
    tmp_path: Path, key: str, zone: Callable[[str], None], zone_name: str, suffix: str
) -> None:
    """In Tokyo noon is 3:00 UTC, in New York in winter 17:00 UTC."""
    need("ssh-keygen")
    zone(zone_name)
    noon = {"UTC": 12, "JST-9": 3, "EST5": 17}[zone_name] if not suffix else 12
    end = datetime.datetime(2026, 1, 15, noon, tzinfo=datetime.UTC)
    line = f'anna valid-after="20260115000000{suffix}",valid-before="202601151200{suffix}" {key}'
    [trusted] = signing.read_trusted(line)
    for seconds, is_valid in ((-12 * 3600 - 1, False), (-12 * 3600, True), (0, True), (1, False)):
        now = end + datetime.timedelta(seconds=seconds)
        assert (trusted.refusal(RUNS, now) == "") == is_valid
        assert openssh_accepts(tmp_path, line, f"-Overify-time={now:%Y%m%d%H%M%S}Z") == is_valid


def test_a_file_is_read_anew_so_that_a_line_taken_out_ends_the_trust(tmp_path: Path, key: str) -> None:
    file = tmp_path / "trusted.pub"
    file.write_text(f"{key}\n", encoding="ascii")
    trusted = signing.TrustedFile(file)
    assert signing.refusal(trusted, key, RUNS) == ""
    file.write_text("# nobody\n", encoding="ascii")
    assert "is not trusted here" in signing.refusal(trusted, key, RUNS)
    file.write_text(f"{key}\nhello\n", encoding="ascii")
    with pytest.raises(CyclometerError, match=r"trusted\.pub: line 2 has no public key"):
        signing.refusal(trusted, key, RUNS)
    file.unlink()
    with pytest.raises(CyclometerError, match=r"trusted\.pub cannot be read") as failed:
        signing.refusal(trusted, key, RUNS)
    assert not isinstance(failed.value, RefusedFile), "not the sender's fault"


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
