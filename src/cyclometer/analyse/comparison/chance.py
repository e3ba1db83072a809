# SPDX-License-Identifier: MIT OR Apache-2.0
"""By how much two sides may differ by chance: as much as the A/A control does, and between two runs as these do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from cyclometer.analyse.comparison.sides import Side, point_key, same_run
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.records.rounds import Rounds


@dataclass(frozen=True, kw_only=True)
class Chance:
    """By how much a measure of two sides may differ by chance, as ratios minus 1."""

    spread: float | None  # of the A/A control, the larger one of two runs; None: there is no control
    run_to_run: float  # of two runs as far apart as earlier ones; 0: both sides are of one run, or it is not known

    @property
    def whole(self) -> float:
        """The larger of both."""
        return max(self.spread or 0.0, self.run_to_run)


def chance(
    source: SampleSource,
    sides: tuple[Side, Side],
    measure: str,
    points: Sequence[tuple[Rounds, Rounds]],
) -> Chance:
    """Return by how much a measure of two sides may differ at these points. Needs `prepare`.

    The A/A spread is that of all cells if most points are disturbed.
    """
    disturbed = 2 * sum(one.disturbed or other.disturbed for one, other in points) > len(points)
    spreads: list[float] = []
    for info in {(side.info.run, side.info.machine): side.info for side in sides}.values():
        scope = Scope(operation=sides[0].subject.operation, infos=(info,))
        if spread := source.spreads(scope).get((info.machine, measure)):
            spreads.append(spread.every if disturbed else spread.quiet)
    between = [0.0]
    if not same_run(sides):
        between += [_run_to_run(source.connection, *own) for own in zip(sides, zip(*points, strict=True), strict=True)]
    return Chance(spread=max(spreads, default=None), run_to_run=max(between))


def _run_to_run(connection: duckdb.DuckDBPyConnection, side: Side, points: Iterable[Rounds]) -> float:
    """Return how far two runs of a side may lie apart, as a ratio minus 1 at the median point; 0 if that is unknown."""
    query = f"SELECT measure, {', '.join(VARIABLES)}, reach FROM run_to_run WHERE {side.sql()}"
    reaches = {tuple(point): reach for *point, reach in connection.execute(query).fetchall()}
    parts = [
        reaches[point_key(point)] / cycles
        for point in points
        if point_key(point) in reaches and (cycles := float(np.median(point.headlines))) > 0
    ]
    return math.sqrt(2) * float(np.median(parts)) if parts else 0.0
