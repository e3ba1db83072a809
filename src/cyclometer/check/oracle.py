# SPDX-License-Identifier: MIT OR Apache-2.0
"""Oracles: the checksums and known answers that a foreign tree expects of its implementations.

The adapter's code in the executable computes an answer (`oracle NAME`); the expected one never enters the executable.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, replace

from cyclometer.check.vectors import answer_of, failure_of, limits
from cyclometer.execute.sandbox import Outcome
from cyclometer.execute.timed import call
from cyclometer.records.catalogue import Foreign
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.untrusted import shortened
from cyclometer.vectors.templates import is_hex

LONG = ("checksumbig", "testvectors")  # oracles with far more work than those before them
LONG_SECONDS = 3.0  # limit for a long oracle; one that exceeds it decides nothing
OWN = ("decryption", "detached")  # our checks of functions that are not measured: they confirm nothing published
SLOW = ("checksumsmall",)  # minutes of work for some implementations; SUPERCOP, which asks no more, waits an hour
SLOW_FACTOR = 10  # slow oracles have this many times the usual limit
HASHED = "sha256 "  # prefix of an expected answer that is the hash of the bytes answered
SKIP_LONG_SECONDS = 1.0  # if the oracle before took longer than this, the long one is skipped


@dataclass(frozen=True, kw_only=True)
class OracleResult:
    """What the oracles of an implementation showed."""

    confirmed: tuple[str, ...] = ()  # the oracles with the expected answer
    checksum: str = ""  # where no answer is expected: the one on which implementations must agree
    warning: Failure | None = None  # what the tree's own test accepts and ours does not
    failure: Failure | None = None


def has_published(foreign: Foreign) -> bool:
    """Return whether an oracle's answer is compared with one that the tree has published."""
    return any(expected for name, expected in foreign.oracle if name not in OWN)


def run_oracles(executable: Executable, seconds: float) -> OracleResult:
    """Run every oracle of the executable until one fails; a process may take `seconds`.

    An oracle that reads beyond a buffer, which the tree's own test lets pass, runs again with room there and
    becomes a warning.
    """
    foreign = executable.implementation.foreign
    result, spent = OracleResult(), 0.0
    for name, expected in foreign.oracle if foreign else ():
        if name in LONG and spent > SKIP_LONG_SECONDS:
            continue
        started = time.monotonic()
        limit = limits(executable.compiler, _seconds_for(name, seconds))
        room = ("lenient",) if result.warning else ()
        outcome = call(executable, "oracle", name, *room, limits=limit)
        if not room and outcome.kind is FailureKind.OUT_OF_BOUNDS:  # the canaries still find a write there
            warning = _difference(executable, name, expected, outcome)
            result = replace(result, warning=warning and replace(warning, severity=Severity.WARNING))
            outcome = call(executable, "oracle", name, "lenient", limits=limit)
        spent = time.monotonic() - started
        if name in LONG and outcome.kind is FailureKind.TIME_LIMIT and result.confirmed:
            continue
        if failure := _difference(executable, name, expected, outcome):
            return replace(result, failure=failure)
        if name in OWN:
            continue
        if expected:
            result = replace(result, confirmed=(*result.confirmed, name))
        else:
            result = replace(result, checksum=answer_of(outcome))
    return result


def _seconds_for(name: str, seconds: float) -> float:
    if name in LONG:
        return min(seconds, LONG_SECONDS)
    return seconds * SLOW_FACTOR if name in SLOW else seconds


def _difference(executable: Executable, name: str, expected: str, outcome: Outcome) -> Failure | None:
    """Return a failure unless the answer is the expected one; if none is expected, any answer will do."""

    def failure(kind: FailureKind, reason: str) -> Failure:
        return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=outcome.last_words())

    if outcome.problem:
        kind, reason = failure_of(outcome)
        return failure(kind, f"{_label(name)}: {reason}")
    answer = answer_of(outcome)
    if expected.startswith(HASHED):
        answer = HASHED + hashlib.sha256(bytes.fromhex(answer)).hexdigest() if is_hex(answer) else answer
    if not answer:
        return failure(FailureKind.NO_VERDICT, f"{_label(name)} is not computed")
    if answer == expected or not expected:
        return None
    return failure(FailureKind.WRONG_OUTPUT, f"{_label(name)} is {shortened(answer)}, not {shortened(expected)}")


def _label(name: str) -> str:
    """Return the oracle's name without the long arguments after it."""
    return " ".join(name.split()[:3])
