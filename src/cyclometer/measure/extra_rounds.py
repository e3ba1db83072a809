# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which executables need extra rounds: those with cells that were undisturbed in fewer than half of the rounds."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cyclometer.measure.noise_floor import undisturbed
from cyclometer.measure.schedule import Job
from cyclometer.records.grid import POINT
from cyclometer.records.run import Batch
from cyclometer.records.tuning import Tuning


class QuietCoverage:
    """Counts, for each cell, the rounds with an undisturbed sample."""

    def __init__(self) -> None:
        self._rounds: dict[str, tuple[Job, list[pa.Table]]] = {}  # the last job and one table per round

    def add(self, job: Job, batch: Batch, noise_floor: float) -> None:
        """Add the samples of a job, judged by this noise floor (load/chain; 0: not known yet)."""
        mask = pa.array(undisturbed(batch.table, noise_floor).astype(np.int8))
        samples = batch.table.select([*POINT]).append_column("undisturbed", mask)
        cells = samples.filter(pc.field("measure") != "empty").group_by([*POINT]).aggregate([("undisturbed", "max")])
        tables = self._rounds.get(_name(job), (job, []))[1]
        self._rounds[_name(job)] = job, [*tables, cells]

    def forget(self, subject: Tuning) -> None:
        """Forget the rounds of a tuning, which gets no more."""
        self._rounds = {name: seen for name, seen in self._rounds.items() if seen[0].executable.subject != subject}

    def short_of_quiet_rounds(self) -> list[Job]:
        """Return the last job of each executable with disturbed cells, the one with most of them first.

        A cell counts as disturbed if fewer than half of its rounds have an undisturbed sample.
        """
        disturbed = {name: _disturbed_cells(tables) for name, (_, tables) in self._rounds.items()}
        order = sorted(disturbed, key=lambda name: -disturbed[name])
        return [self._rounds[name][0] for name in order if disturbed[name]]


def _name(job: Job) -> str:
    return f"{job.executable.subject} {job.control}"


def _disturbed_cells(tables: list[pa.Table]) -> int:
    """Count the cells that were undisturbed in fewer than half of these rounds."""
    cells = pa.concat_tables(tables).group_by([*POINT])
    rounds = cells.aggregate([("undisturbed_max", "sum"), ("undisturbed_max", "count")])
    return int((2 * rounds["undisturbed_max_sum"].to_numpy() < rounds["undisturbed_max_count"].to_numpy()).sum())
