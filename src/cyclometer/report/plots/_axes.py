# SPDX-License-Identifier: MIT OR Apache-2.0
"""The parts of plots over the packet length: axes, lines, clouds, the diagonal, marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MultipleLocator, NullFormatter

from cyclometer.errors import NothingToDo
from cyclometer.records.curve import Cloud, Curve, Floats, Integers, PlotData, PlotOptions
from cyclometer.records.length_unit import singular
from cyclometer.report.plots._page import BLUE, DOTS, GREEN, GREY, PURPLE, SMALL_SIZE, VERMILLION, Style, line_styles
from cyclometer.report.text import INTERPOLATED

RAW, FIRST, DISTURBED = "#777777", PURPLE, "#B00020"

FEW_LENGTHS = 64
"""A curve of at most this many lengths has a marker at each."""


class Trace(NamedTuple):
    """The points of a curve that are drawn as a line and a band."""

    lengths: Floats | Integers
    cycles: Floats
    first_quartile: Floats
    third_quartile: Floats


_FEW_TIMINGS = 20_000  # drawn as points; more are drawn as an image of their density
_USUAL = {
    "encrypt": Style(colour=BLUE, dash="-", marker="o"),
    "decrypt": Style(colour=VERMILLION, dash=(0, (4, 1.2)), marker="s"),
    "reject": Style(colour=GREEN, dash=(0, (4, 1.2, 1, 1.2)), marker="^"),
}
_NICE = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0)


def measure_styles(measures: Iterable[str]) -> dict[str, Style]:
    """Return a style per measure, the same in all plots of authenticated encryption."""
    names = list(dict.fromkeys(measures))
    if all(name in _USUAL for name in names):
        return {name: _USUAL[name] for name in sorted(names, key=list(_USUAL).index)}
    return line_styles(sorted(names))


def long_curves(data: PlotData, options: PlotOptions) -> list[Curve]:
    """Return the curves over packet lengths with one active key, of the selected measure or of all.

    A curve has at least two lengths, not longer than the longest that is to be shown.
    """
    return [
        curve
        for curve in data.curves
        if curve.keys == 1
        and len(curve.lengths) > 1
        and (not options.up_to or curve.lengths[1] <= options.up_to)
        and curve.measure == (options.measure or curve.measure)
    ]


def require_lines(drawn: int, datasets: Sequence[PlotData], options: PlotOptions) -> None:
    """Raise `NothingToDo` if no curve over packet lengths was drawn."""
    if drawn:
        return
    if options.up_to and (longer := [c for data in datasets for c in long_curves(data, replace(options, up_to=0))]):
        least = min(int(curve.lengths[1]) for curve in longer)
        raise NothingToDo(f"--up-to {options.up_to} leaves nothing to draw; a line needs two lengths: at least {least}")
    raise NothingToDo("the selected runs have no such measurements at several lengths; try `cyclometer plot overview`")


def nice_above(value: float) -> float:
    """Return the least number with one or two significant digits that is not below a positive value."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next((nice * power for nice in _NICE if nice * power >= value * (1 - 1e-9)), 10 * power)


def cycles_per_byte(curves: Sequence[Curve], limit: int) -> float:
    """Return the slope, in cycles per byte, of a diagonal below which all curves lie up to `limit` bytes."""
    highest = max(
        (float(np.max(thinned(curve, limit, 128).third_quartile, initial=0)) for curve in curves), default=0.0
    )
    return nice_above(1.06 * highest / max(limit, 1))


def length_axes(axes: Axes, limit: int, top: float, ticks: int = 4) -> None:
    """Set up axes with the packet length on x and cycles on y, both from 0."""
    axes.set_xlim(0, limit)
    cycles_up(axes, top)
    axes.xaxis.set_major_locator(MultipleLocator(2 ** max(0, math.ceil(math.log2(limit / ticks)))))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))


def cycles_up(axes: Axes, top: float) -> None:
    """Set up the y axis with cycles from 0 to `top`."""
    axes.set_ylim(0, top)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.grid(visible=True)


def cycles_log(axis: Axis, labels: Sequence[int] = (1, 2, 5)) -> None:
    """Label a logarithmic axis at `labels` times powers of ten."""
    axis.set_major_locator(LogLocator(10, subs=labels))
    axis.set_minor_locator(LogLocator(10, subs=range(2, 10)))
    axis.set_minor_formatter(NullFormatter())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))


def at_length(curve: Curve, length: int) -> float:
    """Return the headline at a length that the curve has."""
    return float(curve.cycles[np.searchsorted(curve.lengths, length)])


def interpolated_text(between: Iterable[tuple[int, ...]]) -> str:
    """Return the caption's remark on lengths that were not measured; `between` has the neighbours of each number."""
    neighbours = sorted({each for each in between if each})
    if not neighbours:
        return ""
    return f" {INTERPOLATED} interpolated between {', '.join(f'{low} and {high}' for low, high in neighbours)}."


