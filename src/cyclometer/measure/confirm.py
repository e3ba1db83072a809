# SPDX-License-Identifier: MIT OR Apache-2.0
"""Confirms what a timed process reports: other processes repeat some of its calls, and this one looks at the clock.

The timed process digests what its timed calls compute (harness/runtime/timed_outputs.c). Which of them are repeated
is drawn here after it has ended, so it cannot know. What depends on the definition of the primitive alone is repeated
by an independent implementation, if there is one; everything else by the same executable, from another place in its
code, and in the layout that was checked: what computes something else in another layout is wrong. Calls that are timed
again have the layout that they had.

This is done while other processes are measured, on another core. What proves to be wrong there is wrong; what seems
slow may have been disturbed, and is a doubt that is settled when nothing else runs.
"""

from __future__ import annotations

import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from cyclometer.measure.confirmed import ConfirmedTimings, Earlier, point_of
from cyclometer.measure.memory_of_inputs import remembers
from cyclometer.measure.own_chain import chain_problem
from cyclometer.measure.own_clock import (
    ATTEMPTS,
    FEW_ATTEMPTS,
    Look,
    look,
    pooled,
    slowness,
    typical,
)
from cyclometer.measure.process import Measured
from cyclometer.measure.repeat import NoAnswer, Repeater, Repetition, Row, Ticks, request
from cyclometer.measure.schedule import CONFIRM_SECONDS
from cyclometer.records.columns import rows_of
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.grid import Point
from cyclometer.records.run import EMPTY

OF_A_POINT, MOST = 3, 1000  # samples that are repeated of a process that is confirmed thoroughly; of others one
CONFIRM_ONE_IN, FEW = 8, 16  # later processes, and samples of such a process
CLOCKED = 4  # samples of a process whose calls are compared with the kernel's clock; one of a later one
SHORT_COUNTS = 60_000  # of a sample's timings so many counter units are repeated, or one timing if that took longer
LONGEST = 6  # times as long it may take where others use the cores, so that these cannot let a process off
ANYBODY = "any"
OWN, OTHER, CHECKED, PARTNER = "own", "other", "checked", "partner"  # processes, all but the last of the executable
OTHER_OUTPUT = "a timed call does not compute what the same call computes when it is not timed"

Problem = tuple[FailureKind, str]


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """Samples whose calls seemed to take longer than their timings say while something else was measured."""

    measured: Measured
    slow: list[Row] = field(default_factory=list)  # by the kernel's clock
    remembering: list[Row] = field(default_factory=list)  # what the code has made itself is faster


class Confirmer:
    """Confirms the samples of a campaign: the first ones of each executable thoroughly, some of the others.

    What an earlier campaign has confirmed of the same program is as if this one had.
    """

    def __init__(
        self,
        ticks: Ticks,
        partner: Callable[[Executable], Executable | None] = lambda _: None,
        sessions: Collection[str] = (),
        enough_seconds: float = CONFIRM_SECONDS,
        earlier: Earlier = lambda _: {},
    ) -> None:
        """`partner` returns an independent implementation with the same operation and grid, if there is one.

        Calls of the operations in `sessions` check one another instead. After `enough_seconds` of CPU time, no further
        samples of a process are repeated. `earlier` returns the cycles of what earlier campaigns have confirmed.
        """
        self.ticks, self._partner, self.sessions = ticks, partner, frozenset(sessions)
        self.enough_seconds = enough_seconds
        self._partners: dict[Path, Executable | None] = {}
        self._confirmed = ConfirmedTimings(ticks, earlier)

    def __call__(self, measured: Measured, *, alone: bool = True) -> Failure | Doubt | None:
        """Return why the samples are not believed; None if they are confirmed. A doubt only if it is not `alone`."""
        executable = measured.executable
        if executable.subject.operation in self.sessions:
            return None
        if problem := chain_problem(measured, self.ticks):
            return self._verdict(measured, problem)
        first = executable.path not in self._partners
        if first:
            self._partners[executable.path] = self._partner(executable)
            self._confirmed.open(executable)
        is_due = first or secrets.randbelow(CONFIRM_ONE_IN) == 0
        if not is_due and not self._confirmed.may_be_much_faster(executable.path, measured.samples):
            return None
        rows = _rows(measured)
        unproven = self._confirmed.unknown(executable.path, rows) if first else []
        unproven += self._confirmed.much_faster(executable.path, rows)
        if not rows or not (is_due or unproven):
            return None
        with self._confirmation(measured, alone) as confirmation:
            problem = confirmation.problem(rows, unproven, every_point=first)
        doubt = Doubt(measured=measured, slow=confirmation.slow, remembering=confirmation.remembering)
        if not problem and (doubt.slow or doubt.remembering):
            return doubt
        return self._verdict(measured, problem)

    def alone(self, measured: Measured) -> Failure | None:
        """Return why the samples are not believed, when nothing else runs."""
        verdict = self(measured)
        return self.settle(verdict) if isinstance(verdict, Doubt) else verdict

    def settle(self, doubt: Doubt) -> Failure | None:
        """Look once more, now that nothing else runs; return why the samples are not believed."""
        with self._confirmation(doubt.measured, alone=True) as confirmation:
            problem = confirmation.problem_of(doubt)
        return self._verdict(doubt.measured, problem)

    def _confirmation(self, measured: Measured, alone: bool) -> _Confirmation:
        executable, repeater = measured.executable, measured.repeater
        repeater = repeater if alone else replace(repeater, core=None)  # wherever this thread is
        partner = self._partners[executable.path]
        rows, enough = _rows(measured), self.enough_seconds
        timed = executable.in_layout(measured.layout)
        return _Confirmation(executable, timed, partner, repeater, self.ticks, rows, alone=alone, enough_seconds=enough)

    def _verdict(self, measured: Measured, problem: Problem | None) -> Failure | None:
        executable = measured.executable
        if not problem:
            self._confirmed.add(executable.path, _rows(measured))
            return None
        kind, reason = problem
        return Failure(stage="measure", subject=executable.subject, kind=kind, reason=reason)


