# SPDX-License-Identifier: MIT OR Apache-2.0
"""Confirms what a timed process reports: another process repeats some of its calls, and this one looks at the clock.

The timed process digests what its timed calls compute (harness/runtime/timed_outputs.c). Which of them are repeated
is drawn here after it has ended, so it cannot know. What depends on the definition of the primitive alone is repeated
by an independent implementation, if there is one; everything else by the same executable, from another place in its
code.
"""

from __future__ import annotations

import os
import random
import secrets
import statistics
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclometer.execute import sandbox
from cyclometer.execute.timed import call
from cyclometer.records.columns import Columns, rows_of
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind

MOST = 1000  # samples of the first process that are repeated
CONFIRM_ONE_IN, FEW = 8, 16  # later processes, and samples of such a process
SECONDS = 60.0
BULK_SECONDS = 0.02  # what the calls that are timed from here take, by the timings of the process
BULK_TIMINGS, MOST_CALLS = 1000, 100_000  # the number of the first of them, which no series reaches
TOO_SLOW = 4.0  # times what its timings say: a busy neighbour does not explain more
SLACK_SECONDS = 0.06  # starting a process
ANYBODY, EMPTY = "any", "empty"
OTHER_OUTPUT = "a timed call does not compute what the same call computes when it is not timed"

Row = dict[str, Any]
Confirm = Callable[[Executable, "Repeater", Columns], Failure | None]


@dataclass(frozen=True, kw_only=True)
class Repeater:
    """Repeats timed calls of one process, with the inputs that they had."""

    arguments: tuple[str, ...]  # of its verb `measure`
    core: int | None

    def digests(self, executable: Executable, requests: Sequence[str]) -> list[str] | str:
        """Return the digests that an executable computes for each request, or why there are none."""
        outcome = call(
            executable,
            "repeat",
            *self.arguments,
            cpu=self.core,
            stdin="".join(f"{request}\n" for request in requests).encode(),
            limits=sandbox.Limits(seconds=SECONDS),
        )
        if outcome.problem:
            return outcome.problem
        lines = [line.split("\t")[1] for line in outcome.stdout.decode().splitlines() if line.startswith("repeated\t")]
        return lines if len(lines) == len(requests) else "answers another number of requests"

    def seconds(self, executable: Executable, request: str) -> float:
        """Return the seconds of a process with the calls less those of one that only makes their inputs."""
        start = time.monotonic()
        self.digests(executable, [request])
        middle = time.monotonic()
        self.digests(executable, [request.replace("calls", "inputs", 1)])
        return (middle - start) - (time.monotonic() - middle)


