# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names written at the right ends of lines, so that nobody has to look them up in a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.transforms import blended_transform_factory

from cyclometer.report.plots._page import SMALL_SIZE, Style, shortened

MOST_LABELLED = 14
"""Lines beyond this number have a legend instead."""

LABEL_ROOM = 1.5
"""Inches to the right of the axes that the names need."""

_APART = 1.25  # least distance of two names, in heights of the text
_LONGEST = 27  # characters


class LineEnd(NamedTuple):
    """A line's name and style, and the value at which it ends."""

    name: str
    style: Style
    value: float


def label_ends(axes: Axes, ends: Sequence[LineEnd]) -> None:
    """Write each name beside the end of its line, moved apart where ends are close; call it after the y axis is set.

    A thin line leads from a moved name to the end it belongs to. An end above the frame has its name at the top.
    """
    height = axes.get_window_extent().height / axes.figure.dpi * 72  # points
    apart = _APART * SMALL_SIZE / height
    wanted = [min(max(_fraction(axes, end.value), 0.0), 1.0) for end in ends]
    places = spread(wanted, apart)
    over = blended_transform_factory(axes.transAxes, axes.transAxes)
    for end, at, place in zip(ends, wanted, places, strict=True):
        axes.annotate(
            shortened(end.name, _LONGEST),
            xy=(1.0, at),
            xytext=(1.035, place),
            xycoords=over,
            textcoords=over,
            color=end.style.colour,
            fontsize=SMALL_SIZE,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": end.style.colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 0},
        )


def _fraction(axes: Axes, value: float) -> float:
    """Return how far up the axis a value is, 0 to 1."""
    return float(axes.transAxes.inverted().transform(axes.transData.transform((axes.get_xlim()[1], value)))[1])


def spread(wanted: Sequence[float], apart: float) -> list[float]:
    """Return places at least `apart` from each other, in the same order, with the least sum of squared moves.

    That is isotonic regression of the wanted places, each less its rank times `apart`: neighbours that would overlap
    form a block around their mean.
    """
    order = np.argsort(wanted, kind="stable")
    blocks: list[list[float]] = []  # sum, count
    for rank, index in enumerate(order):
        blocks.append([wanted[index] - rank * apart, 1.0])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            total, count = blocks.pop()
            blocks[-1][0] += total
            blocks[-1][1] += count
    levels = [total / count for total, count in blocks for _ in range(int(count))]
    places = [0.0] * len(wanted)
    for rank, index in enumerate(order):
        places[index] = levels[rank] + rank * apart
    return places
