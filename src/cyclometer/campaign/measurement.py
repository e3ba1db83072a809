# SPDX-License-Identifier: MIT OR Apache-2.0
"""Takes the samples of a run: the planned rounds, then extra ones for what was disturbed or varies."""

from __future__ import annotations

import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from cyclometer.campaign.earlier_runs import RunCosts, earlier_runs
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.independent import IndependentBuilder
from cyclometer.campaign.options import Progress
from cyclometer.campaign.shared_core import noting_other_processes
from cyclometer.execute.beside import Beside
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import (
    Confirmer,
    Doubt,
    Job,
    Measured,
    Plan,
    Precision,
    QuietCoverage,
    Runner,
    next_round,
    with_run_columns,
)
from cyclometer.records.failure import UNTRUE, Failure
from cyclometer.records.run import Batch
from cyclometer.records.tuning import Tuning
from cyclometer.store import RunWriter

PATIENCE = 60.0
"""Seconds that samples may wait to be confirmed and stored before the next process waits for them.

Those that wait when a run is killed are measured again by `--resume`.
"""

PRECISE = 0.002  # standard error of a cell, relative: two that differ by one per cent are then told apart
PRECISE_SECONDS = 3.5


class Measurement:
    """Runs jobs and stores their samples. Jobs that are stored already are not run again.

    The samples of a process are confirmed and stored while the next ones are measured, on a core that does not disturb
    them.
    """

    def __init__(
        self,
        environment: Environment,
        plan: Plan,
        writer: RunWriter,
        progress: Progress,
        precision: Precision | None = None,
    ) -> None:
        """`precision` learns from every round, where more rounds may depend on it."""
        self.plan, self.writer, self.progress = plan, writer, progress
        self.cores, counter = environment.beside, environment.counter
        partner = IndependentBuilder(environment).partner
        earlier = earlier_runs(environment).fastest
        self.confirmer = Confirmer(environment.ticks, partner, plan.sessions, plan.confirm_seconds, earlier)
        self._pipeline = environment.pipeline
        self.runner = Runner(plan, self._pipeline)
        self.coverage, self.precision, self.costs = QuietCoverage(), precision, RunCosts(counter)
        self._seconds = 0.0  # that the planned rounds took
        self._beside = Beside([])
        self._waiting: deque[_Part] = deque()  # for their verdict
        self._storing = Lock()
        self._untrue: set[Tuning] = set()

    def planned_rounds(self, jobs: Sequence[Job], meanwhile: Callable[[], None] = lambda: None) -> None:
        """Run the jobs that are not stored yet, and store the noise floor that they showed.

        `meanwhile` is done beside them, or before them if no core is apart; it must not touch the writer.
        """
        start = time.monotonic()
        waiting = [job for job in jobs if not self.writer.has(job.name)]
        stage, background = self.progress.stage("measuring", len(waiting)), Beside(self.cores)
        with stage as step, background, self._measuring():
            background.begin(meanwhile)
            for job, following in self._affordable(waiting, step):
                self._run(job, following)
        counter = {**self.writer.info.counter, "quiet_ratio": self._pipeline.noise_floor.value}
        self.writer.update(counter=counter)
        self._seconds = time.monotonic() - start

    def _affordable(self, jobs: Sequence[Job], step: Callable[[], None]) -> Iterator[tuple[Job, Job | None]]:
        """Yield each job whose executable is not over its budget, and the one that will follow."""
        for number, job in enumerate(jobs):
            if not self.runner.over_budget(job):
                yield job, next((each for each in jobs[number + 1 :] if not self.runner.over_budget(each)), None)
            step()

    def extra_rounds(self) -> None:
        """Run more rounds of what was disturbed or varies, for the plan's share of the time of the planned ones."""
        seconds = self.plan.more * self._seconds
        if not seconds or not self._short_of_rounds():
            return
        self._run_for(seconds, "measuring again what was disturbed or varies", self._extra_jobs())

    def more_rounds(self, jobs: Sequence[Job]) -> None:
        """Run the jobs that are not stored yet, whole pairs of rounds, until all cells are known precisely.

        At most for PRECISE_SECONDS.
        """
        if not self._is_precise():
            waiting = [job for job in jobs if not self.writer.has(job.name)]
            self._run_for(PRECISE_SECONDS, "measuring what varies", self._until_precise(waiting))

    def _until_precise(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Job | None]]:
        for _, together in itertools.groupby(jobs, lambda job: job.round // 2):
            if self._is_precise():
                return
            yield from _with_following(list(together))

    def _is_precise(self) -> bool:
        return not self.precision or self.precision.error <= PRECISE

    def _run_for(self, seconds: float, title: str, jobs: Iterator[tuple[Job, Job | None]]) -> None:
        """Run jobs until there are no more or the time is over. Each comes with the one that follows, if known."""
        start, shown = time.monotonic(), 0
        with self.progress.stage(f"{title} (% of its time limit)", 100) as step, self._measuring():
            for job, following in jobs:
                self._run(job, following)
                spent = min(100, int(100 * (time.monotonic() - start) / seconds))
                for _ in range(shown, spent):
                    step()
                shown = spent
                if shown == 100:
                    return

    @contextmanager
    def _measuring(self) -> Iterator[None]:
        """Store all samples at the end; mark the run if another one measured on the same core meanwhile."""
        shared = noting_other_processes(self._pipeline.core, self.writer)
        with shared, Beside(self.cores, PATIENCE) as self._beside:
            try:
                yield
            finally:
                self._pipeline.drop()
            self._confirm_the_rest()
            self._heed()

    def _extra_jobs(self) -> Iterator[tuple[Job, Job | None]]:
        """Yield the next round of everything that is short of rounds, and again while anything is.

        What could not be measured again is not tried twice.
        """
        tried: set[str] = set()
        while wanted := [job for job in map(self._next_unused, self._short_of_rounds()) if job.name not in tried]:
            tried.update(job.name for job in wanted)
            yield from _with_following(wanted)
            self._confirm_the_rest()  # what varies is known of what is confirmed
            self._heed()

    def _next_unused(self, job: Job) -> Job:
        """Return the first of the job's next rounds that is not stored yet."""
        job = next_round(job)
        while self.writer.has(job.name):
            job = next_round(job)
        return job

    def _short_of_rounds(self) -> list[Job]:
        """Return the last job of each executable with cells that are short of quiet rounds, then of those that vary.

        Of the first, those with the most cells come first. Of the others it is the half that settles the most cells in
        a second, so that a slow executable waits until fast ones have had several rounds.
        """
        disturbed = [job for job in self.coverage.short_of_quiet_rounds() if not self.runner.over_budget(job)]
        first = {job.name for job in disturbed}
        others = [job for job in self.coverage.jobs if job.name not in first and not self.runner.over_budget(job)]
        rates = [(self._varying(job) / self.runner.spent(job), job) for job in others]
        varying = [job for rate, job in sorted(rates, key=lambda pair: -pair[0]) if rate]
        return disturbed + varying[: math.ceil(len(varying) / 2)]

    def _varying(self, job: Job) -> int:
        return 0 if job.control else self.costs.varying(job.executable.subject, self.plan.most_rounds)

    def _run(self, job: Job, following: Job | None = None) -> None:
        measured, failures = self.runner.run(job, following)
        self._note(failures)
        if measured and job.executable.subject not in self._untrue:
            part = _Part(job=job, measured=measured)
            self.coverage.add(job, part.batch, self._pipeline.noise_floor.value)
            if self.precision:
                self.precision.add(job, part.batch)
            self._waiting.append(part)
            self._beside.begin(lambda: self._confirm(part))
        self._heed()

    def _note(self, failures: Sequence[Failure]) -> None:
        """Store failures; if one shows that an executable lies, remove all that was stored of it."""
        if not failures:
            return
        with self._storing:
            self.writer.add_failures(failures)
            for failure in failures:
                if failure.kind in UNTRUE:
                    self._untrue.add(failure.subject)
                    self.writer.remove_samples(failure.subject)
                    self.coverage.forget(failure.subject)
                    self.costs.forget(failure.subject)
                    self.runner.leave_out(failure.subject)

    def _confirm_the_rest(self) -> None:
        """Confirm what waits, several executables at a time, as nothing is measured any more."""
        self._beside.drop()
        self._beside.wait()
        left: dict[Tuning, list[_Part]] = {}
        for part in self._waiting:
            if not part.has_verdict:
                left.setdefault(part.subject, []).append(part)
        on_all_cores(self._confirm_each, list(left.values()))

    def _confirm_each(self, parts: Sequence[_Part]) -> None:
        """Confirm what was measured of one executable, in order: later samples are compared with the first ones."""
        for part in parts:
            self._confirm(part)

    def _confirm(self, part: _Part) -> None:
        """Confirm samples, and store what is confirmed."""
        if part.subject not in self._untrue:
            part.verdict = self.confirmer(part.measured, alone=not self._beside.is_apart)
        if not part.verdict:
            self._store(part)
        part.has_verdict = True

    def _heed(self) -> None:
        """Act on the verdicts that are there."""
        while self._waiting and self._waiting[0].has_verdict:
            part = self._waiting.popleft()
            verdict = part.verdict
            if isinstance(verdict, Doubt):
                self._pipeline.drop()
                with self._beside.paused():
                    verdict = self.confirmer.settle(verdict)
                if not verdict:
                    self._store(part)
            if verdict and part.subject not in self._untrue:
                self._pipeline.noise_floor.forget(part.measured.samples)
                self._note([verdict])

    def _store(self, part: _Part) -> None:
        info = self.writer.info
        with self._storing:
            if part.subject not in self._untrue:
                self.writer.add_samples(part.job.name, with_run_columns(part.batch, info.run, info.machine))
                if not part.job.control:
                    self.costs.add(part.measured, self._pipeline.noise_floor.value)


def _with_following(jobs: Sequence[Job]) -> Iterator[tuple[Job, Job | None]]:
    """Yield each job and the one that follows it."""
    return itertools.zip_longest(jobs, jobs[1:])


@dataclass(kw_only=True)
class _Part:
    """What a job has measured, and the verdict on it."""

    job: Job
    measured: Measured
    verdict: Failure | Doubt | None = None
    has_verdict: bool = False

    @property
    def subject(self) -> Tuning:
        return self.job.executable.subject

    @property
    def batch(self) -> Batch:
        return Batch(
            subject=self.subject,
            control=self.job.control,
            round=self.job.round,
            chain_cycles=self.measured.chain_cycles,
            table=self.measured.samples,
            layout=self.measured.layout,
        )
