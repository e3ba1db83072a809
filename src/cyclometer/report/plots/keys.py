# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many active keys: cycles by their number, and what they cost for each byte of expanded key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import Curve, Floats, Integers, PlotData, PlotInputs, PlotOptions, System
from cyclometer.report.plots._axes import at_length, cycles_log, cycles_up, disturbed_handle, keys_axis
from cyclometer.report.plots._page import FULL, GREY, Picture, Style, furnish, line_styles, page
from cyclometer.report.text import context_text

NEEDS = PlotInputs(one_length=True, many_keys=True)

_FAR = 8.0  # times slower than the fastest

Points = dict[System, dict[int, tuple[float, bool]]]  # keys -> cycles, disturbed


def draw(materials: Sequence[PlotData], taste: PlotOptions) -> Iterator[Picture]:
    """One picture an operation, machine and measure."""
    drawn = 0
    for material in materials:
        keyed = [c for c in material.curves if c.keys > 1 and c.measure == (taste.measure or c.measure)]
        for machine, measure in dict.fromkeys((curve.system.machine, curve.measure) for curve in keyed):
            mine = [c for c in material.curves if (c.system.machine, c.measure) == (machine, measure)]
            drawn += 1
            yield Picture(name=f"{material.operation}-{measure}-{machine}", figure=_figure(material, machine, mine))
    if not drawn:
        raise NothingToDo("nothing of the kind was measured with several active keys in the runs chosen")


def _figure(material: PlotData, machine: str, curves: Sequence[Curve]) -> Figure:
    context, measure = material.contexts[machine], curves[0].measure
    length = _common_length(curves, material.length)
    points = _points(curves, length)
    slowest_first = sorted(points, key=lambda system: -points[system][max(points[system])][0])
    styles = line_styles(sorted(system.label for system in points))
    figure = page(FULL, 3.6 + 0.12 * (len(points) // 5))
    left, right = figure.subplots(1, 2)
    for system in slowest_first:
        keys, cycles, disturbed = _columns(points[system])
        _draw(left, keys, cycles, disturbed, styles[system.label])
        size = material.expanded_key_bytes.get(system, 0)
        if size and keys[0] == 1:
            extra = (cycles - cycles[0]) / size
            _draw(right, keys * size, extra, disturbed, styles[system.label])
    keys_axis(left, max(max(each) for each in points.values()))
    _cycles_axis(left, [cycles for each in points.values() for cycles, _ in each.values()])
    left.set_xlabel("active keys")
    left.set_ylabel(f"time to {measure} a packet ({context.unit})")
    _bytes_axis(right)
    right.set_ylabel(f"{context.unit} more than with one key,\nper byte of an expanded key")
    furnish(
        figure,
        f"Active keys on {machine}: {measure} {length}-byte packets",
        [_sizes_text(material.expanded_key_bytes, slowest_first), context_text(context)],
        [*(styles[system.label].both(system.label) for system in slowest_first), *disturbed_handle(curves)],
    )
    return figure


def _common_length(curves: Sequence[Curve], wish: int) -> int:
    """The length nearest to the one wished for at which the most numbers of keys were measured."""
    counts: dict[int, int] = {}
    for curve in curves:
        for length in curve.lengths:
            counts[int(length)] = counts.get(int(length), 0) + 1
    most = max(counts.values())
    return min((length for length, count in counts.items() if count == most), key=lambda length: abs(length - wish))


def _points(curves: Sequence[Curve], length: int) -> Points:
    points: Points = {}
    for curve in sorted(curves, key=lambda curve: curve.keys):
        if length in curve.lengths:
            disturbed = bool(curve.disturbed[np.searchsorted(curve.lengths, length)])
            points.setdefault(curve.system, {})[curve.keys] = (at_length(curve, length), disturbed)
    return points


def _columns(points: Mapping[int, tuple[float, bool]]) -> tuple[Integers, Floats, Integers]:
    keys = np.array(list(points), np.int64)
    return keys, np.array([cycles for cycles, _ in points.values()]), np.array([flag for _, flag in points.values()])


def _draw(axes: Axes, across: Integers, up: Floats, disturbed: Integers, look: Style) -> None:
    axes.plot(across, up, color=look.colour, linestyle=look.dash, linewidth=0.9)
    faces = [("white" if flag else look.colour) for flag in disturbed]
    axes.scatter(across, up, s=9, c=faces, marker=look.marker, edgecolors=look.colour, linewidths=0.6, zorder=3)


def _cycles_axis(axes: Axes, cycles: Sequence[float]) -> None:
    """Linear from 0, unless the slow ones would flatten the fast ones."""
    if 0 < min(cycles) < max(cycles) / _FAR:
        axes.set_yscale("log")
        cycles_log(axes.yaxis)
        axes.set_ylim(min(cycles) / 1.2, max(cycles) * 1.2)
        axes.grid(visible=True)
        axes.grid(visible=True, axis="y", which="minor", linewidth=0.2)
    else:
        cycles_up(axes, 1.06 * max(cycles))


def _bytes_axis(axes: Axes) -> None:
    """All expanded keys together, doubling; what caches hold is in these units."""
    axes.set_xscale("log", base=2)
    axes.grid(visible=True)
    axes.axhline(0, color=GREY, linewidth=0.6, zorder=1)
    axes.xaxis.set_major_locator(FixedLocator([2.0**power for power in range(5, 34, 5)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: size_text(int(value))))
    axes.set_xlabel("expanded keys together (bytes)")


def size_text(size: int) -> str:
    """In binary units."""
    for unit in ("", " Ki", " Mi"):
        if size < 1024:
            return f"{size:g}{unit}"
        size //= 1024
    return f"{size:g} Gi"


def _sizes_text(sizes: Mapping[System, int], systems: Sequence[System]) -> str:
    known = [f"{system.label} {sizes[system]:,}" for system in systems if system in sizes]
    return "Bytes of an expanded key: " + (", ".join(known) or "not recorded") + "."
