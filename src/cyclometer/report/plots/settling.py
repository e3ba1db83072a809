# SPDX-License-Identifier: MIT OR Apache-2.0
"""How a call settles: the first timings after code, tables, buffers ... have left the caches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MultipleLocator

from cyclometer.records.curve import TIMING, PlacedCurve, PlotData, PlotInputs, PlotOptions, System
from cyclometer.records.length_unit import quantity
from cyclometer.report.plots._axes import cycles_log
from cyclometer.report.plots._page import FULL, SMALL_SIZE, Picture, furnish, page, shortened
from cyclometer.report.plots._placement import in_order, pictures, situation_text, style_of
from cyclometer.report.text import context_text

NEEDS = PlotInputs(placement=True, one_length=True, leaders=True)

_ROW = 1.9  # inches
_TITLE = {1: 90, 2: 48, 3: 34}  # characters, by panels side by side


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per operation, measure and machine. Raises `NothingToDo` if there is nothing to draw."""
    return pictures(datasets, options, TIMING, _figure, "--cold code,all")


def _figure(data: PlotData, machine: str, curves: Sequence[PlacedCurve]) -> Figure:
    context, first = data.contexts[machine], curves[0]
    panels_of = _by_system(curves)
    across = min(3, len(panels_of))
    down = -(-len(panels_of) // across)
    figure = page(FULL, max(3.2, down * _ROW + 1.3))
    panels = figure.subplots(down, across, sharex=True, squeeze=False).ravel()
    for axes, (system, own) in zip(panels, panels_of.items(), strict=False):
        _draw_panel(axes, own)
        axes.set_title(shortened(system.label, _TITLE[across]), loc="left", pad=2, fontsize=SMALL_SIZE)
    for axes in panels[len(panels_of) :]:
        axes.remove()
    for axes in panels[max(0, len(panels_of) - across) : len(panels_of)]:
        axes.tick_params(labelbottom=True)
        axes.set_xlabel("timing after the eviction")
    for axes in panels[: len(panels_of) : across]:
        axes.set_ylabel(context.unit)
    situations = in_order(curve.situation for curve in curves)
    furnish(
        figure,
        f"Settling on {machine}: {first.measure}, {quantity(first.length, data.length_unit)}",
        [
            "Each point is the median over trials. Before timing 1, what the line names was evicted and all else "
            "warmed; nothing is evicted between the timings.",
            context_text(context),
        ],
        [style_of(name).both(situation_text(name)) for name in situations],
    )
    return figure


def _by_system(curves: Sequence[PlacedCurve]) -> Mapping[System, list[PlacedCurve]]:
    """Return the curves of each system, the one that settles at the least first."""
    groups: dict[System, list[PlacedCurve]] = {}
    for curve in curves:
        groups.setdefault(curve.system, []).append(curve)
    return dict(sorted(groups.items(), key=lambda item: min(float(curve.cycles.min()) for curve in item[1])))


def _draw_panel(axes: Axes, curves: Sequence[PlacedCurve]) -> None:
    order = in_order(curve.situation for curve in curves)
    for curve in sorted(curves, key=lambda curve: order.index(curve.situation)):
        style = style_of(curve.situation)
        axes.plot(
            curve.at, curve.cycles, color=style.colour, linestyle=style.dash, marker=style.marker, markersize=2.2,
            linewidth=0.8, markeredgewidth=0.3,
        )  # fmt: skip
    axes.set_yscale("log")
    cycles_log(axes.yaxis)
    low, high = (pick(float(pick(curve.cycles)) for curve in curves) for pick in (min, max))
    axes.set_ylim(max(low, 1) / 1.25, high * 1.25)
    axes.xaxis.set_major_locator(MultipleLocator(5))
    axes.set_xlim(0.4, max(float(curve.at[-1]) for curve in curves) + 0.6)
    axes.grid(visible=True)