def keys_axis(axes: Axes, most: int) -> None:
    """Set up the x axis with the number of active keys, doubling from tick to tick."""
    axes.set_xscale("log", base=2)
    axes.set_xlim(1 / 1.25, most * 1.25)
    ticks = [2**power for power in range(0, math.ceil(math.log2(max(most, 2))) + 1) if 2**power <= most]
    axes.xaxis.set_major_locator(FixedLocator(ticks[:: 1 if len(ticks) <= 5 else 3]))
    axes.xaxis.set_minor_locator(FixedLocator(ticks))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def per_byte_text(per_byte: float, unit: str, length_unit: str) -> str:
    """Return text such as 1 cycle/byte or 2.5 cycles/block."""
    unit = unit.removeprefix("core ")
    counted = unit.removesuffix("s") if per_byte == 1 and len(unit) > 2 else unit
    return f"{per_byte:.3g} {counted}/{singular(length_unit)}"


def draw_diagonal(axes: Axes, per_byte: float, limit: int, unit: str, length_unit: str) -> None:
    """Draw a line of constant cycles per unit of length, labelled along it."""
    axes.plot([0, limit], [0, per_byte * limit], color=GREY, linewidth=0.6, zorder=1.5, gid="diagonal")
    axes.text(
        0.60 * limit,
        0.60 * limit * per_byte,
        per_byte_text(per_byte, unit, length_unit),
        fontsize=SMALL_SIZE,
        color="#505050",
        rotation=math.degrees(math.atan(per_byte)),
        rotation_mode="anchor",
        transform_rotates_text=True,
        va="bottom",
        ha="center",
        path_effects=[withStroke(linewidth=1.5, foreground="white")],
        zorder=4,
    ).set_in_layout(False)


def thinned(curve: Curve, limit: int, points: int) -> Trace:
    """Reduce a curve up to `limit` bytes to at most `points` points: medians of 2, 4, 8 ... neighbouring lengths.

    A power of two avoids moiré patterns with the steps of block ciphers.
    """
    count = int(np.searchsorted(curve.lengths, limit, "right"))
    columns = (curve.lengths[:count], curve.cycles[:count], curve.first_quartile[:count], curve.third_quartile[:count])
    width = 2 ** max(0, math.ceil(math.log2(max(count, 1) / points)))
    if width == 1:
        return Trace(*columns)
    return Trace(*(_medians(column.astype(np.float64), width) for column in columns))


def _medians(values: Floats, width: int) -> Floats:
    """Return the medians of every `width` successive values, and of the remaining ones."""
    whole = len(values) // width * width
    medians = np.median(values[:whole].reshape(-1, width), axis=1)
    return medians if whole == len(values) else np.append(medians, np.median(values[whole:]))


def draw_curve(
    axes: Axes, curve: Curve, style: Style, *, points: int = 600, band: bool = True, width: float = 0.9
) -> None:
    """Draw the headlines as a line and the quartiles as a band; a curve of few lengths has markers.

    Open markers are disturbed headlines.
    """
    trace = thinned(curve, int(axes.get_xlim()[1]), points)
    axes.plot(trace.lengths, trace.cycles, color=style.colour, linestyle=style.dash, linewidth=width, zorder=3)
    if band:
        axes.fill_between(
            trace.lengths,
            trace.first_quartile,
            trace.third_quartile,
            color=style.colour,
            alpha=0.22,
            linewidth=0,
            zorder=2.5,
        )
    if len(curve.lengths) <= FEW_LENGTHS:
        _draw_markers(axes, curve, style)


def _draw_markers(axes: Axes, curve: Curve, style: Style) -> None:
    shown = (curve.lengths <= axes.get_xlim()[1]) & (curve.cycles <= axes.get_ylim()[1])
    for which, face in ((curve.disturbed & shown, "white"), (~curve.disturbed & shown, style.colour)):
        if which.any():
            (markers,) = axes.plot(
                curve.lengths[which],
                curve.cycles[which],
                linestyle="",
                marker=style.marker,
                markersize=2.6,
                markeredgewidth=0.6,
                markerfacecolor=face,
                markeredgecolor=style.colour,
                zorder=3.5,
                clip_on=False,
            )
            markers.set_in_layout(False)


def draw_disturbed(axes: Axes, curves: Sequence[Curve]) -> None:
    """Mark the disturbed headlines of curves with many lengths in a strip along the top."""
    many = [curve for curve in curves if len(curve.lengths) > FEW_LENGTHS]
    if not any(curve.disturbed.any() for curve in many):
        return
    low, high = axes.get_xlim()
    edges = np.linspace(low, high, 401)
    shares = np.zeros(400)
    for curve in many:
        disturbed, _ = np.histogram(curve.lengths[curve.disturbed], edges)
        all_of_them, _ = np.histogram(curve.lengths, edges)
        shares = np.maximum(shares, disturbed / np.maximum(all_of_them, 1))
    pixels = np.zeros((1, 400, 4))
    pixels[..., :3] = to_rgb(DISTURBED)
    pixels[0, :, 3] = shares
    strip = axes.inset_axes((0, 0.986, 1, 0.014), zorder=2)
    strip.imshow(pixels, aspect="auto", extent=(0, 1, 0, 1), interpolation="nearest")
    strip.set_axis_off()
    strip.set_gid("disturbed")


