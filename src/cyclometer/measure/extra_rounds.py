# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which executables deserve another round: those with things measured that had too few quiet moments."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cyclometer.measure.noise_floor import undisturbed
from cyclometer.measure.schedule import Job
from cyclometer.records.run import Batch

CELL = ["measure", "length", "ad_length", "keys", "alignment"]


class QuietCoverage:
    """How often each thing measured was found quiet, turn by turn."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[Job, list[pa.Table]]] = {}

    def add(self, turn: Job, batch: Batch, quiet: float) -> None:
        """What a turn gave, seen at this level of load/chain (0: not known)."""
        found = batch.table.select(CELL).append_column(
            "calm", pa.array(undisturbed(batch.table, quiet).astype(np.int8))
        )
        found = found.filter(pc.field("measure") != "empty")
        tables = self._found.get(_name(turn), (turn, []))[1]
        self._found[_name(turn)] = turn, [*tables, found.group_by(CELL).aggregate([("calm", "max")])]

    def short_of_quiet_rounds(self) -> list[Job]:
        """The last turn of each executable of which some thing was quiet in fewer than half of its rounds;
        those that lack most come first."""
        lacking = {name: _lacking(tables) for name, (_, tables) in self._found.items()}
        return [self._found[name][0] for name in sorted(lacking, key=lambda name: -lacking[name]) if lacking[name]]


def _name(turn: Job) -> str:
    return f"{turn.executable.subject} {turn.control}"


def _lacking(tables: list[pa.Table]) -> int:
    """Things that were quiet in fewer than half of these rounds."""
    rounds = pa.concat_tables(tables).group_by(CELL).aggregate([("calm_max", "sum"), ("calm_max", "count")])
    return int((2 * rounds["calm_max_sum"].to_numpy() < rounds["calm_max_count"].to_numpy()).sum())
