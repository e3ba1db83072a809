# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which outputs are believed where implementations disagree, and what the failures say."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cyclometer.check.agreement import Outputs, Passed, describe, disagreements, strangers
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from support.fakes import executable

RIGHT, WRONG = "0" * 8, "f" * 8


def outputs(*digests: str, more: int = 0, last: str = "same") -> Outputs:
    """Make the digests of 16 outputs each, and of `more` outputs after them."""
    return Outputs(count=16 * len(digests) + more, digest=last, digests="".join(digests))


def passed(name: str, *digests: str, library: bool = False, compiler: str = "cc") -> Passed:
    each = executable(name, compiler=compiler)
    return Passed(replace(each, implementation=replace(each.implementation, library=library)), outputs(*digests))


def found(each: Executable, first: int, lenient: bool) -> list[tuple[str, bytes]]:
    """Stand for the executable: `mine` returns a wrong output in the second case."""
    assert first == 16
    wrong = each.subject.implementation == "mine"
    return [("length 16", bytes(32)), ("length 17", bytes(3) + bytes([wrong]) + bytes(28))]


def wrong(*group: Passed, beside: tuple[Passed, ...] = ()) -> dict[str, str]:
    failures: list[Failure] = disagreements(group, beside, found)
    return {failure.subject.implementation: failure.reason for failure in failures}


MINE = passed("mine", RIGHT, WRONG)


def test_implementations_that_agree_are_right() -> None:
    assert wrong(passed("ref", RIGHT), passed("mine", RIGHT)) == {}


def test_the_verdict_names_the_input_and_both_outputs() -> None:
    reason = wrong(passed("ref", RIGHT, RIGHT), passed("openssl", RIGHT, RIGHT, library=True), MINE)["mine"]
    shown = "0000000100000000... instead of 0000000000000000..., different from byte 3 of 32 on"
    assert reason == f"disagrees with ref and openssl: length 17: {shown}"


def test_what_was_not_asked_for_decides_but_is_not_named_as_wrong() -> None:
    beside = (passed("ref", RIGHT, RIGHT), passed("botan", WRONG, WRONG, library=True))
    assert set(wrong(MINE, passed("openssl", RIGHT, RIGHT, library=True), beside=beside)) == {"mine"}


def test_libraries_outvote_ref() -> None:
    libraries = [passed(name, RIGHT, RIGHT, library=True) for name in ("openssl", "botan")]
    assert set(wrong(passed("ref", RIGHT, WRONG), *libraries)) == {"ref"}


def test_compilers_have_no_vote() -> None:
    many = [passed("mine", RIGHT, WRONG, compiler=f"cc{number}") for number in range(5)]
    assert set(wrong(*many, passed("yours", RIGHT, RIGHT), passed("theirs", RIGHT, RIGHT))) == {"mine"}


def test_ref_wins_against_any_number_of_others() -> None:
    assert set(wrong(passed("ref", RIGHT, RIGHT), MINE, passed("mine-too", RIGHT, WRONG))) == {"mine", "mine-too"}


def test_of_two_strangers_neither_is_believed() -> None:
    reasons = wrong(MINE, passed("yours", RIGHT, RIGHT))
    assert set(reasons) == {"mine", "yours"}
    assert all("nothing decides which is right" in reason for reason in reasons.values())


def test_a_slow_implementation_is_compared_as_far_as_it_goes() -> None:
    assert wrong(passed("ref", RIGHT), passed("fast", RIGHT, RIGHT, RIGHT)) == {}
    assert set(wrong(passed("ref", RIGHT, RIGHT), passed("mine", RIGHT, WRONG, WRONG))) == {"mine"}


@pytest.mark.parametrize(("last", "first"), [("same", None), ("another", 16)])
def test_outputs_after_the_last_digest_count(last: str, first: int | None) -> None:
    assert outputs(RIGHT, more=3).first_difference(outputs(RIGHT, more=3, last=last)) == first


def test_outputs_on_other_inputs_are_not_compared() -> None:
    lenient = replace(MINE, outputs=replace(MINE.outputs, lenient=True))
    assert wrong(passed("ref", RIGHT, RIGHT), lenient) == {}


def lenient(name: str, *digests: str, strict: Outputs | None = None) -> Passed:
    """Return one of a foreign tree: its outputs are those of the lenient tests."""
    each = passed(name)
    return replace(each, outputs=replace(outputs(*digests), lenient=True), strict=strict or Outputs())


def test_code_that_passed_only_the_lenient_tests_is_compared_in_those() -> None:
    ref = (passed("ref", RIGHT, RIGHT, RIGHT), lenient("ref", RIGHT, RIGHT))
    assert set(wrong(lenient("good", RIGHT, RIGHT), lenient("bad", RIGHT, WRONG), beside=ref)) == {"bad"}


def test_code_that_passed_both_tests_is_compared_in_both() -> None:
    mine = lenient("mine", RIGHT, strict=outputs(RIGHT, WRONG))
    assert set(wrong(mine, beside=(passed("ref", RIGHT, RIGHT),))) == {"mine"}


def test_code_without_outputs_is_not_accused_where_two_others_disagree() -> None:
    silent = Passed(executable("silent"))  # such as one that draws random bytes of its own
    assert set(wrong(passed("one", RIGHT, RIGHT), passed("two", RIGHT, WRONG), silent)) == {"one", "two"}


@pytest.mark.parametrize(("second", "accused"), [(b"same", {"theirs"}), (b"drawn otherwise", set())])
def test_a_confirmed_system_is_compared_with_ours_if_both_begin_with_the_same_two_outputs(
    second: bytes, accused: set[str]
) -> None:
    """Such as a KEM whose known answers have no forged ciphertext, for which its session keys are wrong."""
    each = passed("theirs", WRONG)
    foreign = cast(Any, SimpleNamespace(names=(("crypto_kem_keypair", "theirs_keypair"),)))
    implementation = replace(each.executable.implementation, foreign=foreign)
    each = replace(each, executable=replace(each.executable, implementation=implementation), confirmed=True)

    def begins(of: Executable, first: int, lenient: bool) -> list[tuple[str, bytes]]:
        is_ours = of.subject.implementation == "ref"
        return [("ciphertext", b"same"), ("session key", b"same" if is_ours else second), ("forged", bytes([is_ours]))]

    failures = disagreements([each], [passed("ref", RIGHT)], begins)
    assert {failure.subject.implementation for failure in failures} == accused


def test_a_late_difference_is_shown() -> None:
    assert describe(bytes(31) + b"\1", bytes(32)) == (
        "0000000000000000...01 instead of 0000000000000000...00, different from byte 31 of 32 on"
    )
    assert describe(b"", b"1") == "0 bytes instead of 1"


def test_keys_are_exchanged_where_no_independent_outputs_can_be_compared() -> None:
    openssl = Passed(passed("openssl", library=True).executable, Outputs())
    unlike = strangers([MINE], [openssl], lambda one, other: "open: answers 'rejected'")
    assert [failure.reason for failure in unlike] == [
        "disagrees with openssl when they use each other's keys: open: answers 'rejected'"
    ]
    assert strangers([MINE], [openssl, passed("ref", RIGHT)], lambda one, other: "not asked") == []
