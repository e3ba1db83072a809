# SPDX-License-Identifier: MIT OR Apache-2.0
"""Machines side by side: all measures of all systems, with the same systems in the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.figure import Figure

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import PlotData, PlotInputs, PlotOptions
from cyclometer.report.plots._dotplot import (
    Dot,
    dot_handles,
    dots,
    dots_text,
    draw_rows,
    entry_styles,
    ranked,
    rows_height,
)
from cyclometer.report.plots._page import FULL, Picture, furnish, page, shortened
from cyclometer.report.text import context_text

NEEDS = PlotInputs(one_length=True, many_keys=True, all_machines=True)

_ACROSS = 4


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per operation measured on several machines. Raises `NothingToDo` if there is none."""
    drawn = 0
    for data in datasets:
        found = dots(data, options)
        if len({dot.machine for dot in found}) > 1:
            drawn += 1
            yield Picture(name=data.operation, figure=_figure(data, found))
    if not drawn:
        raise NothingToDo("all selected runs are of one machine; add others with --all or --machine")


def _figure(data: PlotData, found: Sequence[Dot]) -> Figure:
    machines = sorted({dot.machine for dot in found})
    order = ranked(found)
    across = min(_ACROSS, len(machines))
    down = abs(len(machines) // -across)
    figure = page(FULL, down * (rows_height(len(order)) + 0.35) + 1.2 + 0.1 * len(machines))
    same_unit = len({data.contexts[machine].unit for machine in machines}) == 1
    panels = figure.subplots(down, across, sharey=True, sharex=same_unit, squeeze=False).ravel()
    styles = entry_styles(found)
    for axes, machine in zip(panels, machines, strict=False):
        draw_rows(axes, [dot for dot in found if dot.machine == machine], order, styles, labels=(1,))
        axes.set_title(shortened(machine, 30), loc="left", pad=3)
        axes.set_xlabel(f"{data.contexts[machine].unit} (log.)")
        axes.tick_params(labelbottom=True)
    for axes in panels[len(machines) :]:
        axes.remove()
    furnish(
        figure,
        f"{len(machines)} machines side by side: {data.operation}",
        [dots_text(found), *(context_text(data.contexts[machine]) for machine in machines)],
        dot_handles(found, styles),
    )
    return figure
