# SPDX-License-Identifier: MIT OR Apache-2.0
"""Competition for the instruction cache: cycles by KiB of other code that runs between calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator

from cyclometer.records.curve import BETWEEN, PlacedCurve, PlotData, PlotInputs, PlotOptions
from cyclometer.records.length_unit import quantity
from cyclometer.report.plots._axes import cycles_log, cycles_up
from cyclometer.report.plots._page import FULL, Picture, furnish, line_styles, page
from cyclometer.report.plots._placement import pictures
from cyclometer.report.text import context_text

NEEDS = PlotInputs(placement=True, one_length=True, leaders=True)

_FAR = 8.0  # times slower than the fastest: a linear axis would flatten the fast ones


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per operation, measure and machine. Raises `NothingToDo` if there is nothing to draw."""
    return pictures(datasets, options, BETWEEN, _figure, "--between 0,16,64,256")


def _figure(data: PlotData, machine: str, curves: Sequence[PlacedCurve]) -> Figure:
    context, first = data.contexts[machine], curves[0]
    slowest_first = sorted(curves, key=lambda curve: -float(curve.cycles[-1]))
    styles = line_styles(sorted(curve.system.label for curve in curves))
    figure = page(FULL, 3.4 + 0.12 * (len(curves) // 5))
    cycles, more = figure.subplots(1, 2)
    kib = sorted({int(at) for curve in curves for at in curve.at})
    for curve in slowest_first:
        style = styles[curve.system.label]
        across = [kib.index(int(at)) for at in curve.at]
        look = {"color": style.colour, "linestyle": style.dash, "marker": style.marker}
        cycles.plot(across, curve.cycles, markersize=2.6, linewidth=0.9, **look)
        more.plot(across, curve.cycles - curve.cycles[0], markersize=2.6, linewidth=0.9, **look)
    _code_axis(cycles, kib)
    _code_axis(more, kib)
    _cycles_axis(cycles, curves)
    cycles.set_ylabel(f"{first.measure} ({context.unit})")
    more.set_ylabel(f"{context.unit} more than without other code")
    low, high = (pick(float(pick(curve.cycles - curve.cycles[0])) for curve in curves) for pick in (min, max))
    cycles_up(more, 1.06 * max(high, 1.0))
    more.set_ylim(bottom=1.06 * low)
    furnish(
        figure,
        f"Other code between calls on {machine}: {first.measure}, {quantity(first.length, data.length_unit)}",
        ["The other code is a jump per 64-byte line, and runs before every call.", context_text(context)],
        [styles[curve.system.label].both(curve.system.label) for curve in slowest_first],
    )
    return figure


def _code_axis(axes: Axes, kib: Sequence[int]) -> None:
    """Set up the x axis: one step per size that was measured, from none to the largest."""
    axes.xaxis.set_major_locator(FixedLocator(range(len(kib))))
    axes.xaxis.set_major_formatter(FixedFormatter([str(size) for size in kib]))
    axes.set_xlabel("KiB of other code between calls")
    axes.grid(visible=True)


def _cycles_axis(axes: Axes, curves: Sequence[PlacedCurve]) -> None:
    low, high = (pick(float(pick(curve.cycles)) for curve in curves) for pick in (min, max))
    if 0 < low < high / _FAR:
        axes.set_yscale("log")
        cycles_log(axes.yaxis)
        axes.set_ylim(low / 1.2, high * 1.2)
    else:
        cycles_up(axes, 1.06 * high)
