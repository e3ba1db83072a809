# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs jobs, each in one process."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import replace

from cyclometer.measure.pipeline import ProcessPipeline
from cyclometer.measure.process import Measured, NotTimed, Request
from cyclometer.measure.schedule import MAX_ROUNDS, Job, Plan
from cyclometer.records.failure import UNTRUE, Failure
from cyclometer.records.run import SERIES_TIMINGS
from cyclometer.records.tuning import Tuning

LEAST_TIMINGS = 3
"""Of a series, however slow the calls are."""

MORE, LEAST_SECONDS = 1 / 4, 1.0
"""What measures have together, as a share of the time limit, after one that used it up; and each of them at least."""


class Runner:
    """Runs jobs. A measure that failed is left out of the later jobs of that executable; all are if it lied."""

    def __init__(self, plan: Plan, pipeline: ProcessPipeline) -> None:
        self.plan, self.pipeline = plan, pipeline
        self._failed: dict[Tuning, set[str]] = defaultdict(set)  # measures
        self._spent: dict[tuple[Tuning, bool], float] = defaultdict(float)  # seconds, the A/A control's apart

    def over_budget(self, job: Job) -> bool:
        """Return whether the job's executable has used up its share of the measuring time."""
        if self.plan.share is None:
            return False
        return self.spent(job) > (self.plan.share if job.round >= MAX_ROUNDS else self.plan.most)

    def spent(self, job: Job) -> float:
        """Return the seconds of measuring that the job's executable has taken, the A/A control's apart."""
        return self._spent[job.executable.subject, job.control]

    def _timings(self, job: Job) -> int:
        """Return the timings of a series: fewer if the executable would use up its share in fewer than MAX_ROUNDS.

        Few timings in three processes say more than many in one: neighbours disturb a process as a whole.
        """
        spent = self.spent(job)
        if self.plan.share is None or not spent or not 0 < job.round < MAX_ROUNDS:
            return SERIES_TIMINGS
        affordable = (self.plan.share - spent) / (MAX_ROUNDS - job.round) / (spent / job.round)
        return max(LEAST_TIMINGS, min(SERIES_TIMINGS, int(affordable * SERIES_TIMINGS)))

    def leave_out(self, subject: Tuning) -> None:
        """Run no further job of an executable."""
        self._failed[subject] |= {_measure(line) for line in self.plan.grid_of(subject)}

    def run(self, job: Job, following: Job | None = None) -> tuple[Measured | None, list[Failure]]:
        """Return the samples of the measures that worked, if any, and the failures of the others.

        The process of the job that will follow is started meanwhile.
        """
        start = time.monotonic()
        result = self._run(job, following)
        self._spent[job.executable.subject, job.control] += time.monotonic() - start
        return result

    def _run(self, job: Job, following: Job | None) -> tuple[Measured | None, list[Failure]]:
        subject = job.executable.subject
        failures: list[Failure] = []
        failed = self._failed[subject]
        then = self._request(following) if following else None
        if then and not then.grid:
            then = None
        request, deadline = self._request(job), time.monotonic() + self.plan.seconds
        while request.grid:
            result = self.pipeline.run(request, then)
            if not isinstance(result, NotTimed):
                return result, failures
            if not failures:
                deadline = max(deadline, time.monotonic() + MORE * self.plan.seconds)
            failures.append(result.failure)
            measures = {_measure(line) for line in request.grid}
            one = set() if result.failure.kind in UNTRUE else {result.measure} & measures
            failed |= one or measures
            request = replace(self._request(job), seconds=max(deadline - time.monotonic(), LEAST_SECONDS))
        return None, failures

    def _request(self, job: Job) -> Request:
        """Return what its process measures: all that has not failed yet."""
        subject = job.executable.subject
        return Request(
            executable=job.executable,
            grid=tuple(line for line in self.plan.grid_of(subject) if _measure(line) not in self._failed[subject]),
            seed=job.seed,
            input_seed=self.plan.input_seed + job.round,
            patience_ms=self.plan.patience_ms,
            seconds=self.plan.seconds,
            timings=self._timings(job),
            varying_ms=self.plan.varying_ms,
            layout=job.layout,
        )


def _measure(line: str) -> str:
    """Return the measure that a grid line names."""
    return line.split(maxsplit=1)[0]
