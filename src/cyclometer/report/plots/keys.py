# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many active keys: cycles by the number of keys, and the extra cost per byte of expanded key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import Curve, Floats, Integers, PlotData, PlotInputs, PlotOptions, System
from cyclometer.records.length_unit import singular
from cyclometer.report.plots._axes import (
    at_length,
    cycles_log,
    cycles_up,
    disturbed_handle,
    interpolated_text,
    keys_axis,
)
from cyclometer.report.plots._page import FULL, GREY, Picture, Style, furnish, line_styles, page
from cyclometer.report.text import INTERPOLATED, context_text

NEEDS = PlotInputs(one_length=True, many_keys=True, leaders=True)

_FAR = 8.0  # times slower than the fastest

Points = dict[System, dict[int, tuple[float, bool]]]  # keys -> cycles, disturbed


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per operation, machine and measure. Raises `NothingToDo` if there is nothing to draw."""
    drawn = 0
    for data in datasets:
        keyed = [c for c in data.curves if c.keys > 1 and c.measure == (options.measure or c.measure)]
        for machine, measure in dict.fromkeys((curve.system.machine, curve.measure) for curve in keyed):
            these = [c for c in data.curves if (c.system.machine, c.measure) == (machine, measure)]
            drawn += 1
            yield Picture(name=f"{data.operation}-{measure}-{machine}", figure=_figure(data, machine, these))
    if not drawn:
        raise NothingToDo(
            "the selected runs have no such measurements with several active keys; `cyclometer run --keys` takes them"
        )


def _figure(data: PlotData, machine: str, curves: Sequence[Curve]) -> Figure:
    context, measure = data.contexts[machine], curves[0].measure
    length = _common_length(curves, data.length)
    points = _points(curves, length)
    slowest_first = sorted(points, key=lambda system: -points[system][max(points[system])][0])
    styles = line_styles(sorted(system.label for system in points))
    figure = page(FULL, 3.6 + 0.12 * (len(points) // 5))
    sized = [system for system in points if data.expanded_key_bytes.get(system) and 1 in points[system]]
    left, *beside = figure.subplots(1, 2 if sized else 1, squeeze=False).ravel()
    for system in slowest_first:
        keys, cycles, disturbed = _columns(points[system])
        _draw(left, keys, cycles, disturbed, styles[system.label])
        if system in sized:
            size = data.expanded_key_bytes[system]
            _draw(beside[0], keys * size, (cycles - cycles[0]) / size, disturbed, styles[system.label])
    keys_axis(left, max(max(each) for each in points.values()))
    _cycles_axis(left, [cycles for each in points.values() for cycles, _ in each.values()])
    left.set_xlabel("active keys")
    left.set_ylabel(f"time to {measure} ({context.unit})")
    for right in beside:
        _bytes_axis(right)
        right.set_ylabel(f"{context.unit} more than with one key,\nper byte of an expanded key")
    remark = interpolated_text(curve.between for curve in curves)
    about = INTERPOLATED if remark else ""
    furnish(
        figure,
        f"Active keys on {machine}: {measure} {about}{length}-{singular(data.length_unit)} packets",
        [_sizes_text(data.expanded_key_bytes, slowest_first) + remark, context_text(context)],
        [*(styles[system.label].both(system.label) for system in slowest_first), *disturbed_handle(curves)],
    )
    return figure


def _common_length(curves: Sequence[Curve], preferred: int) -> int:
    """Return the length with the most numbers of keys measured; of several, the one nearest to `preferred`."""
    used: dict[int, int] = {}
    for curve in curves:
        for length in curve.lengths:
            used[int(length)] = used.get(int(length), 0) + 1
    most = max(used.values())
    return min((length for length, count in used.items() if count == most), key=lambda length: abs(length - preferred))


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


def _draw(axes: Axes, across: Integers, up: Floats, disturbed: Integers, style: Style) -> None:
    axes.plot(across, up, color=style.colour, linestyle=style.dash, linewidth=0.9)
    faces = [("white" if flag else style.colour) for flag in disturbed]
    axes.scatter(across, up, s=9, c=faces, marker=style.marker, edgecolors=style.colour, linewidths=0.6, zorder=3)


def _cycles_axis(axes: Axes, cycles: Sequence[float]) -> None:
    """Set up the y axis: linear from 0, or logarithmic if slow systems would flatten the fast ones."""
    if 0 < min(cycles) < max(cycles) / _FAR:
        axes.set_yscale("log")
        cycles_log(axes.yaxis)
        axes.set_ylim(min(cycles) / 1.2, max(cycles) * 1.2)
        axes.grid(visible=True)
        axes.grid(visible=True, axis="y", which="minor", linewidth=0.2)
    else:
        cycles_up(axes, 1.06 * max(cycles))


def _bytes_axis(axes: Axes) -> None:
    """Set up the x axis with the total size of the expanded keys, in bytes, to compare with cache sizes."""
    axes.set_xscale("log", base=2)
    axes.grid(visible=True)
    axes.axhline(0, color=GREY, linewidth=0.6, zorder=1)
    axes.xaxis.set_major_locator(FixedLocator([2.0**power for power in range(5, 34, 5)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: size_text(int(value))))
    axes.set_xlabel("expanded keys in total (bytes)")


def size_text(size: int) -> str:
    """Return a size in binary units."""
    for unit in ("", " Ki", " Mi"):
        if size < 1024:
            return f"{size:g}{unit}"
        size //= 1024
    return f"{size:g} Gi"


def _sizes_text(sizes: Mapping[System, int], systems: Sequence[System]) -> str:
    known = [f"{system.label} {sizes[system]:,}" for system in systems if system in sizes]
    return "Bytes of an expanded key: " + (", ".join(known) or "not recorded") + "."
