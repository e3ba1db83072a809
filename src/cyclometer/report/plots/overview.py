# SPDX-License-Identifier: MIT OR Apache-2.0
"""All measures of all systems of all operations on one logarithmic scale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.figure import Figure

from cyclometer.records.curve import PlotData, PlotInputs, PlotOptions
from cyclometer.records.length_unit import quantity
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
from cyclometer.report.plots._page import FULL, Picture, furnish, page
from cyclometer.report.text import context_text

NEEDS = PlotInputs(one_length=True, ends=True, many_keys=True)

_WIDE = 1e4  # above this range of cycles only powers of ten are labelled


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per machine."""
    for machine in dict.fromkeys(machine for data in datasets for machine in data.contexts):
        by_operation = {
            data.operation: [dot for dot in dots(data, options) if dot.machine == machine] for data in datasets
        }
        shown = {operation: found for operation, found in by_operation.items() if found}
        if shown:
            yield Picture(name=machine, figure=_figure(datasets, machine, shown))


def _figure(datasets: Sequence[PlotData], machine: str, shown: dict[str, list[Dot]]) -> Figure:
    heights = [rows_height(len(ranked(found))) for found in shown.values()]
    figure = page(FULL, sum(heights) + 1.2 + 0.2 * len(shown))
    panels = figure.subplots(len(shown), 1, sharex=True, height_ratios=heights, squeeze=False).ravel()
    styles = entry_styles(dot for found in shown.values() for dot in found)
    context = next(data.contexts[machine] for data in datasets if machine in data.contexts)
    by_name = {data.operation: data for data in datasets}
    cycles = [dot.cycles for found in shown.values() for dot in found if dot.cycles > 0]
    labels = (1, 2, 5) if cycles and max(cycles) < _WIDE * min(cycles) else (1,)
    for axes, (operation, found) in zip(panels, shown.items(), strict=True):
        draw_rows(axes, found, ranked(found), styles, labels)
        axes.set_title(_title(by_name[operation]), loc="left", pad=3)
    panels[-1].set_xlabel(f"{context.unit} (logarithmic)")
    contexts = dict.fromkeys(context_text(data.contexts[machine]) for data in datasets if machine in data.contexts)
    everything = [dot for found in shown.values() for dot in found]
    furnish(figure, f"All systems on {machine}", [dots_text(everything), *contexts], dot_handles(everything, styles))
    return figure


def _title(data: PlotData) -> str:
    """Return the operation, with the lengths of small and large marks if there are both."""
    if len(data.ends) != 2:
        return data.operation
    small, large = (quantity(length, data.length_unit) for length in data.ends)
    return f"{data.operation} (small: {small}, large: {large})"
