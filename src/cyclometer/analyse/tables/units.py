# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cells as figures: cycles, cycles per byte, or megabytes a second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cyclometer.analyse.estimate.cells import Cell
from cyclometer.analyse.estimate.ranking import Rank
from cyclometer.records.table import Value

_TITLES = {"core cycles": "Cycles", "ns": "Nanoseconds"}


def title_unit(base: str) -> str:
    """A unit as a title begins with it."""
    return _TITLES.get(base, base)


@dataclass(frozen=True, kw_only=True)
class Units:
    """What figures are given in. `hertz`: core cycles (or counter units) a second, by machine."""

    per_byte: bool = False
    megabytes: bool = False
    hertz: Mapping[str, float]

    def name(self, base: str) -> str:
        """The unit of a figure whose cycles are in `base`."""
        if self.megabytes:
            return "MB/s"
        return f"{base}/byte" if self.per_byte else base

    def title(self, base: str) -> str:
        """The unit as a title begins with it."""
        if self.megabytes:
            return "MB/s"
        return title_unit(base) + (" per byte" if self.per_byte else "")

    def figure(self, cell: Cell, rank: Rank, fastest: bool) -> Value | None:
        """None where the unit has no meaning: bytes a second of a packet without bytes."""
        value = self._convert(cell, cell.cycles)
        if value is None:
            return None
        return Value(
            value=value,
            quartiles=self._pair(cell, cell.quartiles),
            interval=self._pair(cell, cell.interval) if cell.interval else None,
            rounds=cell.rounds,
            samples=cell.samples,
            timings=cell.timings,
            disturbed=cell.disturbed,
            rank=rank.place,
            shares_rank=rank.shared,
            ties_with_best=rank.place == 1 and not fastest,
            implementation=cell.subject.implementation,
            compiler=cell.subject.compiler,
        )

    def _convert(self, cell: Cell, cycles: float) -> float | None:
        length = cell.variables["length"]
        if self.megabytes:
            return length * self.hertz[cell.machine] / cycles / 1e6 if length and cycles > 0 else None
        if self.per_byte:
            return cycles / length if length else None
        return cycles

    def _pair(self, cell: Cell, pair: tuple[float, float]) -> tuple[float, float] | None:
        """The lower first: of a rate, it comes from the larger number of cycles."""
        converted = [self._convert(cell, cycles) for cycles in pair]
        known = sorted(value for value in converted if value is not None)
        return (known[0], known[1]) if len(known) == 2 else None
