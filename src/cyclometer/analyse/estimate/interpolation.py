# SPDX-License-Identifier: MIT OR Apache-2.0
"""What lies between two measured lengths: a straight line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from cyclometer.analyse.estimate.cells import Cell
from cyclometer.analyse.estimate.measurement_index import Points
from cyclometer.records.grid import Point

Part = tuple[Point, float]
"""A measured point and its share of another one."""


def shares(measured: Sequence[int], wanted: int) -> tuple[tuple[int, float], ...]:
    """Return the measured values (ascending) that make up the wanted one, with their shares; () outside of them."""
    upper = bisect_left(measured, wanted)
    if upper < len(measured) and measured[upper] == wanted:
        return ((wanted, 1.0),)
    if upper in (0, len(measured)):
        return ()
    below, above = measured[upper - 1], measured[upper]
    part = (wanted - below) / (above - below)
    return ((below, 1 - part), (above, part))


class Lines:
    """The lengths at which each measure was taken, by the other variables of a point."""

    def __init__(self, points: Points) -> None:
        self._measured = points
        self._lengths: dict[Point, list[int]] = {}
        for measure, rows in points.items():
            for length, *others in rows.tolist():
                self._lengths.setdefault((measure, *others), []).append(length)
        for lengths in self._lengths.values():
            lengths.sort()

    def with_lengths(self, lengths: Iterable[int]) -> Points:
        """Return the measured points, and those of these lengths that lie between measured ones."""
        added: dict[str, list[Point]] = {}
        for (measure, *others), measured in self._lengths.items():
            between = [length for length in lengths if length not in measured and shares(measured, length)]
            added.setdefault(str(measure), []).extend((length, *others) for length in between)
        return {
            measure: np.unique(np.concatenate([rows, np.array(added[measure], np.int64)]), axis=0)
            if added.get(measure)
            else rows
            for measure, rows in self._measured.items()
        }

    def parts(self, point: Point) -> tuple[Part, ...]:
        """Return the measured points on both sides of a point, with their shares; () if it is an end."""
        measure, length, *others = point
        lengths = [each for each in self._lengths.get((measure, *others), ()) if each != length]
        return tuple(((measure, each, *others), share) for each, share in shares(lengths, int(length)))


def interpolate(cells: Mapping[Point, Sequence[Cell]], point: Point, parts: Sequence[Part]) -> list[Cell]:
    """Return a cell at the point for each tuning and machine that lacks one there and has all of its parts."""
    found: dict[object, list[Cell]] = {}
    for part, _ in parts:
        for cell in cells.get(part, ()):
            found.setdefault((cell.machine, cell.subject), []).append(cell)
    present = {(cell.machine, cell.subject) for cell in cells.get(point, ())}
    weights = [share for _, share in parts]
    return [
        _blended(own, weights, int(point[1]))
        for key, own in found.items()
        if key not in present and len(own) == len(parts)
    ]


def _blended(parts: Sequence[Cell], weights: Sequence[float], length: int) -> Cell:
    """Return the weighted mean of cells, of their intervals and of their quartiles; it is as disturbed as any part."""

    def mean(values: Iterable[float]) -> float:
        return sum(weight * value for weight, value in zip(weights, values, strict=True))

    intervals = [cell.interval for cell in parts if cell.interval]
    return replace(
        parts[0],
        variables={**parts[0].variables, "length": length},
        cycles=mean(cell.cycles for cell in parts),
        interval=(mean(low for low, _ in intervals), mean(high for _, high in intervals))
        if len(intervals) == len(parts)
        else None,
        quartiles=(mean(cell.quartiles[0] for cell in parts), mean(cell.quartiles[1] for cell in parts)),
        rounds=min(cell.rounds for cell in parts),
        samples=min(cell.samples for cell in parts),
        timings=min(cell.timings for cell in parts),
        disturbed=any(cell.disturbed for cell in parts),
        between=tuple(cell.variables["length"] for cell in parts),
    )
