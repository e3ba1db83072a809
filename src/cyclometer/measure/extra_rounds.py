# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which executables need extra rounds: those with cells that were undisturbed in fewer than half of the rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cyclometer.measure.noise_floor import undisturbed
from cyclometer.measure.schedule import Job
from cyclometer.records.grid import POINT, Point
from cyclometer.records.run import EMPTY, Batch
from cyclometer.records.tuning import Tuning


class QuietCoverage:
    """Counts, for each cell, the rounds with an undisturbed sample."""

    def __init__(self) -> None:
        self._jobs: dict[str, Job] = {}  # the last one of each executable
        self._rounds: dict[str, dict[Point, list[bool]]] = {}  # of each cell: whether a sample was undisturbed

    def add(self, job: Job, batch: Batch, noise_floor: float) -> None:
        """Add the samples of a job, judged by this noise floor (load/chain; 0: not known yet)."""
        points = zip(*(batch.table[name].tolist() for name in POINT), strict=True)
        quiet: dict[Point, bool] = {}
        for point, is_quiet in zip(points, undisturbed(batch.table, noise_floor).tolist(), strict=True):
            if point[0] != EMPTY:
                quiet[point] = is_quiet or quiet.get(point, False)
        name = _name(job)
        self._jobs[name] = job
        cells = self._rounds.setdefault(name, {})
        for point, is_quiet in quiet.items():
            cells.setdefault(point, []).append(is_quiet)

    def forget(self, subject: Tuning) -> None:
        """Forget the rounds of a tuning, which gets no more."""
        self._jobs = {name: job for name, job in self._jobs.items() if job.executable.subject != subject}
        self._rounds = {name: cells for name, cells in self._rounds.items() if name in self._jobs}

    @property
    def jobs(self) -> list[Job]:
        """The last job of each executable."""
        return list(self._jobs.values())

    def short_of_quiet_rounds(self) -> list[Job]:
        """Return the last job of each executable with cells that lack undisturbed rounds, most of them first."""
        short = {name: _short(cells) for name, cells in self._rounds.items()}
        order = sorted(short, key=lambda name: -short[name])
        return [self._jobs[name] for name in order if short[name]]


def _name(job: Job) -> str:
    return f"{job.executable.subject} {job.control}"


def _short(cells: Mapping[Point, Sequence[bool]]) -> int:
    """Count the cells that were undisturbed in fewer than half of their rounds."""
    return sum(2 * sum(rounds) < len(rounds) for rounds in cells.values())
