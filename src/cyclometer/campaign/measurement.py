# SPDX-License-Identifier: MIT OR Apache-2.0
"""Takes the samples of a run: the planned rounds, then extra ones for what was disturbed or varies."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from cyclometer import host
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.independent import IndependentBuilder
from cyclometer.campaign.options import Progress
from cyclometer.execute.beside import Beside
from cyclometer.measure import Confirmer, Job, Plan, Precision, QuietCoverage, Runner, next_round, with_run_columns
from cyclometer.records.failure import UNTRUE
from cyclometer.records.run import SHARED_CORE, Batch
from cyclometer.store import RunWriter

PRECISE = 0.0015  # standard error of a cell, relative: two that differ by one per cent are then told apart
PRECISE_SECONDS = 4.0


class Measurement:
    """Runs jobs and stores their samples. Jobs that are stored already are not run again.

    The samples of a process are stored while the next one is measured, on a core that does not disturb it.
    """

    def __init__(self, environment: Environment, plan: Plan, writer: RunWriter, progress: Progress) -> None:
        self.plan, self.writer, self.progress = plan, writer, progress
        counter = environment.counter
        confirm = Confirmer(environment.ticks, IndependentBuilder(environment).partner, plan.sessions)
        self.runner = Runner(plan, environment.core, environment.noise_floor, counter.dither_cycles, confirm)
        self.coverage, self.precision = QuietCoverage(), Precision()
        self._seconds = 0.0  # that the planned rounds took
        self._beside, self._being_stored = Beside([]), ""

    def planned_rounds(self, jobs: Sequence[Job]) -> None:
        """Run the jobs that are not stored yet, and store the noise floor that they showed."""
        start = time.monotonic()
        waiting = [job for job in jobs if not self.writer.has(job.name)]
        with self._measuring(), self.progress.stage("measuring", len(waiting)) as step:
            for job in waiting:
                if not self.runner.over_budget(job):
                    self._run(job)
                step()
        counter = {**self.writer.info.counter, "quiet_ratio": self.runner.noise_floor.value}
        self.writer.update(counter=counter)
        self._seconds = time.monotonic() - start

    def extra_rounds(self) -> None:
        """Run more rounds of what was disturbed, for at most the plan's share of the time the planned ones took."""
        seconds = self.plan.more * self._seconds
        if not seconds or not self._short_of_quiet_rounds():
            return
        self._run_for(seconds, "measuring again what was disturbed", self._extra_jobs())

    def more_rounds(self, jobs: Sequence[Job]) -> None:
        """Run the jobs that are not stored yet, whole pairs of rounds, until all cells are known precisely.

        At most for PRECISE_SECONDS.
        """
        if self.precision.error > PRECISE:
            waiting = [job for job in jobs if not self.writer.has(job.name)]
            self._run_for(PRECISE_SECONDS, "measuring what varies", self._until_precise(waiting))

    def _until_precise(self, jobs: Sequence[Job]) -> Iterator[Job]:
        for _, together in itertools.groupby(jobs, lambda job: job.round // 2):
            if self.precision.error <= PRECISE:
                return
            yield from together

    def _run_for(self, seconds: float, title: str, jobs: Iterator[Job]) -> None:
        """Run jobs until there are no more or the time is over."""
        start, shown = time.monotonic(), 0
        with self._measuring(), self.progress.stage(f"{title} (% of its time limit)", 100) as step:
            for job in jobs:
                self._run(job)
                spent = min(100, int(100 * (time.monotonic() - start) / seconds))
                for _ in range(shown, spent):
                    step()
                shown = spent
                if shown == 100:
                    return

    @contextmanager
    def _measuring(self) -> Iterator[None]:
        """Store all samples at the end; mark the run if another one measured on the same core meanwhile."""
        core = self.runner.core
        with host.measuring_on(core) as others, Beside(host.cores_beside(core)) as self._beside:
            yield
        if others:
            processes = f"process {', '.join(map(str, others))}"
            self.writer.update(facts={**self.writer.info.facts, SHARED_CORE: processes})

    def _extra_jobs(self) -> Iterator[Job]:
        """Yield the next round of everything short of quiet rounds, and again while anything is."""
        while wanted := self._short_of_quiet_rounds():
            for job in wanted:
                extra = next_round(job)
                while extra.name == self._being_stored or self.writer.has(extra.name):
                    extra = next_round(extra)
                yield extra

    def _short_of_quiet_rounds(self) -> list[Job]:
        return [job for job in self.coverage.short_of_quiet_rounds() if not self.runner.over_budget(job)]

    def _run(self, job: Job) -> None:
        batch, failures = self.runner.run(job)
        self._beside.wait()
        if failures:
            self.writer.add_failures(failures)
        if any(failure.kind in UNTRUE for failure in failures):
            self.writer.remove_samples(job.executable.subject)
            self.coverage.forget(job.executable.subject)
        if batch:
            self.coverage.add(job, batch, self.runner.noise_floor.value)
            self.precision.add(job, batch)
            self._being_stored = job.name
            self._beside.begin(lambda: self._store(job.name, batch))

    def _store(self, name: str, batch: Batch) -> None:
        info = self.writer.info
        self.writer.add_samples(name, with_run_columns(batch, info.run, info.machine))
