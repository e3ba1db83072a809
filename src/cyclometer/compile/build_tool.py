# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs the programs of a build in the sandbox, within the time that the implementation has for all its builds."""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.execute import sandbox
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning

# A build may take this many times the time limit of a check; all builds of an implementation, twice as long.
COMPILE, CRATE, LIBRARY = 5, 15, 30
_TOGETHER = 2

STARTERS = ("prlimit: ", "bwrap: ")
"""So begin the messages of what starts a tool in the sandbox: they are about this machine, not about a source."""


class BuildError(Exception):
    """Ends one build with the kind of failure, the reason and the tool's words."""

    def __init__(self, kind: FailureKind, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.kind, self.reason, self.detail = kind, reason, detail

    def failure(self, subject: Tuning) -> Failure:
        """Return the error as a record."""
        return Failure(stage="build", subject=subject, kind=self.kind, reason=self.reason, detail=self.detail)


def first_error(failure: Failure) -> str:
    """Return the first error line of a compiler or linker, else its first line; empty for other stages."""
    output = (sandbox.from_first_error(failure.detail) or failure.detail).strip() if failure.stage == "build" else ""
    line = output.partition("\n")[0].strip()
    return "" if line == failure.reason else line


@dataclass
class TimeBudget:
    """The seconds for one build and for all builds of one implementation; after one time-out, none is left."""

    each: float
    left: float

    def for_a_tool(self) -> float:
        """Return the seconds that the next program may take; BuildError if there are none."""
        if self.left <= 0:
            reason = "not built: its builds have taken too long together (--time-limit gives them more)"
            raise BuildError(FailureKind.TIME_LIMIT, reason)
        return min(self.each, self.left)


@dataclass(frozen=True)
class TimeBudgets:
    """The time budgets of implementations, crates and libraries; `time_limit` is that of a check, in seconds."""

    time_limit: float = 60.0
    known: dict[str, TimeBudget] = field(default_factory=dict)

    @contextmanager
    def spending(self, name: str, factor: int = COMPILE) -> Iterator[None]:
        """Let the tools that this thread runs spend the time budget of that name."""
        each = factor * self.time_limit
        token = _current.set(self.known.setdefault(name, TimeBudget(each, _TOGETHER * each)))
        try:
            yield
        finally:
            _current.reset(token)


_current: ContextVar[TimeBudget | None] = ContextVar("time budget", default=None)


def run_build_tool(
    command: Sequence[str], *, readable: Sequence[Path], writable: Path, seconds: float = 1800.0
) -> sandbox.Outcome:
    """Run a compiler, linker or script; BuildError if a limit ends it, which is not the code's verdict for ever."""
    budget = _current.get()
    most = min(seconds, budget.for_a_tool()) if budget else seconds
    begun = time.monotonic()
    outcome = sandbox.run_confined_tool(command, readable=readable, writable=writable, seconds=most)
    if budget:
        budget.left -= time.monotonic() - begun
    words = outcome.last_words()
    if outcome.kind is FailureKind.TIME_LIMIT:
        if budget:
            budget.left = 0
        raise BuildError(outcome.kind, f"its build is {outcome.problem} (--time-limit gives it more)", words)
    if outcome.kind in (FailureKind.OUTPUT_LIMIT, FailureKind.MEMORY_LIMIT):
        raise BuildError(outcome.kind, f"its build {outcome.problem}", words)
    if outcome.kind is FailureKind.KILLED:
        raise BuildError(FailureKind.TOOL_FAILED, f"the compiler could not finish: {outcome.problem}", words)
    if outcome.problem and outcome.status not in sandbox.NOT_STARTED and words.startswith(STARTERS):
        raise BuildError(FailureKind.TOOL_FAILED, f"the sandbox could not start the compiler: {words.splitlines()[0]}")
    return outcome


def without_folders(message: str, folders: Iterable[Path]) -> str:
    """Return a tool's message with files named relative to these folders.

    Failures are cached by the contents of files, and may be shown for the same files in another folder.
    """
    for folder in sorted({str(folder) for folder in folders}, key=len, reverse=True):
        message = message.replace(f"{folder}/", "")
    return message


def take(made: Path, out: Path) -> str:
    """Copy a file that a build made, and return '', or why not: it may be a link to a file of ours, or a device."""
    try:
        descriptor = os.open(made, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        return f"its build made no {made.name}: {error.strerror}"
    with open(descriptor, "rb") as source, out.open("wb") as target:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            return f"its build made no regular file {made.name}"
        shutil.copyfileobj(source, target)
        out.chmod(stat.S_IMODE(mode) & 0o777)
    return ""
