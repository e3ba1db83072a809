# SPDX-License-Identifier: MIT OR Apache-2.0
"""Draws stacked bars: the parts of a prediction, and a line where the measured whole is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cyclometer.errors import CyclometerError, on_disk
from cyclometer.records.bars import Bars
from cyclometer.report.picture_file import SUFFIXES

_COLOURS = ("#B8B8B8", "#4C78A8", "#F2A541")  # distinguishable in grey, too
_BAR = 0.32  # inches
_HALF = 0.38  # of the room of a bar, above and below its middle


def require_drawable(file: Path) -> None:
    """Refuse a file that nothing can be drawn into, before anything is measured for it."""
    if file.suffix not in SUFFIXES:
        raise CyclometerError(f"{file} has no suffix of a picture; name it .png, .svg or .pdf")
    if not file.parent.is_dir():
        raise CyclometerError(f"{file}: its folder does not exist; make it, or name another file")


def draw_stacked_bars(pictures: Sequence[Bars], file: Path) -> None:
    """Draw all pictures below each other."""
    counts = [len(picture.bars) for picture in pictures]
    heights = [_BAR * count + 0.9 for count in counts]
    figure = Figure(figsize=(8.0, sum(heights)), layout="constrained")
    axes = figure.subplots(len(pictures), squeeze=False, height_ratios=heights)[:, 0]
    for picture, each in zip(pictures, axes, strict=True):
        _draw(each, picture)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=4, fontsize=8, frameon=False)
    figure.supxlabel(pictures[-1].caption, fontsize=7, x=0.01, ha="left")
    with on_disk("write", file):
        figure.savefig(file, dpi=150)


def _draw(axes: Axes, picture: Bars) -> None:
    places = np.arange(len(picture.bars))[::-1]
    left = np.zeros(len(picture.bars))
    for index, name in enumerate(picture.parts):
        widths = np.array([bar.parts[index] for bar in picture.bars])
        axes.barh(places, widths, 2 * _HALF, left=left, label=name, color=_COLOURS[index % len(_COLOURS)])
        left += widths
    measured = [bar.measured for bar in picture.bars]
    axes.vlines(measured, places - _HALF, places + _HALF, color="black", linewidth=2, label="measured")
    axes.set_yticks(places, [bar.label for bar in picture.bars], fontsize=8)
    axes.set_xlim(0, 1.08 * max(*measured, float(left.max())))
    axes.set_title(picture.title, fontsize=9, loc="left")
    axes.set_xlabel(picture.unit, fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
