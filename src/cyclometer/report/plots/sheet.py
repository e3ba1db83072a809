# SPDX-License-Identifier: MIT OR Apache-2.0
"""All systems of a machine, one small panel each, with one scale or, if their speeds differ widely, each its own."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cyclometer.records.curve import Cloud, Curve, PlotData, PlotInputs, PlotOptions, System
from cyclometer.records.length_unit import axis_label, quantity, singular
from cyclometer.report.plots._axes import (
    band_handle,
    cloud_handles,
    clouds_text,
    cycles_per_byte,
    disturbed_handle,
    draw_cloud,
    draw_curve,
    draw_disturbed,
    length_axes,
    long_curves,
    measure_styles,
    per_byte_text,
    require_lines,
    thinned,
)
from cyclometer.report.plots._page import FULL, GREY, SMALL_SIZE, Picture, Style, furnish, page, settle, shortened
from cyclometer.report.text import context_text

NEEDS = PlotInputs(clouds=True)

_WIDE = 8.0  # times slower than the fastest: a common scale would flatten the fast ones
_TITLE = {2: 60, 3: 40, 4: 29}  # characters, by panels side by side
_HIGHEST = 1.9  # inches per row
_PAGE = 9.4  # inches of all rows together


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one sheet per operation and machine. Raises `NothingToDo` if there is nothing to draw."""
    drawn = 0
    for data in datasets:
        for machine in data.contexts:
            lines = [line for line in long_curves(data, options) if line.system.machine == machine]
            if lines:
                drawn += 1
                yield Picture(name=f"{data.operation}-{machine}", figure=_figure(data, machine, lines, options))
    require_lines(drawn, datasets, options)


def _figure(data: PlotData, machine: str, lines: Sequence[Curve], options: PlotOptions) -> Figure:
    context = data.contexts[machine]
    styles = measure_styles(line.measure for line in lines)
    systems: dict[System, list[Curve]] = {}
    for line in sorted(lines, key=lambda line: list(styles).index(line.measure)):
        systems.setdefault(line.system, []).append(line)
    limit = options.up_to or max(int(line.lengths[-1]) for line in lines)
    slopes = {system: cycles_per_byte(each, limit) for system, each in systems.items()}
    order = sorted(systems, key=lambda system: (_ends(systems[system], limit)[0], system.label))
    common = options.diagonal or (max(slopes.values()) if max(slopes.values()) <= _WIDE * min(slopes.values()) else 0.0)
    across = _across(len(order))
    down = abs(len(order) // -across)
    figure = page(FULL, down * min(_HIGHEST, _PAGE / down) + 1.3)
    panels = figure.subplots(down, across, sharex=True, sharey=bool(common), squeeze=False).ravel()
    for axes, system in zip(panels, order, strict=False):
        per_byte = common or slopes[system]
        length_axes(axes, limit, per_byte * limit, ticks=2)
        _draw_panel(axes, systems[system], styles, limit, per_byte)
        axes.set_title(shortened(system.label, _TITLE[across]), loc="left", x=-0.2, pad=2, fontsize=SMALL_SIZE)
    for axes in panels[len(order) - across : len(order)]:
        axes.tick_params(labelbottom=True)
        axes.set_xlabel(axis_label(data.length_unit), fontsize=SMALL_SIZE)
    for axes in panels[::across]:
        axes.set_ylabel(context.unit, fontsize=SMALL_SIZE)
    for axes in panels[len(order) :]:
        axes.remove()
    clouds = [cloud for cloud in data.clouds if cloud.system in systems and cloud.measure in styles]
    furnish(
        figure,
        f"{len(order)} systems on {machine}" if len(order) > 1 else f"{order[0].label} on {machine}",
        [
            f"{_scale_text(data, machine, next(iter(styles)), limit, common)} {_clouds_text(clouds, limit, common)}",
            context_text(context),
        ],
        [
            *(style.line(name) for name, style in styles.items()),
            band_handle(),
            *cloud_handles(),
            *disturbed_handle(lines),
        ],
    )
    settle(figure)
    for axes, system in zip(panels, order, strict=False):
        draw_cloud(axes, [cloud for cloud in clouds if cloud.system == system])
    return figure


def _across(count: int) -> int:
    """Return the number of panels side by side that leaves the fewest gaps and fits a page."""
    if count > 12:
        return 4
    return min((2, 3, 4), key=lambda columns: (abs(count // -columns) * columns - count, -columns))


def _draw_panel(axes: Axes, lines: Sequence[Curve], styles: Mapping[str, Style], limit: int, per_byte: float) -> None:
    axes.plot([0, limit], [0, per_byte * limit], color=GREY, linewidth=0.5, zorder=1.5)
    for line in lines:
        draw_curve(axes, line, styles[line.measure], points=160, width=0.8)
    draw_disturbed(axes, lines)
    _, slope = _ends(lines, limit)
    beyond = " ↑" if slope > per_byte else ""
    axes.text(0.04, 0.94, f"{slope:.3g}{beyond}", transform=axes.transAxes, va="top", fontsize=SMALL_SIZE, zorder=4)


def _ends(lines: Sequence[Curve], limit: int) -> tuple[float, float]:
    """Return where the first line ends: cycles, and cycles per byte."""
    trace = thinned(lines[0], limit, 128)
    return float(trace.cycles[-1]), float(trace.cycles[-1] / max(trace.lengths[-1], 1))


def _scale_text(data: PlotData, machine: str, measure: str, limit: int, common: float) -> str:
    unit, each = data.contexts[machine].unit, data.length_unit
    short = unit.removeprefix("core ")
    corner = f"In the corner: {short}/{singular(each)} to {measure} {quantity(limit, each)}"
    if not common:
        return f"Each panel has its own scale. {corner}."
    return f"The grey diagonal is {per_byte_text(common, unit, each)} in all panels. {corner}; ↑ above the frame."


def _clouds_text(clouds: Sequence[Cloud], limit: int, common: float) -> str:
    """Return the remark on the raw timings; how many lie above the frame is said only of a common one."""
    return clouds_text(clouds, limit, common or math.inf)