def _rows(measured: Measured) -> list[Row]:
    return [row for row in rows_of(measured.samples) if row["measure"] != EMPTY]


class _Confirmation:
    """Confirms samples of one process with the help of others."""

    def __init__(
        self,
        executable: Executable,
        timed: Executable,
        partner: Executable | None,
        repeater: Repeater,
        ticks: Ticks,
        rows: Sequence[Row],
        *,
        alone: bool,
        enough_seconds: float,
    ) -> None:
        self.executable, self.timed, self.partner = executable, timed, partner
        self.repeater, self.ticks = repeater, ticks
        self.every_row = rows
        self.alone, self.enough_seconds = alone, enough_seconds
        self.slow: list[Row] = []  # if it is not alone
        self.remembering: list[Row] = []  # likewise
        self.rng = random.Random(secrets.randbits(64))
        self._stack = ExitStack()
        self._started: dict[str, Repetition] = {}
        self._begun = time.monotonic()

    def __enter__(self) -> _Confirmation:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def problem(self, rows: list[Row], unproven: list[Row], *, every_point: bool) -> Problem | None:
        """Return what is wrong with the samples.

        Some of each `unproven` point are repeated, and one of each other point if it is to be `every_point`. If none is
        unproven, one of each of a few points.
        """
        thoroughly = bool(unproven)
        points = {point_of(row) for row in unproven}
        others = [row for row in rows if point_of(row) not in points] if every_point or not unproven else []
        drawn = self._some_of_each_point(unproven, OF_A_POINT)[:MOST]
        drawn += self._some_of_each_point(others, 1)[: MOST if every_point else FEW]
        chosen = [_Timing.drawn(row, self.rng) for row in drawn]
        rows, clocked = (unproven, CLOCKED) if thoroughly else (rows, 1)
        if not self.alone:  # the kernel needs some milliseconds to make each sandbox: it makes them together
            partner = [PARTNER] if self.partner else []
            for name in (OWN, *partner, *([CHECKED] if thoroughly or not partner else [])):
                self._process(name)
        try:
            return (
                self._wrong_output(chosen)
                or self._too_slow(self._clocked(rows, clocked), thoroughly=thoroughly)
                or (self._remembers(self._one_of_each_measure(rows)) if thoroughly else None)
            )
        except NoAnswer as reason:
            return _no_answer(reason)

    def problem_of(self, doubt: Doubt) -> Problem | None:
        """Return what is wrong with samples in doubt."""
        try:
            return self._too_slow(doubt.slow, thoroughly=True) or self._remembers(doubt.remembering)
        except NoAnswer as reason:
            return _no_answer(reason)

    def _clocked(self, rows: list[Row], most: int) -> list[Row]:
        """Draw the samples whose calls are compared with the kernel's clock: of each measure one before another."""
        first = self._one_of_each_measure(rows)
        others = [row for row in self.rng.sample(rows, len(rows)) if all(row is not each for each in first)]
        return [pooled(row, rows) for row in [*first, *others][:most]]

    def _process(self, name: str) -> Repetition:
        """Return a process of the executable by a name of ours; it knows nothing of the others."""
        if name not in self._started:
            executable = {PARTNER: self.partner, CHECKED: self.executable}.get(name) or self.timed
            self._started[name] = self._stack.enter_context(self.repeater.start(executable))
        return self._started[name]

    def _spent(self) -> float:
        """Return the CPU time of all processes, but at least 1/LONGEST of the time since the start."""
        used = sum(process.used_seconds() for process in self._started.values())
        return max(used, (time.monotonic() - self._begun) / LONGEST)

    def _wrong_output(self, timings: Sequence[_Timing]) -> Problem | None:
        """Compare outputs with those of the partner, or of the executable in the layout that was checked."""
        shared = [timing for timing in timings if timing.who == ANYBODY]
        theirs = self._partners_outputs(shared)
        answered = [(timing, output) for timing, output in zip(shared, theirs, strict=False) if output]
        unanswered = [timing for timing, output in zip(shared, theirs, strict=False) if not output]
        own = [*(timing for timing in timings if timing.who != ANYBODY), *unanswered]
        wrong = next((timing for timing, output in answered if output != timing.output), None)
        if wrong and self.partner:
            if self._outputs(CHECKED, [wrong]) == [wrong.output]:
                return FailureKind.DISAGREEMENT, f"{wrong.name}: disagrees with {self.partner.subject.implementation}"
            return FailureKind.WRONG_WHEN_TIMED, f"{wrong.name}: {OTHER_OUTPUT}"
        if wrong := _first_wrong(self._outputs(CHECKED, own), own):
            return FailureKind.WRONG_WHEN_TIMED, f"{wrong.name}: {OTHER_OUTPUT}"
        return None

    def _outputs(self, process: str, timings: Sequence[_Timing]) -> list[str]:
        """Return what the process computes for these, or for the first of them if they take long."""
        outputs: list[str] = []
        begun = self._spent()
        while len(outputs) < len(timings) and (left := self.enough_seconds - (self._spent() - begun)) > 0:
            fitting = int(len(outputs) * left / (self.enough_seconds - left)) if outputs else 0
            requests = [timing.request for timing in timings[len(outputs) :][: 1 + min(len(outputs), fitting)]]
            outputs += [answer.every_output for answer in self._process(process).ask(requests)]
        return outputs

    def _partners_outputs(self, timings: Sequence[_Timing]) -> list[str]:
        """Return what the partner computes, '' if there is none, or it cannot answer.

        '' also of a call that leaves nothing: libraries release each key that they have expanded.
        """
        if self.partner:
            try:
                return self._outputs(PARTNER, timings)
            except NoAnswer:
                self.partner = None
        return [""] * len(timings)

    def _answering_partner(self, row: Row) -> Repetition | None:
        """Return the partner's process if it can compute the outputs of this sample.

        None for our glue of an installed library, which hides nothing, but may put work off until a key is used.
        """
        if self.executable.implementation.library:
            return None
        is_shared = (row["outputs"] or "").startswith(ANYBODY)
        answers = self._partners_outputs([_Timing.drawn(row, self.rng)]) if is_shared else []
        return self._process(PARTNER) if any(answers) else None

    def _too_slow(self, rows: list[Row], *, thoroughly: bool) -> Problem | None:
        """Compare timings with the kernel's clock, and what the calls made for that computed with the partner."""
        if not self.ticks.per_second:
            return None
        outputs: list[_Timing] = []
        end = self._spent() + self.enough_seconds
        for row in rows:
            if outputs and self._spent() >= end:
                break
            # Where its memory lies is chance and does not change: in one process of many, plain C takes 1.6 times as
            # long (Salsa20 on Cascade Lake). So what is slow in one is looked at in another.
            for name in (OWN, OTHER) if self.alone else (OWN,):
                seen = self._look(row, name, thoroughly=thoroughly)
                outputs += (_Timing.of(row, line, output) for line, output in seen.outputs)
                if not seen.slower:
                    break
            else:
                if self.alone:
                    return FailureKind.TIME_NOT_CONFIRMED, f"{_name(row)}: {seen.slower}"
                self.slow.append(row)
        if not thoroughly:  # another process of the executable is not worth its time
            outputs = [timing for timing in outputs if timing.who == ANYBODY and self.partner]
        return self._wrong_output(outputs)

    def _look(self, row: Row, name: str, *, thoroughly: bool) -> Look:
        """Look at the clock while a process of the executable repeats calls of a sample."""
        partner = self._answering_partner(row)
        return look(
            self._process(name),
            row,
            self.ticks,
            self.rng,
            partner=partner,
            maker=self._process(CHECKED) if thoroughly else None,
            slowness=partial(self._slowness, partner, row) if partner else None,
            allocates=self.executable.implementation.library,
            alone=self.alone,
            attempts=ATTEMPTS if self.alone and name == OWN else FEW_ATTEMPTS,
        )

    def _slowness(self, partner: Repetition, row: Row) -> float:
        """Return how many times as slow as the partner's code this is, by the other measures that both have."""
        others = [each for each in self.every_row if each["measure"] != row["measure"]]
        shared = [each for each in self._one_of_each_measure(others) if (each["outputs"] or "").startswith(ANYBODY)]
        return max((slowness(each, partner) for each in shared), default=1.0)

    def _some_of_each_point(self, rows: list[Row], most: int) -> list[Row]:
        """Draw samples: a lie about a point pays only if many of its samples tell it."""
        chosen, seen = [], Counter[Point]()
        for row in self.rng.sample(rows, len(rows)):
            seen[point_of(row)] += 1
            if seen[point_of(row)] <= most:
                chosen.append(row)
        return chosen

    def _one_of_each_measure(self, rows: list[Row]) -> list[Row]:
        return list({row["measure"]: row for row in self.rng.sample(rows, len(rows))}.values())

    def _remembers(self, rows: list[Row]) -> Problem | None:
        """Let the executable open what another process has sealed, at the points of these samples."""
        end = self._spent() + self.enough_seconds
        for row in rows:
            if self._spent() >= end:
                break
            if not self._process(OWN).makes_inputs(row):
                continue
            reason = remembers(self._process(OWN), self._process(CHECKED), row, self.ticks, self.rng)
            if reason and self.alone:
                return FailureKind.WRONG_WHEN_TIMED, f"{_name(row)}: {reason}"
            if reason:
                self.remembering.append(row)
        return None


