# SPDX-License-Identifier: MIT OR Apache-2.0
"""What has been confirmed of each program, now or by an earlier campaign: only what is much faster is worth a lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from cyclometer.measure.own_clock import LIMIT, SLACK_COUNTS, typical
from cyclometer.measure.repeat import Row, Ticks
from cyclometer.records.columns import Columns
from cyclometer.records.executable import Executable
from cyclometer.records.grid import POINT, Point

Earlier = Callable[[Executable], Mapping[Point, float]]
"""Returns the least cycles that earlier campaigns have confirmed of each point."""


class ConfirmedTimings:
    """The fastest timings that have been confirmed, by program and point; each is typical of a series."""

    def __init__(self, ticks: Ticks, earlier: Earlier) -> None:
        self._ticks, self._earlier = ticks, earlier
        self._fastest: dict[Path, dict[Point, float]] = {}

    def open(self, executable: Executable) -> None:
        """Begin with what earlier campaigns have confirmed, in counter units without the overhead of a timing."""
        unit = self._ticks.chain / self._ticks.chain_cycles if self._ticks.chain_cycles else 0.0
        earlier = self._earlier(executable) if unit else {}
        self._fastest[executable.path] = {point: cycles * unit for point, cycles in earlier.items()}

    def add(self, path: Path, rows: list[Row]) -> None:
        """Add samples that have been confirmed."""
        fastest = self._fastest.setdefault(path, {})
        for row in rows:
            fastest[point_of(row)] = min(typical(row), fastest.get(point_of(row), float("inf")))

    def unknown(self, path: Path, rows: list[Row]) -> list[Row]:
        """Return the samples of points of which nothing has been confirmed."""
        return [row for row in rows if point_of(row) not in self._fastest[path]]

    def much_faster(self, path: Path, rows: list[Row]) -> list[Row]:
        """Return the samples that are much faster than what has been confirmed."""
        return [row for row in rows if self._is_much_faster(path, point_of(row), typical(row))]

    def may_be_much_faster(self, path: Path, samples: Columns) -> bool:
        """Return whether a single timing is much faster than what has been confirmed: otherwise no sample is."""
        points = zip(*(samples[name].tolist() for name in POINT), strict=True)
        shortest = map(np.min, samples["series"])
        return any(self._is_much_faster(path, point, units) for point, units in zip(points, shortest, strict=True))

    def _is_much_faster(self, path: Path, point: Point, units: float) -> bool:
        return LIMIT * units + SLACK_COUNTS + self._ticks.step < self._fastest.get(path, {}).get(point, 0.0)


def point_of(row: Row) -> Point:
    return tuple(row[name] for name in POINT)
