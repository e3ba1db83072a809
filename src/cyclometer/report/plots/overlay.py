# SPDX-License-Identifier: MIT OR Apache-2.0
"""Systems superimposed, with their crossovers and the lengths at which the order is undecided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import blended_transform_factory

from cyclometer.records.curve import FIRST, SECOND, Curve, Ordering, PairOrder, PlotData, PlotInputs, PlotOptions
from cyclometer.records.length_unit import axis_label
from cyclometer.report.plots._axes import (
    cycles_log,
    cycles_per_byte,
    disturbed_handle,
    draw_curve,
    draw_diagonal,
    draw_disturbed,
    length_axes,
    long_curves,
    require_lines,
    thinned,
)
from cyclometer.report.plots._labels import LABEL_ROOM, MOST_LABELLED, LineEnd, label_ends
from cyclometer.report.plots._page import (
    FULL,
    SMALL_SIZE,
    Picture,
    Style,
    furnish,
    line_styles,
    page,
    settle,
    shortened,
)
from cyclometer.report.text import context_text

NEEDS = PlotInputs(rivalries=True, leaders=True)

Signs = npt.NDArray[np.int64]

_UNDECIDED = "#DADADA"
_FEW = 4  # up to this many systems, every pair has a strip; beyond, only pairs whose order changes
_SAME = 0.99  # part of the lengths at which the order of a pair must agree to count as unchanged
_MOST_STRIPS = 8
_WIDE = 8.0  # times slower than the fastest at the longest length: the axis is logarithmic
_STRIP = 0.27  # inches, with the text above it


def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]:
    """Draw one picture per operation, machine and measure. Raises `NothingToDo` if there is nothing to draw."""
    drawn = 0
    for data in datasets:
        lines = long_curves(data, options)
        for machine, measure in dict.fromkeys((line.system.machine, line.measure) for line in lines):
            these = [line for line in lines if (line.system.machine, line.measure) == (machine, measure)]
            drawn += 1
            yield Picture(name=f"{data.operation}-{measure}-{machine}", figure=_figure(data, machine, these, options))
    require_lines(drawn, datasets, options)


def _figure(data: PlotData, machine: str, lines: Sequence[Curve], options: PlotOptions) -> Figure:
    context, measure = data.contexts[machine], lines[0].measure
    limit = options.up_to or max(int(line.lengths[-1]) for line in lines)
    slowest_first = sorted(lines, key=lambda line: (-thinned(line, limit, 128).cycles[-1], line.system.label))
    pairs = sorted(
        (each for each in data.rivalries if (each.first.machine, each.measure) == (machine, measure)),
        key=lambda each: (_sameness(each.order, limit), each.first.label, each.second.label),
    )
    strips = [each for each in pairs if len(lines) <= _FEW or _sameness(each.order, limit) < _SAME][:_MOST_STRIPS]
    styles = line_styles(sorted(line.system.label for line in lines))
    figure = page(FULL, 4.3 + _STRIP * len(strips))
    axes, below = _panels(figure, len(strips))
    per_byte = options.diagonal or cycles_per_byte(lines, limit)
    length_axes(axes, limit, per_byte * limit, ticks=8)
    if is_wide := not options.diagonal and _is_wide(lines):
        _logarithmic(axes, lines, limit)
    else:
        draw_diagonal(axes, per_byte, limit, context.unit, data.length_unit)
    for line in slowest_first:
        draw_curve(axes, line, styles[line.system.label], points=1200)
    draw_disturbed(axes, lines)
    for strip, pair in zip(below, strips, strict=True):
        _mark(axes, pair, lines, limit)
        _draw_strip(strip, pair, styles, limit)
    bottom = below[-1] if below else axes
    bottom.tick_params(labelbottom=True, length=2.5)
    bottom.set_xlabel(axis_label(data.length_unit))
    axes.set_ylabel(f"time to {measure} ({context.unit}{', logarithmic' if is_wide else ''})")
    is_labelled = len(lines) <= MOST_LABELLED
    furnish(
        figure,
        f"{len(lines)} systems on {machine}: {measure}",
        [
            _strips_text(strips, len(pairs), limit),
            context_text(context),
        ],
        [
            *([] if is_labelled else [styles[line.system.label].line(line.system.label) for line in slowest_first]),
            *_handles(lines, strips, limit),
        ],
        right=LABEL_ROOM if is_labelled else 0.0,
    )
    if is_labelled:
        settle(figure)
        label_ends(axes, [_line_end(line, styles[line.system.label], limit) for line in slowest_first])
    return figure


def _is_wide(lines: Sequence[Curve]) -> bool:
    """Return whether the slowest line would flatten the fastest one on a linear axis."""
    ends = [float(line.cycles[-1]) for line in lines]
    return 0 < min(ends) < max(ends) / _WIDE


def _logarithmic(axes: Axes, lines: Sequence[Curve], limit: int) -> None:
    shown = [line.cycles[(line.lengths <= limit) & (line.cycles > 0)] for line in lines]
    least, most = min(float(each.min()) for each in shown), max(float(each.max()) for each in shown)
    axes.set_yscale("log")
    cycles_log(axes.yaxis)
    axes.set_ylim(least / 1.2, most * 1.2)
    axes.grid(visible=True, axis="y", which="minor", linewidth=0.2)


def _line_end(line: Curve, style: Style, limit: int) -> LineEnd:
    return LineEnd(line.system.label, style, float(np.interp(limit, line.lengths, line.cycles)))


def _panels(figure: Figure, strips: int) -> tuple[Axes, list[Axes]]:
    if not strips:
        return figure.subplots(), []
    axes, *below = figure.subplots(1 + strips, 1, sharex=True, height_ratios=[3.0, *[_STRIP] * strips]).ravel()
    return axes, below


def _sameness(order: Ordering, limit: int) -> float:
    """Return -1 if there is a crossover, else the part of the lengths at which the same system is faster."""
    if any(crossover.length <= limit for crossover in order.cutoffs):
        return -1.0
    inside = order.verdicts[order.lengths <= limit]
    return float(abs(np.mean(inside))) if len(inside) else 0.0


def _mark(axes: Axes, pair: PairOrder, lines: Sequence[Curve], limit: int) -> None:
    """Draw a ring where two lines cross."""
    curve = next(line for line in lines if line.system == pair.second)
    for crossover in pair.order.cutoffs:
        if crossover.length <= limit:
            height = float(np.interp(crossover.length, curve.lengths, curve.cycles))
            axes.plot(
                [crossover.length],
                [height],
                marker="o",
                markersize=6,
                markerfacecolor="none",
                markeredgecolor="black",
                markeredgewidth=0.7,
                linestyle="",
                zorder=5,
                gid="crossover",
            )


def _draw_strip(axes: Axes, pair: PairOrder, styles: Mapping[str, Style], limit: int) -> None:
    """Draw the colour of the faster system at each length, grey where undecided, with the verdict above."""
    first, second = pair.first.label, pair.second.label
    colours = {FIRST: to_rgb(styles[first].colour), SECOND: to_rgb(styles[second].colour)}
    signs = _between(pair.order, limit)
    pixels = np.array([colours.get(sign, to_rgb(_UNDECIDED)) for sign in (FIRST, 0, SECOND)])[signs + 1]
    axes.imshow(pixels[None, :, :], extent=(0, limit, 0, 0.45), aspect="auto", interpolation="antialiased")
    for crossover in pair.order.cutoffs:
        if crossover.length <= limit:
            axes.plot([crossover.length] * 2, [0, 0.45], color="black", linewidth=1.0)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(labelbottom=False, length=0)
    line = blended_transform_factory(axes.transAxes, axes.transData)
    text = shortened(f"{first} and {second}: {verdict(pair, limit)}", 135)
    axes.text(0, 0.52, text, transform=line, fontsize=SMALL_SIZE, va="bottom").set_in_layout(False)


def _between(order: Ordering, limit: int) -> Signs:
    """Return a sign per byte from 0 to `limit`: between two lengths, the one that both have, else 0."""
    signs = np.zeros(limit + 1, np.int64)
    for begin, end, left, right in zip(
        order.lengths, order.lengths[1:], order.verdicts, order.verdicts[1:], strict=False
    ):
        if left == right:
            signs[begin : end + 1] = left
    return signs


def verdict(pair: PairOrder, limit: int) -> str:
    """Describe the crossovers, each with its undecided interval, or which system is faster throughout."""
    names = {FIRST: pair.first.label, SECOND: pair.second.label}
    shown = [crossover for crossover in pair.order.cutoffs if crossover.length <= limit]
    if shown:
        crossovers = [
            f"{names[each.faster_above]} from {each.length} on ({each.low} to {each.high} undecided)" for each in shown
        ]
        return f"{names[shown[0].faster_below]} faster, " + ", ".join(crossovers)
    inside = pair.order.verdicts[pair.order.lengths <= limit]
    ahead = int(np.sign(np.sum(inside)))
    if not ahead:
        return "no significant difference"
    decided = int(np.count_nonzero(inside == ahead))
    if decided == len(inside):
        return f"{names[ahead]} faster everywhere"
    return f"{names[ahead]} faster at {decided:,} of {len(inside):,} lengths, no crossover"


def _strips_text(strips: Sequence[PairOrder], pairs: int, limit: int) -> str:
    if not pairs:
        return "One system: nothing to compare."
    text = "Strips: the colour of the faster system, where the 95 % interval exceeds the A/A spread; grey is undecided."
    if _cross(strips, limit):
        text += " Rings and black lines: crossovers."
    return text if len(strips) == pairs else f"{text} {pairs - len(strips)} other pairs keep their order."


def _cross(strips: Sequence[PairOrder], limit: int) -> bool:
    """Return whether a crossover is drawn."""
    return any(crossover.length <= limit for pair in strips for crossover in pair.order.cutoffs)


def _handles(lines: Sequence[Curve], strips: Sequence[PairOrder], limit: int) -> list[Line2D | Patch]:
    """Return the legend entries of what is drawn."""
    handles: list[Line2D | Patch] = [*disturbed_handle(lines)]
    if _cross(strips, limit):
        ring = {"marker": "o", "markersize": 5, "markerfacecolor": "none", "markeredgecolor": "black"}
        handles.append(Line2D([], [], linestyle="", markeredgewidth=0.7, label="crossover", **ring))  # type: ignore[arg-type]
    if any((_between(pair.order, limit) == 0).any() for pair in strips):
        handles.append(Patch(facecolor=_UNDECIDED, label="undecided"))
    return handles
