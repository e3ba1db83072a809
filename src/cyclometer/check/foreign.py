# SPDX-License-Identifier: MIT OR Apache-2.0
"""The check of a foreign implementation, which must pass the tests of its own tree, but not all of ours."""

from __future__ import annotations

from dataclasses import replace

from cyclometer.check.agreement import Outputs, Passed
from cyclometer.check.oracle import run_oracles
from cyclometer.check.properties import LENIENT, check_properties
from cyclometer.check.tolerated import (
    NONE,
    TOLERATED_AFTER_CHECKSUM,
    TOLERATED_IF_BOTH,
    TOLERATED_IF_CONFIRMED,
    WRONG_UNLESS_CONFIRMED,
)
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity


def check_foreign(
    executable: Executable,
    seconds: float,
    *words: str,
    confirmed: bool,
    authenticates: bool,
    wrong: frozenset[FailureKind],
) -> Passed | Failure:
    """Check a foreign implementation.

    It is `confirmed` if its tree has vectors: it passed them. Its operation `authenticates` if no scheme accepts what
    was changed. `wrong` are failures of our tests that are errors, `words` those for the property tests.
    """
    oracles = run_oracles(executable, seconds)
    if oracles.failure:
        return as_missing_feature(oracles.failure)
    confirmed = confirmed or bool(oracles.confirmed)
    strict = check_properties(executable, seconds, *words)
    if confirmed and isinstance(strict, Passed):
        return replace(strict, confirmed=True, warning=oracles.warning)
    summed = bool(oracles.checksum) or any(oracle.is_checksum for oracle in oracles.confirmed)
    if isinstance(strict, Failure) and (
        strict.kind in wrong or _is_wrong(strict.kind, confirmed, summed, authenticates)
    ):
        return strict
    checksum = "" if confirmed else oracles.checksum
    lenient = check_properties(executable, seconds, LENIENT, *words)
    if isinstance(lenient, Failure):
        tolerated = (TOLERATED_IF_CONFIRMED if confirmed else NONE) | (TOLERATED_AFTER_CHECKSUM if summed else NONE)
        tolerated |= TOLERATED_IF_BOTH if confirmed and summed else NONE
        if lenient.kind not in tolerated:
            return as_missing_feature(lenient)
        return Passed(executable, checksum=checksum, confirmed=confirmed, warning=_as_warning(lenient))
    # The lenient test has other inputs than the strict one; implementations without an oracle are compared on these.
    incomparable = isinstance(strict, Failure) and strict.kind is FailureKind.HIDDEN_RNG
    return Passed(
        executable,
        outputs=Outputs() if incomparable else lenient.outputs,
        strict=strict.outputs if isinstance(strict, Passed) else Outputs(),
        checksum="" if incomparable else checksum,
        confirmed=confirmed,
        warning=_as_warning(strict) if isinstance(strict, Failure) else None,
    )


def _is_wrong(kind: FailureKind, confirmed: bool, summed: bool, authenticates: bool) -> bool:
    """Return whether a failure of the strict property tests is an error, whatever the lenient ones find."""
    if not confirmed:
        return kind in WRONG_UNLESS_CONFIRMED
    if kind is FailureKind.UNSIGNED_ACCEPTED:  # signatures may be malleable, but not of nothing
        return not summed
    return kind is FailureKind.FORGERY_ACCEPTED and authenticates and not summed


def _as_warning(failure: Failure) -> Failure:
    return replace(failure, severity=Severity.WARNING)


def as_missing_feature(failure: Failure) -> Failure:
    """Return an illegal instruction as a missing CPU feature: foreign trees do not declare what they need."""
    if failure.kind is not FailureKind.ILLEGAL_INSTRUCTION:
        return failure
    return replace(failure, kind=FailureKind.NEEDS_FEATURE, reason="needs an instruction that this CPU lacks")
