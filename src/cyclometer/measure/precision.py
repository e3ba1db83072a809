# SPDX-License-Identifier: MIT OR Apache-2.0
"""How well the cells of a few executables are known after some rounds."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict

import numpy as np

from cyclometer.measure.schedule import Job
from cyclometer.records.grid import POINT
from cyclometer.records.run import CALIBRATION, EMPTY, Batch

MOST_CELLS = 16  # of an executable; the errors of more cells are never judged
OF_MEDIAN = 1.25  # times the standard error of a mean is that of a median


class Precision:
    """Collects the cost of each cell in each round, relative to the chain beside it."""

    def __init__(self) -> None:
        self._rounds: dict[tuple[object, ...], list[float]] = defaultdict(list)

    def add(self, job: Job, batch: Batch) -> None:
        """Add a round."""
        if job.executable.subject.operation == CALIBRATION:
            return
        costs: dict[tuple[object, ...], list[float]] = defaultdict(list)
        chains = np.minimum(batch.table["chain_before"], batch.table["chain_after"]).tolist()
        points = zip(*(batch.table[name].tolist() for name in POINT), strict=True)
        for point, series, chain in zip(points, batch.table["series"], chains, strict=True):
            if point[0] != EMPTY and chain > 0:
                costs[point].append(float(np.median(series)) / chain)
        for point, values in costs.items():
            self._rounds[str(job.executable.subject), job.control, *point].append(statistics.fmean(values))

    @property
    def error(self) -> float:
        """The largest standard error of a cell's median, relative; 0 if there are too many cells to say."""
        if len(self._rounds) > MOST_CELLS * len({name[:2] for name in self._rounds}):
            return 0.0
        return max(map(_error, self._rounds.values()), default=0.0)


def _error(values: list[float]) -> float:
    """Return the relative standard error of the median of a few rounds."""
    if len(values) < 2:
        return math.inf
    return OF_MEDIAN * statistics.stdev(values) / math.sqrt(len(values)) / (statistics.median(values) or math.inf)