def above_frame(clouds: Sequence[Cloud], limit: int, top: float) -> tuple[int, int]:
    """Count the timings of packets up to `limit` bytes: those above `top` cycles, and all."""
    inside = [cloud.cycles[cloud.lengths <= limit] for cloud in clouds]
    return sum(int(np.count_nonzero(cycles > top)) for cycles in inside), sum(len(cycles) for cycles in inside)


def clouds_text(clouds: Sequence[Cloud], limit: int, per_byte: float) -> str:
    """Return the caption's remark on the number of raw timings, and how many lie above the frame."""
    hidden, total = above_frame(clouds, limit, per_byte * limit)
    above = f", {hidden:,} of them above the frame" if hidden else ""
    return f"{total:,} raw timings{above}."


def draw_cloud(axes: Axes, clouds: Sequence[Cloud]) -> None:
    """Draw every raw timing in grey, and the first of each series in colour; call it after all layout."""
    lengths = np.concatenate([cloud.lengths for cloud in clouds]) if clouds else np.empty(0, np.int32)
    cycles = np.concatenate([cloud.cycles for cloud in clouds]) if clouds else np.empty(0, np.float32)
    first = np.concatenate([cloud.first for cloud in clouds]) if clouds else np.empty(0, bool)
    inside = lengths <= axes.get_xlim()[1]
    for which, colour, faintest in ((~first & inside, RAW, 0.3), (first & inside, FIRST, 0.55)):
        if len(lengths) <= _FEW_TIMINGS:
            _draw_points(axes, lengths[which], cycles[which], colour)
        else:
            _draw_density(axes, lengths[which], cycles[which], colour, faintest)


def _draw_points(axes: Axes, lengths: npt.NDArray[np.int32], cycles: npt.NDArray[np.float32], colour: str) -> None:
    axes.plot(
        lengths,
        cycles,
        linestyle="",
        marker=".",
        markersize=1.8,
        markeredgewidth=0,
        color=colour,
        alpha=0.5,
        rasterized=True,
        zorder=1,
    )


def _draw_density(
    axes: Axes, lengths: npt.NDArray[np.int32], cycles: npt.NDArray[np.float32], colour: str, faintest: float
) -> None:
    """Draw timings as pixels at print resolution: one timing is visible, many are darker."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    box = axes.get_window_extent()
    size = (max(int(box.width * DOTS / axes.figure.dpi), 2), max(int(box.height * DOTS / axes.figure.dpi), 2))
    columns = np.clip(((lengths - left) / (right - left) * size[0]).astype(np.int64), 0, size[0] - 1)
    heights = np.floor((cycles - bottom) / (top - bottom) * size[1]).astype(np.int64)
    inside = (heights >= 0) & (heights < size[1])
    counts = np.bincount(heights[inside] * size[0] + columns[inside], minlength=size[0] * size[1])
    pixels = np.zeros((size[1], size[0], 4), np.float32)
    pixels[..., :3] = to_rgb(colour)
    shade = faintest + (0.85 - faintest) * np.log1p(counts) / math.log1p(max(int(counts.max(initial=1)), 2))
    pixels[..., 3] = np.where(counts > 0, shade, 0).reshape(size[1], size[0])
    axes.imshow(
        pixels, extent=(left, right, bottom, top), aspect="auto", origin="lower", interpolation="antialiased", zorder=1
    )


def cloud_handles() -> list[Line2D]:
    """Return the legend entries of raw timings."""
    return [
        Line2D([], [], linestyle="", marker=".", markersize=4, color=RAW, label="raw timings"),
        Line2D([], [], linestyle="", marker=".", markersize=4, color=FIRST, label="first timing of a series"),
    ]


def band_handle() -> Patch:
    """Return the legend entry of the quartiles."""
    return Patch(facecolor=RAW, alpha=0.3, label="quartiles")


def disturbed_handle(curves: Sequence[Curve]) -> list[Line2D]:
    """Return the legend entry of disturbed headlines, if there are any."""
    several = [curve.disturbed for curve in curves]
    if not any(flags.any() for flags in several):
        return []
    if all(len(flags) > FEW_LENGTHS for flags in several if flags.any()):
        return [Line2D([], [], color=DISTURBED, linewidth=2, label="disturbed lengths")]
    mark = {"marker": "o", "markerfacecolor": "white", "markeredgecolor": "black", "markersize": 3.2}
    return [Line2D([], [], linestyle="", label="disturbed", markeredgewidth=0.6, **mark)]  # type: ignore[arg-type]
