# SPDX-License-Identifier: MIT OR Apache-2.0
"""One system in every situation, by packet length: warm at the best and the worst place, and with each thing cold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.figure import Figure

from cyclometer.records.curve import LENGTH, WARM, PlacedCurve, PlotData, PlotInputs, PlotOptions
from cyclometer.records.length_unit import axis_label
from cyclometer.report.plots._axes import FEW_LENGTHS, draw_diagonal, length_axes, nice_above
from cyclometer.report.plots._page import COLUMN, Picture, furnish, page
from cyclometer.report.plots._placement import curves_by_place, in_order, require_some, situation_text, style_of
from cyclometer.report.text import context_text

NEEDS = PlotInputs(placement=True, leaders=True)

_ABOVE = 0.98  # quantile of the cold timings that is inside the frame


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per system, measure and machine. Raises `NothingToDo` if there is nothing to draw."""
    drawn = 0
    for data in datasets:
        for machine, measure, curves in curves_by_place(data, options, LENGTH):
            for system in dict.fromkeys(curve.system for curve in curves):
                own = [curve for curve in curves if curve.system == system]
                drawn += 1
                name = f"{system.label}-{measure}-{machine}"
                yield Picture(name=name, figure=_figure(data, own, options))
    require_some(drawn, "--profile placement")


def _figure(data: PlotData, curves: Sequence[PlacedCurve], options: PlotOptions) -> Figure:
    first = curves[0]
    context = data.contexts[first.system.machine]
    limit = options.up_to or max(int(curve.at[-1]) for curve in curves)
    per_unit = options.diagonal or _slope(curves, limit)
    figure = page(COLUMN, 3.6)
    axes = figure.subplots()
    length_axes(axes, limit, per_unit * limit)
    axes.set_xlabel(axis_label(data.length_unit))
    axes.set_ylabel(f"{first.measure} ({context.unit})")
    draw_diagonal(axes, per_unit, limit, context.unit, data.length_unit)
    situations = in_order(curve.situation for curve in curves)
    for curve in sorted(curves, key=lambda curve: -situations.index(curve.situation)):
        style, few = style_of(curve.situation), len(curve.at) <= FEW_LENGTHS
        cloud = curve.situation not in WARM and not few  # a cold call scatters: points, not a line
        axes.plot(
            curve.at,
            curve.cycles,
            color=style.colour,
            linestyle="" if cloud else style.dash,
            marker="." if cloud else style.marker if few else "",
            markersize=1.2 if cloud else 2.6,
            markeredgewidth=0,
            linewidth=0.8,
            alpha=0.5 if cloud else 1,
            rasterized=cloud,
            zorder=2 if cloud else 3,
        )
    hidden = sum(int(np.count_nonzero(curve.cycles[curve.at <= limit] > per_unit * limit)) for curve in curves)
    above = f" {hidden} medians are above the frame." if hidden else ""
    furnish(
        figure,
        f"{first.system.label} on {first.system.machine}: {first.measure}",
        [
            "Warm: settled, over call sites, alignments and layouts. Cold: the first timing after the eviction."
            + above,
            context_text(context),
        ],
        [style_of(name).both(situation_text(name)) for name in situations],
    )
    return figure


def _slope(curves: Sequence[PlacedCurve], limit: int) -> float:
    """Return the cycles per unit of length of a diagonal that has nearly all points below its end."""
    inside = np.concatenate([curve.cycles[curve.at <= limit] for curve in curves])
    top = np.quantile(inside, _ABOVE) if len(inside) > FEW_LENGTHS else inside.max()
    return nice_above(1.06 * float(top) / max(limit, 1))
