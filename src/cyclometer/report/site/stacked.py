# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stacked bars as a page draws them: each bar's parts and its measured whole, in thousandths of the longest."""

from __future__ import annotations

from dataclasses import dataclass

from cyclometer.records.bars import Bar, Bars

WHOLE = 1000  # the width of a picture


@dataclass(frozen=True, kw_only=True)
class Part:
    """A rectangle of a bar."""

    left: float
    width: float
    value: float


@dataclass(frozen=True, kw_only=True)
class StackedBar:
    """One bar."""

    label: str
    parts: tuple[Part, ...]
    mark: float  # where the measured whole is
    measured: float

    @property
    def predicted(self) -> float:
        """The sum of the parts."""
        return sum(part.value for part in self.parts)


def stacked(picture: Bars) -> list[StackedBar]:
    """Return the bars of a picture, with room for the longest of them and of what was measured."""
    longest = max((max(sum(bar.parts), bar.measured) for bar in picture.bars), default=0.0) or 1.0
    return [_bar(bar, WHOLE / (1.02 * longest)) for bar in picture.bars]


def _bar(bar: Bar, scale: float) -> StackedBar:
    parts, left = [], 0.0
    for value in bar.parts:
        width = max(0.0, value) * scale
        parts.append(Part(left=left, width=width, value=value))
        left += width
    return StackedBar(label=bar.label, parts=tuple(parts), mark=bar.measured * scale, measured=bar.measured)
