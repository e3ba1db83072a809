# SPDX-License-Identifier: MIT OR Apache-2.0
"""By how much two sides may differ by chance: as much as the A/A control does, and between two runs as these do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import duckdb
import numpy as np

from cyclometer.analyse.comparison.sides import Side, point_key, same_run
from cyclometer.analyse.estimate.aa_control import control_spreads
from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.records.rounds import Rounds


def chance(
    connection: duckdb.DuckDBPyConnection,
    sides: tuple[Side, Side],
    measure: str,
    points: Sequence[tuple[Rounds, Rounds]],
) -> float | None:
    """Return by how much a measure of two sides may differ at these points, as a ratio minus 1; None if unknown.

    It is the larger A/A spread of their runs, that of all cells if most points are disturbed. Two runs may also lie as
    far apart as earlier runs of the same program did. Needs `prepare`.
    """
    disturbed = 2 * sum(one.disturbed or other.disturbed for one, other in points) > len(points)
    known: list[float] = []
    for info in {(side.info.run, side.info.machine): side.info for side in sides}.values():
        scope = Scope(operation=sides[0].subject.operation, infos=(info,))
        if spread := control_spreads(connection, scope).get((info.machine, measure)):
            known.append(spread.every if disturbed else spread.quiet)
    if not same_run(sides):
        for side, own in zip(sides, zip(*points, strict=True), strict=True):
            known += _run_to_run(connection, side, own)
    return max(known, default=None)


def _run_to_run(connection: duckdb.DuckDBPyConnection, side: Side, points: Iterable[Rounds]) -> list[float]:
    """Return how far two runs of a side lie apart, as a ratio minus 1 at the median point; nothing if unknown."""
    query = f"SELECT measure, {', '.join(VARIABLES)}, reach FROM run_to_run WHERE {side.sql()}"
    reaches = {tuple(point): reach for *point, reach in connection.execute(query).fetchall()}
    parts = [
        reaches[point_key(point)] / cycles
        for point in points
        if point_key(point) in reaches and (cycles := float(np.median(point.headlines))) > 0
    ]
    return [math.sqrt(2) * float(np.median(parts))] if parts else []
