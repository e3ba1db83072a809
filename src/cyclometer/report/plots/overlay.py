# SPDX-License-Identifier: MIT OR Apache-2.0
"""Systems superimposed, with the lengths at which one overtakes another and where that is undecided."""

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

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import FIRST, SECOND, Curve, Ordering, PairOrder, PlotData, PlotInputs, PlotOptions
from cyclometer.report.plots._axes import (
    common_scale,
    cycles_per_byte,
    disturbed_handle,
    draw_curve,
    draw_diagonal,
    draw_disturbed,
    length_axes,
    long_curves,
    thinned,
)
from cyclometer.report.plots._page import FULL, SMALL_SIZE, Picture, Style, furnish, line_styles, page, shortened
from cyclometer.report.text import context_text

NEEDS = PlotInputs(rivalries=True)

Signs = npt.NDArray[np.int64]

_UNDECIDED = "#DADADA"
_FEW = 4  # systems of which every pair has a strip; of more, those pairs whose order is not the same everywhere
_SAME = 0.99  # of the lengths
_MOST_STRIPS = 15
_STRIP = 0.27  # inches, with the words above it


def draw(materials: Sequence[PlotData], taste: PlotOptions) -> Iterator[Picture]:
    """One picture an operation, machine and measure."""
    drawn = 0
    for material in materials:
        lines = long_curves(material, taste)
        for machine, measure in dict.fromkeys((line.system.machine, line.measure) for line in lines):
            mine = [line for line in lines if (line.system.machine, line.measure) == (machine, measure)]
            drawn += 1
            yield Picture(
                name=f"{material.operation}-{measure}-{machine}", figure=_figure(material, machine, mine, taste)
            )
    if not drawn:
        raise NothingToDo("nothing of the kind was measured at several lengths; `cyclometer plot overview` shows it")


def _figure(material: PlotData, machine: str, lines: Sequence[Curve], taste: PlotOptions) -> Figure:
    context, measure = material.contexts[machine], lines[0].measure
    limit = taste.up_to or max(int(line.lengths[-1]) for line in lines)
    slowest_first = sorted(lines, key=lambda line: (-thinned(line, limit, 128).cycles[-1], line.system.label))
    rivalries = sorted(
        (each for each in material.rivalries if (each.first.machine, each.measure) == (machine, measure)),
        key=lambda each: (_sameness(each.order, limit), each.first.label, each.second.label),
    )
    strips = [each for each in rivalries if len(lines) <= _FEW or _sameness(each.order, limit) < _SAME][:_MOST_STRIPS]
    styles = line_styles(sorted(line.system.label for line in lines))
    figure = page(FULL, 4.3 + _STRIP * len(strips))
    axes, below = _panels(figure, len(strips))
    per_byte = taste.diagonal or common_scale(sorted(cycles_per_byte([line], limit) for line in lines))
    length_axes(axes, limit, per_byte * limit, ticks=8)
    draw_diagonal(axes, per_byte, limit, context.unit)
    for line in slowest_first:
        draw_curve(axes, line, styles[line.system.label], points=1200)
    draw_disturbed(axes, lines)
    for strip, rivalry in zip(below, strips, strict=True):
        _mark(axes, rivalry, lines, limit)
        _draw_strip(strip, rivalry, styles, limit)
    bottom = below[-1] if below else axes
    bottom.tick_params(labelbottom=True, length=2.5)
    bottom.set_xlabel("packet length (bytes)")
    axes.set_ylabel(f"time to {measure} a packet ({context.unit})")
    furnish(
        figure,
        f"{len(lines)} systems on {machine}: {measure}",
        [
            _strips_text(len(strips), len(rivalries)),
            context_text(context),
        ],
        [*(styles[line.system.label].line(line.system.label) for line in slowest_first), *_handles(lines, strips)],
    )
    return figure


def _panels(figure: Figure, strips: int) -> tuple[Axes, list[Axes]]:
    if not strips:
        return figure.subplots(), []
    axes, *below = figure.subplots(1 + strips, 1, sharex=True, height_ratios=[3.0, *[_STRIP] * strips]).ravel()
    return axes, below


def _sameness(order: Ordering, limit: int) -> float:
    """-1 where there is a cut-off; else the part of the lengths at which the same one is faster."""
    if any(cutoff.length <= limit for cutoff in order.cutoffs):
        return -1.0
    inside = order.verdicts[order.lengths <= limit]
    return float(abs(np.mean(inside))) if len(inside) else 0.0


