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
from cyclometer.records.catalogue import Foreign, Oracle
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.untrusted import shortened
from cyclometer.vectors.templates import is_hex

LONG_SECONDS = 3.0  # limit for a long oracle; one that exceeds it decides nothing
CHECKSUM_FACTOR = 10  # checksums have this many times the usual limit; SUPERCOP waits an hour
HASHED = "sha256 "  # prefix of an expected answer that is the hash of the bytes answered
SKIP_LONG_SECONDS = 1.0  # if the oracle before took longer than this, the long one is skipped


@dataclass(frozen=True, kw_only=True)
class OracleResult:
    """What the oracles of an implementation showed."""

    confirmed: tuple[Oracle, ...] = ()  # the oracles with the expected answer
    checksum: str = ""  # where no answer is expected: the one on which implementations must agree
    warning: Failure | None = None  # what the tree's own test accepts and ours does not
    failure: Failure | None = None


def has_published(foreign: Foreign) -> bool:
    """Return whether an oracle's answer is compared with one that the tree has published."""
    return any(oracle.expected and not oracle.is_own for oracle in foreign.oracles)


def run_oracles(executable: Executable, seconds: float) -> OracleResult:
    """Run every oracle of the executable until one fails; a process may take `seconds`.

    An oracle that reads beyond a buffer, which the tree's own test lets pass, runs again with room there and
    becomes a warning.
    """
    foreign = executable.implementation.foreign
    result, spent = OracleResult(), 0.0
    for oracle in foreign.oracles if foreign else ():
        if oracle.is_long and spent > SKIP_LONG_SECONDS:
            continue
        started = time.monotonic()
        limit = limits(executable.compiler, _seconds_for(oracle, seconds))
        room = ("lenient",) if result.warning else ()
        outcome = call(executable, "oracle", oracle.name, *room, limits=limit)
        if not room and outcome.kind is FailureKind.OUT_OF_BOUNDS:  # the canaries still find a write there
            warning = _difference(executable, oracle, outcome)
            result = replace(result, warning=warning and replace(warning, severity=Severity.WARNING))
            outcome = call(executable, "oracle", oracle.name, "lenient", limits=limit)
        spent = time.monotonic() - started
        if oracle.is_long and outcome.kind is FailureKind.TIME_LIMIT and result.confirmed:
            continue
        if failure := _difference(executable, oracle, outcome):
            return replace(result, failure=failure)
        if oracle.is_own:
            continue
        if oracle.expected:
            result = replace(result, confirmed=(*result.confirmed, oracle))
        else:
            result = replace(result, checksum=answer_of(outcome))
    return result


def _seconds_for(oracle: Oracle, seconds: float) -> float:
    if oracle.is_long:
        return min(seconds, LONG_SECONDS)
    return seconds * CHECKSUM_FACTOR if oracle.is_checksum else seconds


def _difference(executable: Executable, oracle: Oracle, outcome: Outcome) -> Failure | None:
    """Return a failure unless the answer is the expected one; if none is expected, any answer will do."""

    label, expected = " ".join(oracle.name.split()[:3]), oracle.expected  # without the long arguments after it

    def failure(kind: FailureKind, reason: str) -> Failure:
        return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=outcome.last_words())

    if outcome.problem:
        kind, reason = failure_of(outcome)
        return failure(kind, f"{label}: {reason}")
    answer = answer_of(outcome)
    if expected.startswith(HASHED):
        answer = HASHED + hashlib.sha256(bytes.fromhex(answer)).hexdigest() if is_hex(answer) else answer
    if not answer:
        return failure(FailureKind.NO_VERDICT, f"{label} is not computed")
    if answer == expected or not expected:
        return None
    return failure(FailureKind.WRONG_OUTPUT, f"{label} is {shortened(answer)}, not {shortened(expected)}")
