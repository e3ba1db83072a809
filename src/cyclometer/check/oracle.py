# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a foreign tree itself expects of an implementation: checksums, known answers.

The adapter's code inside the executable computes (`oracle NAME`); what is expected stays here.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, replace

from cyclometer.check.vectors import ending, limits
from cyclometer.execute.sandbox import Outcome
from cyclometer.execute.timed import call
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.vectors.templates import HEX

LONG = ("checksumbig", "testvectors")  # a good deal more work than what comes before them
LONG_SECONDS = 3.0  # it may take; nothing is said of one that needs more
SLOW = ("checksumsmall",)  # of some implementations minutes of work, and all that SUPERCOP asks: it waits an hour
PATIENCE = 10  # times what a process may take elsewhere
HASHED = "sha256 "  # before what is expected: the hash of the bytes that are answered
ENOUGH_SECONDS = 1.0  # when the short one took longer, the long one is not begun


@dataclass(frozen=True, kw_only=True)
class Answers:
    """What became of an implementation's oracles."""

    confirmed: tuple[str, ...] = ()  # those that gave what was expected
    sum: str = ""  # where nobody says what is expected: what implementations must agree upon
    warning: Failure | None = None  # what the tree's own test lets pass and ours does not
    failure: Failure | None = None


def ask_oracles(executable: Executable, seconds: float) -> Answers:
    """Every oracle there is, until one fails. One that fails by a read beyond a buffer, where the tree's own test has
    room, is asked again with such room: then it is a warning."""
    foreign = executable.implementation.foreign
    answers, spent = Answers(), 0.0
    for name, expected in foreign.oracle if foreign else ():
        if name in LONG and spent > ENOUGH_SECONDS:
            break
        started = time.monotonic()
        allowed = _allowed(name, seconds)
        room = ("lenient",) if answers.warning else ()
        outcome = call(executable, "oracle", name, *room, limits=limits(executable.compiler, allowed))
        if not room and outcome.kind is FailureKind.OUT_OF_BOUNDS:  # a write there is found by the canaries
            warning = _difference(executable, name, expected, outcome)
            answers = replace(answers, warning=warning and replace(warning, severity=Severity.WARNING))
            outcome = call(executable, "oracle", name, "lenient", limits=limits(executable.compiler, allowed))
        spent = time.monotonic() - started
        if name in LONG and outcome.kind is FailureKind.TIME_LIMIT and answers.confirmed:
            break
        if failure := _difference(executable, name, expected, outcome):
            return replace(answers, failure=failure)
        if expected:
            answers = replace(answers, confirmed=(*answers.confirmed, name))
        else:
            answers = replace(answers, sum=_answer(outcome))
    return answers


def _allowed(name: str, seconds: float) -> float:
    if name in LONG:
        return min(seconds, LONG_SECONDS)
    return seconds * PATIENCE if name in SLOW else seconds


def _difference(executable: Executable, name: str, expected: str, outcome: Outcome) -> Failure | None:
    """None when the answer is the expected one, or any where none is expected."""

    def failure(kind: FailureKind, reason: str) -> Failure:
        return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=outcome.last_words())

    if outcome.problem:
        kind, words = ending(outcome)
        return failure(kind, f"{_label(name)}: {words}")
    answer = _answer(outcome)
    if expected.startswith(HASHED):
        answer = HASHED + hashlib.sha256(bytes.fromhex(answer)).hexdigest() if HEX.fullmatch(answer) else answer
    if not answer:
        return failure(FailureKind.NO_VERDICT, f"{_label(name)} is not computed")
    if answer == expected or not expected:
        return None
    return failure(FailureKind.WRONG_OUTPUT, f"{_label(name)} is {answer}, not {expected}")


def _answer(outcome: Outcome) -> str:
    records = outcome.stdout.decode(errors="replace").splitlines()
    return next((line.partition("\t")[2] for line in records if line.startswith("answer\t")), "")


def _label(name: str) -> str:
    """Without what is handed to it."""
    return " ".join(name.split()[:3])