def _mark(axes: Axes, rivalry: PairOrder, lines: Sequence[Curve], limit: int) -> None:
    """A ring where two lines cross."""
    curve = next(line for line in lines if line.system == rivalry.second)
    for cutoff in rivalry.order.cutoffs:
        if cutoff.length <= limit:
            height = float(np.interp(cutoff.length, curve.lengths, curve.cycles))
            axes.plot(
                [cutoff.length],
                [height],
                marker="o",
                markersize=6,
                markerfacecolor="none",
                markeredgecolor="black",
                markeredgewidth=0.7,
                linestyle="",
                zorder=5,
                gid="cut-off",
            )


def _draw_strip(axes: Axes, rivalry: PairOrder, styles: Mapping[str, Style], limit: int) -> None:
    """The colour of the faster at each length, grey where that is undecided; the words stand above."""
    first, second = rivalry.first.label, rivalry.second.label
    colours = {FIRST: to_rgb(styles[first].colour), SECOND: to_rgb(styles[second].colour)}
    signs = _between(rivalry.order, limit)
    pixels = np.array([colours.get(sign, to_rgb(_UNDECIDED)) for sign in (FIRST, 0, SECOND)])[signs + 1]
    axes.imshow(pixels[None, :, :], extent=(0, limit, 0, 0.45), aspect="auto", interpolation="antialiased")
    for cutoff in rivalry.order.cutoffs:
        if cutoff.length <= limit:
            axes.plot([cutoff.length] * 2, [0, 0.45], color="black", linewidth=1.0)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.tick_params(labelbottom=False, length=0)
    line = blended_transform_factory(axes.transAxes, axes.transData)
    words = shortened(f"{first} and {second}: {verdict(rivalry, limit)}", 135)
    axes.text(0, 0.52, words, transform=line, fontsize=SMALL_SIZE, va="bottom").set_in_layout(False)


def _between(order: Ordering, limit: int) -> Signs:
    """A sign for every byte from 0 to `limit`: between two lengths, the one that both have."""
    signs = np.zeros(limit + 1, np.int64)
    for begin, end, left, right in zip(
        order.lengths, order.lengths[1:], order.verdicts, order.verdicts[1:], strict=False
    ):
        if left == right:
            signs[begin : end + 1] = left
    return signs


def verdict(rivalry: PairOrder, limit: int) -> str:
    """In words: the cut-offs with the interval in which the order is undecided, or who is always faster."""
    names = {FIRST: rivalry.first.label, SECOND: rivalry.second.label}
    shown = [cutoff for cutoff in rivalry.order.cutoffs if cutoff.length <= limit]
    if shown:
        words = [
            f"{names[cutoff.faster_above]} from {cutoff.length} on ({cutoff.low} to {cutoff.high} undecided)"
            for cutoff in shown
        ]
        return f"{names[shown[0].faster_below]} faster, " + ", ".join(words)
    inside = rivalry.order.verdicts[rivalry.order.lengths <= limit]
    ahead = int(np.sign(np.sum(inside)))
    if not ahead:
        return "no difference seen"
    decided = int(np.count_nonzero(inside == ahead))
    if decided == len(inside):
        return f"{names[ahead]} faster everywhere"
    return f"{names[ahead]} faster at {decided:,} of {len(inside):,} lengths, no cut-off"


def _strips_text(strips: int, pairs: int) -> str:
    if not pairs:
        return "One system: nothing to compare."
    text = (
        "Strips: the colour of the faster of two, decided by a 95 % bootstrap over rounds and beyond the A/A spread."
        " Rings and black lines: cut-offs, in bytes."
    )
    return text if strips == pairs else f"{text} {pairs - strips} more pairs compared keep their order."


def _handles(lines: Sequence[Curve], strips: Sequence[PairOrder]) -> list[Line2D | Patch]:
    handles: list[Line2D | Patch] = [*disturbed_handle(lines)]
    if strips:
        ring = {"marker": "o", "markersize": 5, "markerfacecolor": "none", "markeredgecolor": "black"}
        handles += [
            Line2D([], [], linestyle="", markeredgewidth=0.7, label="cut-off", **ring),  # type: ignore[arg-type]
            Patch(facecolor=_UNDECIDED, label="undecided"),
        ]
    return handles
