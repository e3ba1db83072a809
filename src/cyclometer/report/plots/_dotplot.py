# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rows of points on a logarithmic scale: a row a system, a point a measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import Curve, PlotData, PlotOptions
from cyclometer.report.plots._axes import at_length, cycles_log
from cyclometer.report.plots._page import BLACK, BLUE, GREEN, ORANGE, PURPLE, SMALL_SIZE, VERMILLION, Style, line_styles

_ROW = 0.155  # inches
_USUAL = {
    "encrypt": (BLUE, "o"),
    "decrypt": (VERMILLION, "s"),
    "reject": (GREEN, "^"),
    "expandkey": (ORANGE, "D"),
}
_MANY_KEYS = (PURPLE, "P")


@dataclass(frozen=True, kw_only=True)
class Dot:
    """One headline."""

    machine: str
    label: str  # the system's
    entry: str  # what was measured: measure, length, keys
    cycles: float
    low: float  # interval; NaN with a single round
    high: float
    disturbed: bool
    small: bool = False  # the shorter of two lengths


def dots(material: PlotData, taste: PlotOptions) -> list[Dot]:
    """Every measure at the one length or at both ends, with one key and with the most keys; and without a length."""
    curves = [c for c in material.curves if c.measure == (taste.measure or c.measure)]
    most = max((curve.keys for curve in curves), default=1)
    found = []
    for curve in (curve for curve in curves if curve.keys in {1, most}):
        ends = [length for length in material.ends if length in curve.lengths] if curve.keys == 1 else []
        if len(ends) == 2:
            found += [_dot(curve, length, end=place) for place, length in enumerate(ends)]
            continue
        length = int(curve.lengths[0]) if len(curve.lengths) == 1 else material.length
        if length in curve.lengths:
            found.append(_dot(curve, length))
    return found


def _dot(curve: Curve, length: int, end: int | None = None) -> Dot:
    place = int(np.searchsorted(curve.lengths, length))
    parts = [
        curve.measure,
        *([f"{length} bytes"] if length and end is None else []),
        *([f"{curve.keys} keys"] if curve.keys > 1 else []),
    ]
    return Dot(
        machine=curve.system.machine,
        label=curve.system.label,
        entry=", ".join(parts),
        cycles=at_length(curve, length),
        low=float(curve.low[place]),
        high=float(curve.high[place]),
        disturbed=bool(curve.disturbed[place]),
        small=end == 0,
    )


def ranked(found: Iterable[Dot]) -> list[str]:
    """The systems, the fastest first, by the entry that most of them have."""
    every = list(found)
    if not every:
        raise NothingToDo("nothing of the kind was measured in the runs chosen")
    entries = [dot.entry for dot in every]
    leading = max(sorted(set(entries), key=_entry_order), key=entries.count)
    cycles: dict[str, float] = {}
    for dot in every:
        if dot.entry == leading and not dot.small:
            cycles[dot.label] = min(cycles.get(dot.label, np.inf), dot.cycles)
    return sorted({dot.label for dot in every}, key=lambda label: (cycles.get(label, np.inf), label))


def entry_styles(found: Iterable[Dot]) -> dict[str, Style]:
    """The same measure looks the same in all pictures of authenticated encryption."""
    entries = sorted({dot.entry for dot in found}, key=_entry_order)
    usual = {entry: _MANY_KEYS if " keys" in entry else _USUAL.get(entry.partition(",")[0]) for entry in entries}
    chosen = [pair for pair in usual.values() if pair]
    if len(set(chosen)) == len(entries):
        return {entry: Style(colour=pair[0], dash="-", marker=pair[1]) for entry, pair in usual.items() if pair}
    return line_styles(entries)


def _entry_order(entry: str) -> tuple[int, str]:
    measure = entry.partition(",")[0]
    names = list(_USUAL)
    return (names.index(measure) if measure in names else len(names)) + 10 * (" keys" in entry), entry


def rows_height(rows: int) -> float:
    """Inches that so many rows and an axis need."""
    return _ROW * rows + 0.25


def draw_rows(
    axes: Axes,
    found: Sequence[Dot],
    order: Sequence[str],
    styles: Mapping[str, Style],
    labels: Sequence[int] = (1, 2, 5),
) -> None:
    """The points of one panel; a bar through a point is the interval of its headline."""
    rows = {label: row for row, label in enumerate(order)}
    for dot in (dot for dot in found if dot.cycles > 0):
        look, row = styles[dot.entry], rows[dot.label]
        if dot.high > dot.low > 0:
            axes.plot([dot.low, dot.high], [row, row], color=look.colour, linewidth=0.7, zorder=2)
        axes.plot(
            [dot.cycles],
            [row],
            marker=look.marker,
            markersize=2.2 if dot.small else 4,
            markeredgewidth=0.7,
            markeredgecolor=look.colour,
            markerfacecolor="white" if dot.disturbed else look.colour,
            linestyle="",
            zorder=3,
        )
    axes.set_ylim(len(order) - 0.4, -0.6)
    axes.set_yticks(range(len(order)), list(order), fontsize=SMALL_SIZE)
    axes.set_xscale("log")
    cycles_log(axes.xaxis, labels)
    axes.grid(visible=True, axis="both")
    axes.grid(visible=True, axis="x", which="minor", linewidth=0.2)
    axes.tick_params(axis="y", length=0)


def dots_text(found: Sequence[Dot]) -> str:
    """For a caption: what a bar is, and what has no place on a logarithmic scale."""
    nothing = dict.fromkeys(f"{dot.label} {dot.entry}" for dot in found if dot.cycles <= 0)
    hidden = f" No more than an empty call, so not shown: {'; '.join(nothing)}." if nothing else ""
    return f"Bars: 95 % intervals over rounds.{hidden}"


def dot_handles(found: Sequence[Dot], styles: Mapping[str, Style]) -> list[Line2D]:
    """For a legend."""
    handles = [look.point(entry) for entry, look in styles.items()]
    if any(dot.disturbed for dot in found):
        mark = {"marker": "o", "markerfacecolor": "white", "markeredgecolor": BLACK, "markersize": 3.5}
        handles.append(Line2D([], [], linestyle="", label="disturbed", markeredgewidth=0.6, **mark))  # type: ignore[arg-type]
    return handles
