# SPDX-License-Identifier: MIT OR Apache-2.0
"""One system: cycles by packet length, with all raw timings and many active keys."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, ListedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from cyclometer.records.curve import Curve, PlotData, PlotInputs, PlotOptions, System
from cyclometer.records.length_unit import axis_label, quantity
from cyclometer.report.plots._axes import (
    at_length,
    band_handle,
    cloud_handles,
    clouds_text,
    cycles_per_byte,
    cycles_up,
    disturbed_handle,
    draw_cloud,
    draw_curve,
    draw_diagonal,
    draw_disturbed,
    keys_axis,
    length_axes,
    long_curves,
    measure_styles,
    require_lines,
    thinned,
)
from cyclometer.report.plots._page import COLUMN, GREY, SMALL_SIZE, Picture, furnish, page, settle
from cyclometer.report.text import context_text

NEEDS = PlotInputs(clouds=True, many_keys=True, leaders=True)


KEY_COLOURS: Colormap = ListedColormap(mpl.colormaps["viridis"](np.linspace(0.95, 0.0, 256)), "keys")


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per system and machine measured at several lengths. Raises `NothingToDo` if there is none."""
    drawn = 0
    for data in datasets:
        for system in dict.fromkeys(curve.system for curve in data.curves):
            lines = [line for line in long_curves(data, options) if line.system == system]
            if lines:
                drawn += 1
                yield Picture(name=f"{system.label}-{system.machine}", figure=_figure(data, system, lines, options))
    require_lines(drawn, datasets, options)


def _figure(data: PlotData, system: System, lines: Sequence[Curve], options: PlotOptions) -> Figure:
    context = data.contexts[system.machine]
    limit = options.up_to or max(int(line.lengths[-1]) for line in lines)
    measures = {line.measure for line in lines}
    keyed = [
        c for c in data.curves if c.system == system and c.keys > 1 and c.measure in measures and c.lengths[0] <= limit
    ]
    clouds = [c for c in data.clouds if c.system == system and c.measure in measures]
    per_byte = options.diagonal or cycles_per_byte(lines, limit)
    figure = page(COLUMN, 5.0 if keyed else 3.4)
    panels = figure.subplots(2, 1, height_ratios=(1.75, 1)) if keyed else [figure.subplots()]
    axes = panels[0]
    length_axes(axes, limit, per_byte * limit)
    axes.set_xlabel(axis_label(data.length_unit))
    axes.set_ylabel(f"time ({context.unit})")
    draw_diagonal(axes, per_byte, limit, context.unit, data.length_unit)
    styles = measure_styles(line.measure for line in lines)
    for line in lines:
        draw_curve(axes, line, styles[line.measure])
    if keyed:
        _draw_keys(axes, [curve for curve in keyed if len(curve.lengths) > 1], max(curve.keys for curve in keyed))
        _draw_zoom(panels[1], data, keyed, lines, options.up_to)
    draw_disturbed(axes, lines)
    marks = disturbed_handle(lines)
    furnish(
        figure,
        f"{system.primitive} on {system.machine}",
        [
            f"Tuning: {system.implementation}, {system.compiler}. {clouds_text(clouds, limit, per_byte)}",
            context_text(context),
        ],
        [
            *(style.line(name) for name, style in styles.items()),
            band_handle(),
            *cloud_handles(),
            *marks,
        ],
    )
    settle(figure)
    draw_cloud(axes, clouds)
    return figure


def _draw_keys(axes: Axes, curves: Sequence[Curve], most: int) -> None:
    """Draw a coloured curve per number of active keys."""
    norm = LogNorm(1, most)
    for curve in sorted(curves, key=lambda curve: -curve.keys):
        trace = thinned(curve, int(axes.get_xlim()[1]), 256)
        axes.plot(trace.lengths, trace.cycles, color=KEY_COLOURS(norm(curve.keys)), linewidth=0.8, zorder=2.8)


def _draw_zoom(axes: Axes, data: PlotData, keyed: Sequence[Curve], lines: Sequence[Curve], up_to: int) -> None:
    """Draw many active keys on axes of their own: over the length, or over the keys if there is only one length.

    Over the length they end at `up_to`, if that is not 0.
    """
    measure, most = keyed[0].measure, max(curve.keys for curve in keyed)
    shown = [curve for curve in (*lines, *keyed) if curve.measure == measure]
    if max(len(curve.lengths) for curve in keyed) == 1:
        _over_keys(axes, shown, int(keyed[0].lengths[0]), data.length_unit)
    else:
        longest = max(int(curve.lengths[-1]) for curve in keyed)
        limit = min(longest, up_to or longest)
        traces = [thinned(curve, limit, 128) for curve in shown]
        length_axes(axes, limit, 1.06 * max(float(trace.cycles.max(initial=0)) for trace in traces))
        axes.set_xlabel(axis_label(data.length_unit))
        _draw_keys(axes, shown, most)
        _draw_key_colours(axes, most)
    axes.set_ylabel(f"{measure} ({data.contexts[keyed[0].system.machine].unit})")


def _draw_key_colours(axes: Axes, most: int) -> None:
    beside = axes.inset_axes((0.55, 0.16, 0.4, 0.05))
    bar = axes.figure.colorbar(ScalarMappable(LogNorm(1, most), KEY_COLOURS), cax=beside, orientation="horizontal")
    beside.set_title("active keys", fontsize=SMALL_SIZE, pad=2)
    bar.outline.set_linewidth(0.4)
    beside.xaxis.set_major_locator(FixedLocator([1, 8, 64, 512, most]))
    beside.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    beside.xaxis.set_minor_locator(NullLocator())


def _over_keys(axes: Axes, curves: Sequence[Curve], length: int, length_unit: str) -> None:
    points = sorted((curve.keys, at_length(curve, length)) for curve in curves if length in curve.lengths)
    keys, cycles = zip(*points, strict=True)
    axes.plot(keys, cycles, color=GREY, linewidth=0.7, zorder=2)
    axes.scatter(keys, cycles, c=keys, cmap=KEY_COLOURS, norm=LogNorm(1, max(keys)), s=12, zorder=3)
    keys_axis(axes, max(keys))
    cycles_up(axes, 1.12 * max(cycles))
    axes.set_xlabel(f"active keys (packets of {quantity(length, length_unit)})")
