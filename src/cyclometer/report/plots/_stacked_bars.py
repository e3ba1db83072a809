# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stacked bars: the parts of a prediction, and a line where the measured whole is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cyclometer.records.bars import Bars
from cyclometer.report.plots._page import BLACK, FULL, TEXT_SIZE, Picture, furnish, page, plain

_COLOURS = ("#B8B8B8", "#4C78A8", "#F2A541")  # distinguishable in grey, too
_BAR, _BESIDE = 0.22, 0.6  # inches: a bar, title and axis
_HALF = 0.38  # of the room of a bar, above and below its middle


def draw(pictures: Sequence[Bars]) -> Iterator[Picture]:
    """Yield one picture with all stacks below each other."""
    heights = [_BAR * len(picture.bars) + _BESIDE for picture in pictures]
    figure = page(FULL, sum(heights) + 0.6)
    axes = figure.subplots(len(pictures), squeeze=False, height_ratios=heights)[:, 0]
    for picture, each in zip(pictures, axes, strict=True):
        _draw(each, picture)
    parts = [Patch(color=colour, label=plain(name)) for name, colour in zip(pictures[0].parts, _COLOURS, strict=False)]
    measured = Line2D(
        [], [], color=BLACK, linestyle="", marker="|", markersize=8, markeredgewidth=1.5, label="measured"
    )
    furnish(figure, "What a call consists of", [pictures[-1].caption], [*parts, measured])
    yield Picture(name="bars", figure=figure)


def _draw(axes: Axes, picture: Bars) -> None:
    places = np.arange(len(picture.bars))[::-1]
    left = np.zeros(len(picture.bars))
    for index in range(len(picture.parts)):
        widths = np.array([bar.parts[index] for bar in picture.bars])
        axes.barh(places, widths, 2 * _HALF, left=left, color=_COLOURS[index % len(_COLOURS)])
        left += widths
    measured = [bar.measured for bar in picture.bars]
    axes.vlines(measured, places - _HALF, places + _HALF, color=BLACK, linewidth=1.5)
    axes.set_yticks(places, [plain(bar.label) for bar in picture.bars])
    axes.set_xlim(0, 1.08 * max(*measured, float(left.max())))
    axes.set_title(plain(picture.title), loc="left", fontsize=TEXT_SIZE)
    axes.set_xlabel(picture.unit)
