# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in PQClean's layout: listed, built with common/, and compared with its known answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.known_answers import FORGETS_THE_CIPHERTEXT, TOY_KEM
from support.pqclean_tree import RIGHT, SIGNATURE, grow, grow_signatures

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)


def test_the_tree_is_listed(tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("run", "--tree", grow(tmp_path / "pqclean"), "--list")
    assert result.status == 0, result.stderr
    assert result.line("toy-1 elsewhere").endswith("left out, for vax only")
    assert result.line("toy-1 clean").endswith("toy-1 clean")
    assert "2 implementations of 1 primitive, 1 left out" in result.stdout


@pytest.mark.parametrize("part", ["", "crypto_kem", "crypto_kem/toy-1", "crypto_kem/toy-1/clean"])
def test_the_known_answer_confirms(part: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("check", grow(tmp_path / "pqclean") / part, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "toy-1 clean")


def test_another_known_answer_is_a_failure(tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("check", grow(tmp_path / "pqclean", "00" * 32), "--compiler", "gcc-O2")
    assert result.status == 1
    assert f"nistkat is sha256 {RIGHT}, not sha256 {'00' * 32}" in result.line("WRONG", "toy-1 clean")


def test_a_right_known_answer_does_not_excuse_a_ciphertext_without_influence(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = grow(tmp_path / "pqclean", source=FORGETS_THE_CIPHERTEXT)
    result = cyclometer("check", tree, "--compiler", "gcc-O2")
    assert result.status == 1
    assert "to the other one's session key" in result.line("WRONG", "toy-1 clean")


def test_an_overrun_within_the_known_answers_is_named(tmp_path: Path, cyclometer: CommandLine) -> None:
    """The byte after the ciphertext was the session key's first, so decapsulation seemed to fail."""
    overruns = TOY_KEM.replace("ct[i] ^= pk[i];", "ct[i] ^= pk[i];\n    ct[32] = 0;")
    result = cyclometer("check", grow(tmp_path / "pqclean", source=overruns), "--compiler", "gcc-O2")
    assert result.status == 1
    assert "nistkat: known answers: writes outside ciphertext: byte 32 of 32" in result.line("WRONG", "toy-1 clean")


VERIFIES = "siglen == 24 && right(sig, m, mlen, pk)"
WRONG_APART = {  # wrong only where signatures stand apart from their messages: the change, and what is said of it
    "all": (VERIFIES, "siglen == 24", "message of 0 bytes, byte"),
    "short": (VERIFIES, "!siglen || right(sig, m, mlen, pk)", "no signature: verifying accepts it"),
    "long": ("siglen == 24 &&", "siglen >= 24 &&", "a byte after the signature: verifying accepts it"),
    "prefix": (VERIFIES, "siglen == 24 && right(sig, m, mlen & ~7, pk)", "message of 59 bytes: verifying rejects"),
    "length": ("*siglen = 24;", "*siglen = mlen == 59 ? 25 : 24;", "returns 25 as the length of a signature"),
}


def test_signatures_apart_from_their_messages_are_checked(tmp_path: Path, cyclometer: CommandLine) -> None:
    """PQClean's users call `_signature` and `_verify`, which are not measured."""
    wrong = {name: SIGNATURE.replace(right, change) for name, (right, change, _) in WRONG_APART.items()}
    tree = grow_signatures(tmp_path / "pqclean", {"clean": SIGNATURE, **wrong})
    result = cyclometer("check", tree, "--compiler", "gcc-O2")
    assert result.line("ok ", "toy-1 clean")
    assert result.line("note", "crypto_sign/toy-1: no published result to compare with")
    for name, (_, _, reason) in WRONG_APART.items():
        assert "detached: " in result.line("WRONG", f"toy-1 {name} ", reason)


def test_a_run_of_one_implementation(tmp_path: Path, cyclometer: CommandLine) -> None:
    folder = grow(tmp_path / "pqclean") / "crypto_kem/toy-1/clean"
    result = cyclometer("run", "--tree", folder, "--compiler", "gcc-O2", "--rounds", "1", "--no-tables")
    assert result.status == 0, result.stdout + result.stderr
