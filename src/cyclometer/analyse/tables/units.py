# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cells as values of a table: cycles, cycles per byte (or block, or item), or megabytes per second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cyclometer.analyse.estimate.cells import Cell
from cyclometer.analyse.estimate.ranking import NO_RANK, Rank, Spread
from cyclometer.records.length_unit import BYTES, singular
from cyclometer.records.table import Value

_TITLES = {"core cycles": "Cycles", "ns": "Nanoseconds"}


def title_unit(base: str) -> str:
    """Return a unit as the beginning of a title."""
    return _TITLES.get(base, base)


def figure_in_cycles(cell: Cell, rank: Rank = NO_RANK) -> Value:
    """Return a cell as the value of a table, in its own unit."""
    return Value(
        value=cell.cycles,
        quartiles=cell.quartiles,
        interval=cell.interval,
        rounds=cell.rounds,
        samples=cell.samples,
        timings=cell.timings,
        disturbed=cell.disturbed,
        varies=cell.varies,
        unclear=cell.unclear,
        between=cell.between,
        rank=rank.position,
        shares_rank=rank.shared,
        implementation=cell.subject.implementation,
        compiler=cell.subject.compiler,
    )


@dataclass(frozen=True, kw_only=True)
class Units:
    """The units of a table's values; `hertz`: core cycles (or counter units) per second, by machine."""

    per_byte: bool = False
    megabytes: bool = False
    length_unit: str = BYTES
    hertz: Mapping[str, float]

    def name(self, base: str) -> str:
        """Return the unit of a value whose cycles are in `base`."""
        if self.megabytes:
            return "MB/s"
        return f"{base}/{singular(self.length_unit)}" if self.per_byte else base

    def title(self, base: str) -> str:
        """Return the unit as the beginning of a title."""
        if self.megabytes:
            return "MB/s"
        return title_unit(base) + (f" per {singular(self.length_unit)}" if self.per_byte else "")

    def figure(self, cell: Cell, rank: Rank, fastest: bool, spread: Spread | None) -> Value | None:
        """Convert a cell; None if the unit is undefined, such as bytes per second of a packet without bytes."""
        value = self._convert(cell, cell.cycles)
        if value is None:
            return None
        interval = self._pair(cell, cell.interval) if cell.interval else None
        return replace(
            figure_in_cycles(cell, rank),
            value=value,
            quartiles=self._pair(cell, cell.quartiles),
            interval=interval,
            error=_error(value, interval, spread.of(cell) if spread else 0.0),
            ties_with_best=rank.position == 1 and not fastest,
        )

    def _convert(self, cell: Cell, cycles: float) -> float | None:
        length = cell.variables["length"]
        if self.megabytes:
            return length * self.hertz[cell.machine] / cycles / 1e6 if length and cycles > 0 else None
        if self.per_byte:
            return cycles / length if length else None
        return cycles

    def _pair(self, cell: Cell, pair: tuple[float, float]) -> tuple[float, float] | None:
        """Convert both ends of an interval and sort them, since a rate reverses their order."""
        converted = [self._convert(cell, cycles) for cycles in pair]
        numbers = sorted(value for value in converted if value is not None)
        return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _error(value: float, interval: tuple[float, float] | None, spread: float) -> float | None:
    """Return half of the interval, or the share of the value that an A/A spread is, whichever is more."""
    half = (interval[1] - interval[0]) / 2 if interval else 0.0
    return max(half, spread * abs(value)) or None