class Confirmer:
    """Confirms the samples of a campaign: the first ones of each executable thoroughly, some of the others."""

    def __init__(
        self,
        per_second: float,
        partner: Callable[[Executable], Executable | None] = lambda _: None,
        sessions: Collection[str] = (),
    ) -> None:
        """`per_second`: counter units, 0 if unknown; `partner` returns an independent implementation, if there is one.

        It must have the same operation and grid. Calls of the operations in `sessions` check one another instead.
        """
        self.per_second, self._partner, self.sessions = per_second, partner, frozenset(sessions)
        self._partners: dict[Path, Executable | None] = {}

    def __call__(self, executable: Executable, repeater: Repeater, samples: Columns) -> Failure | None:
        """Return why the samples (columns of RECORD) are not believed; None if they are confirmed."""
        if executable.subject.operation in self.sessions:
            return None
        first = executable.path not in self._partners
        if first:
            self._partners[executable.path] = self._partner(executable)
        elif secrets.randbelow(CONFIRM_ONE_IN):
            return None
        rows = [row for row in rows_of(samples) if row["measure"] != EMPTY]
        problem = self._problem(executable, repeater, rows, MOST if first else FEW)
        if not problem:
            return None
        kind, reason = problem
        return Failure(stage="measure", subject=executable.subject, kind=kind, reason=reason)

    def _problem(
        self, executable: Executable, repeater: Repeater, rows: list[Row], most: int
    ) -> tuple[FailureKind, str] | None:
        partner = self._partners[executable.path]
        rng = random.Random(secrets.randbits(64))
        chosen = [_Timing.drawn(row, rng) for row in rng.sample(rows, min(most, len(rows)))]
        shared = [timing for timing in chosen if timing.who == ANYBODY]
        digests = repeater.digests(partner, _requests(shared)) if partner and shared else "nobody to ask"
        own = chosen if isinstance(digests, str) else [timing for timing in chosen if timing.who != ANYBODY]
        if partner and (wrong := _first_wrong(digests, shared)):
            again = repeater.digests(executable, [wrong.request])
            if again == [wrong.output]:
                return FailureKind.DISAGREEMENT, f"{wrong.name}: disagrees with {partner.subject.implementation}"
            return FailureKind.WRONG_WHEN_TIMED, f"{wrong.name}: {OTHER_OUTPUT}"
        return self._own_problem(executable, repeater, own, rng.choice(rows) if rows and self.per_second else None)

    def _own_problem(
        self, executable: Executable, repeater: Repeater, own: list[_Timing], bulk: Row | None
    ) -> tuple[FailureKind, str] | None:
        """Let the executable repeat its own calls, and time many calls of one sample by our own clock."""
        requests = [*_requests(own), *([_bulk(bulk, self.per_second)] if bulk else [])]
        if not requests:
            return None
        start = time.monotonic()
        digests = repeater.digests(executable, requests)
        seconds = time.monotonic() - start
        if isinstance(digests, str):
            return FailureKind.WRONG_WHEN_TIMED, f"fails when its timed calls are repeated: {digests}"
        if wrong := _first_wrong(digests, own):
            return FailureKind.WRONG_WHEN_TIMED, f"{wrong.name}: {OTHER_OUTPUT}"
        if not bulk or seconds <= TOO_SLOW * BULK_SECONDS + SLACK_SECONDS or _is_busy():
            return None
        count = _calls(bulk, self.per_second)
        claimed = count * _typical(bulk) / self.per_second
        took = min(repeater.seconds(executable, requests[-1]) for _ in range(5))
        if took <= TOO_SLOW * claimed + 0.01:
            return None
        times = f"{1e3 * took:.0f} ms by Cyclometer's clock and {1e3 * claimed:.0f} ms by its timings"
        return FailureKind.TIME_NOT_CONFIRMED, f"{_name(bulk)}: {count} calls take {times}"


def _is_busy() -> bool:
    """Return whether other programs want the cores, so that a clock shows their time as well."""
    return os.getloadavg()[0] > 0.75 * (os.cpu_count() or 1)


def _requests(timings: Sequence[_Timing]) -> list[str]:
    return [timing.request for timing in timings]


def _first_wrong(digests: list[str] | str, timings: Sequence[_Timing]) -> _Timing | None:
    """Return the first timing with another digest; None if all agree or there are no digests."""
    if isinstance(digests, str):
        return None
    pairs = zip(timings, digests, strict=False)
    return next((timing for timing, digest in pairs if digest != timing.output), None)


@dataclass(frozen=True, kw_only=True)
class _Timing:
    """One timed call, and what it computed."""

    name: str
    who: str  # can compute its output again: ANYBODY, SAME, or nobody
    output: str  # who and, unless nobody can, its digest
    request: str

    @classmethod
    def drawn(cls, row: Row, rng: random.Random) -> _Timing:
        who, *digests = (row["outputs"] or "").split(",")
        number = rng.randrange(len(row["series"]))
        output = ",".join([who, *digests[number : number + 1]])
        return cls(name=_name(row), who=who, output=output, request=_request(row, row["first"] + number, 1))


def _request(row: Row, first: int, count: int) -> str:
    names = ("measure", "length", "ad_length", "keys", "alignment", "repetition", "number", "inputs")
    return " ".join(["calls", *(str(row[name]) for name in names), str(first), str(count)])


def _bulk(row: Row, per_second: float) -> str:
    return _request(row, BULK_TIMINGS, _calls(row, per_second))


def _calls(row: Row, per_second: float) -> int:
    return max(1, min(MOST_CALLS, int(BULK_SECONDS * per_second / max(1.0, _typical(row)))))


def _typical(row: Row) -> float:
    return statistics.fmean(row["series"])  # of a timer that advances in steps, the median may be 0


def _name(row: Row) -> str:
    lengths = f" length {row['length']}" if row["length"] else ""
    keys = f" keys {row['keys']}" if row["keys"] > 1 else ""
    return f"{row['measure']}{lengths}{keys}"
