# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rows of points on a logarithmic scale: one row per system, one point per measure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import Curve, PlotData, PlotOptions
from cyclometer.records.length_unit import quantity
from cyclometer.report.plots._axes import at_length, cycles_log, interpolated_text
from cyclometer.report.plots._page import BLACK, BLUE, GREEN, ORANGE, PURPLE, SMALL_SIZE, VERMILLION, Style, line_styles
from cyclometer.report.text import INTERPOLATED

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
    between: tuple[int, ...] = ()  # the measured lengths it is interpolated from; empty: measured


def dots(data: PlotData, options: PlotOptions) -> list[Dot]:
    """Return the dots of every measure: at one length or at both ends, with one key and with the most keys."""
    curves = [c for c in data.curves if c.measure == (options.measure or c.measure)]
    most = max((curve.keys for curve in curves), default=1)
    result = []
    for curve in (curve for curve in curves if curve.keys in {1, most}):
        ends = [length for length in data.ends if length in curve.lengths] if curve.keys == 1 else []
        if len(ends) == 2:
            result += [_dot(data, curve, length, end=index) for index, length in enumerate(ends)]
            continue
        length = int(curve.lengths[0]) if len(curve.lengths) == 1 else data.length
        if length in curve.lengths:
            result.append(_dot(data, curve, length))
    interpolated = {dot.entry for dot in result if dot.between}
    return [
        replace(dot, entry=dot.entry.replace(", ", f", {INTERPOLATED}", 1)) if dot.entry in interpolated else dot
        for dot in result
    ]


def _dot(data: PlotData, curve: Curve, length: int, end: int | None = None) -> Dot:
    index = int(np.searchsorted(curve.lengths, length))
    parts = [
        curve.measure,
        *([quantity(length, data.length_unit)] if length and end is None else []),
        *([f"{curve.keys} keys"] if curve.keys > 1 else []),
    ]
    return Dot(
        machine=curve.system.machine,
        label=curve.system.label,
        entry=", ".join(parts),
        cycles=at_length(curve, length),
        low=float(curve.low[index]),
        high=float(curve.high[index]),
        disturbed=bool(curve.disturbed[index]),
        small=end == 0,
        between=curve.between,
    )


def ranked(shown: Iterable[Dot]) -> list[str]:
    """Return the systems, fastest first, by the entry that most of them have.

    Raises `NothingToDo` if there are no dots.
    """
    every = list(shown)
    if not every:
        raise NothingToDo("the selected runs have no such measurements; `cyclometer runs` lists others")
    entries = [dot.entry for dot in every]
    leading = max(sorted(set(entries), key=_entry_order), key=entries.count)
    cycles: dict[str, float] = {}
    for dot in every:
        if dot.entry == leading and not dot.small:
            cycles[dot.label] = min(cycles.get(dot.label, np.inf), dot.cycles)
    return sorted({dot.label for dot in every}, key=lambda label: (cycles.get(label, np.inf), label))


def entry_styles(shown: Iterable[Dot]) -> dict[str, Style]:
    """Return a style per entry, the same in all plots of authenticated encryption."""
    entries = sorted({dot.entry for dot in shown}, key=_entry_order)
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
    """Return the height in inches of this many rows and an axis."""
    return _ROW * rows + 0.25


def draw_rows(
    axes: Axes,
    shown: Sequence[Dot],
    order: Sequence[str],
    styles: Mapping[str, Style],
    labels: Sequence[int] = (1, 2, 5),
) -> None:
    """Draw the points of one panel; a bar through a point is the interval of its headline."""
    rows = {label: row for row, label in enumerate(order)}
    for dot in (dot for dot in shown if dot.cycles > 0):
        style, row = styles[dot.entry], rows[dot.label]
        if dot.high > dot.low > 0:
            axes.plot([dot.low, dot.high], [row, row], color=style.colour, linewidth=0.7, zorder=2)
        axes.plot(
            [dot.cycles],
            [row],
            marker=style.marker,
            markersize=2.2 if dot.small else 4,
            markeredgewidth=0.7,
            markeredgecolor=style.colour,
            markerfacecolor="white" if dot.disturbed else style.colour,
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


def dots_text(shown: Sequence[Dot]) -> str:
    """Return the caption's remark on bars, and on dots that a logarithmic scale cannot show."""
    hidden = dict.fromkeys(f"{dot.label} {dot.entry}" for dot in shown if dot.cycles <= 0)
    remark = f" Not shown, as fast as an empty call: {'; '.join(hidden)}." if hidden else ""
    return f"Bars: 95 % intervals over rounds.{remark}{interpolated_text(dot.between for dot in shown)}"


def dot_handles(shown: Sequence[Dot], styles: Mapping[str, Style]) -> list[Line2D]:
    """Return the legend entries of the styles, and of disturbed dots if there are any."""
    handles = [style.point(entry) for entry, style in styles.items()]
    if any(dot.disturbed for dot in shown):
        mark = {"marker": "o", "markerfacecolor": "white", "markeredgecolor": BLACK, "markersize": 3.5}
        handles.append(Line2D([], [], linestyle="", label="disturbed", markeredgewidth=0.6, **mark))  # type: ignore[arg-type]
    return handles