def _no_answer(reason: NoAnswer) -> Problem:
    return FailureKind.WRONG_WHEN_TIMED, f"fails when its timed calls are repeated: {reason}"


@dataclass(frozen=True, kw_only=True)
class _Timing:
    """One timed call, or successive ones, and what they computed."""

    name: str
    who: str  # can compute its output again: ANYBODY, own, or nobody
    output: str  # who and, unless nobody can, the digests
    request: str

    @classmethod
    def drawn(cls, row: Row, rng: random.Random) -> _Timing:
        """Draw a timing of a sample; of short calls several, because asking for them takes longer than they do."""
        who, *digests = (row["outputs"] or "").split(",")
        timings = len(row["series"])
        # An input that the code makes is made once for each line.
        count = 1 if row["inputs"] > 1 else min(timings, max(1, int(SHORT_COUNTS / max(1.0, typical(row)))))
        number = rng.randrange(timings - count + 1)
        output = ",".join([who, *digests[number : number + count]])
        return cls.of(row, request(row, row["first"] + number, count), output)

    @classmethod
    def of(cls, row: Row, line: str, output: str) -> _Timing:
        """Return the call of a line for `repeat`."""
        return cls(name=_name(row), who=output.partition(",")[0], output=output, request=line)


def _first_wrong(outputs: Sequence[str], timings: Sequence[_Timing]) -> _Timing | None:
    """Return the first timing with another output."""
    pairs = zip(timings, outputs, strict=False)
    return next((timing for timing, output in pairs if output != timing.output), None)


def _name(row: Row) -> str:
    lengths = f" length {row['length']}" if row["length"] else ""
    keys = f" keys {row['keys']}" if row["keys"] > 1 else ""
    return f"{row['measure']}{lengths}{keys}"
