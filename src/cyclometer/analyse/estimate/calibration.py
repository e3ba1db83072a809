# SPDX-License-Identifier: MIT OR Apache-2.0
"""The error of the numbers: what was measured of code whose cost is known by construction, less that cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import duckdb

from cyclometer.analyse.estimate.cells import cells, summarise
from cyclometer.analyse.estimate.comparability import Scope, one_of
from cyclometer.records.run import CALIBRATION
from cyclometer.records.table import Calibration

TOLERANCE, RELATIVE_TOLERANCE = 3.0, 0.01
"""A calibration fails if a number is off by more than so many core cycles and by more than this part of the truth."""


@dataclass(frozen=True, kw_only=True)
class CalibrationPoint:
    """One piece of code of known cost, in core cycles."""

    measure: str  # chain, or call: the chain within a function, which takes a call and a return more
    true: int
    measured: float
    interval: tuple[float, float] | None
    disturbed: bool

    @property
    def error(self) -> float:
        """How much too high the number is, in core cycles."""
        return self.measured - self.true

    @property
    def severity(self) -> float:
        """The error as a multiple of what is tolerated."""
        return abs(self.error) / max(TOLERANCE, RELATIVE_TOLERANCE * self.true)


def calibration_points(connection: duckdb.DuckDBPyConnection, where: str = "true") -> list[CalibrationPoint]:
    """Return the calibration of the runs that meet `where`, by measure and cost. Needs `prepare`.

    Values below 0 are 0, as in tables: nothing between two counter reads takes less than the overhead of any code.
    """
    table = summarise(connection, f"operation = '{CALIBRATION}' AND ({where})", clamped=False)
    return [
        CalibrationPoint(
            measure=cell.measure,
            true=cell.variables["length"],
            measured=max(0.0, cell.cycles),
            interval=cell.interval,
            disturbed=cell.disturbed,
        )
        for cell in cells(table)
    ]


def calibration_of(connection: duckdb.DuckDBPyConnection, scope: Scope, machine: str) -> Calibration | None:
    """Return the calibration of a machine's runs; None if they have none, or if their unit is not core cycles."""
    runs = one_of("run", [info.run for info in scope.infos if info.machine == machine])
    return summary(calibration_points(connection, f"{runs} AND {one_of('machine', [machine])}"))


def summary(points: Iterable[CalibrationPoint]) -> Calibration | None:
    """Return the worst error of the chains that were not disturbed, or of all if all were."""
    chains = [point for point in points if point.measure == "chain"]
    judged = [point for point in chains if not point.disturbed] or chains
    return _worst(judged) if judged else None


def _worst(points: Sequence[CalibrationPoint]) -> Calibration:
    worst = max(points, key=lambda point: point.severity)
    return Calibration(
        error=worst.error,
        true=worst.true,
        up_to=max(point.true for point in points),
        fails=worst.severity > 1,
        disturbed=all(point.disturbed for point in points),
    )
