# SPDX-License-Identifier: MIT OR Apache-2.0
"""The interactive graphs, made with bokeh and stored in data files as documents that its script draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from bokeh.embed import json_item
from bokeh.models import (
    BoxZoomTool,
    ColumnDataSource,
    HoverTool,
    NumeralTickFormatter,
    PanTool,
    PlainText,
    Range1d,
    ResetTool,
    SaveTool,
    WheelZoomTool,
)
from bokeh.plotting import figure

from cyclometer.analyse.site_series import Cloud, Line, Raw, cloud
from cyclometer.records.length_unit import BYTES, singular
from cyclometer.report.site import palette
from cyclometer.report.site.decimate import bucketed, thin

ENOUGH_FOR_LINES = 64  # lengths; a line of fewer has a marker at each
KEYED = "many keys"
DISTURBED = "disturbed lengths"
FIRST = "first timings"
SPREAD = "all timings, from lowest to highest"
EVERY = "every timing"


@dataclass(frozen=True, kw_only=True)
class Graph:
    """A document for bokeh's script, and the parts that can be switched on and off."""

    document: Any
    toggles: tuple[str, ...]  # names of renderers
    coloured: int  # number of toggles, the first ones, that are lines in a series colour
    off: tuple[str, ...]  # toggles that are initially off


def system_graph(
    lines: Sequence[Line],
    raw: Sequence[Raw],
    unit: str,
    in_order: Callable[[Iterable[str]], list[str]] = sorted,
    length_unit: str = BYTES,
) -> Graph | None:
    """Return the graph of one system; None if nothing was measured at several lengths."""
    single = _ordered([line for line in lines if line.keys == 1 and len(line.lengths) > 1], in_order)
    if not single:
        return None
    timings = cloud(raw)
    plot = _figure(unit, _reach(single), _ceiling(single), length_unit)
    spread = [_band(plot, line, timings, _colour(index)) for index, line in enumerate(single)]
    _diagonal(plot, single, _ceiling(single), length_unit)
    first = _first_timings(plot, timings)
    keyed = _active_keys(plot, [line for line in lines if line.keys > 1], unit, length_unit)
    disturbed = [_disturbed(plot, line, _colour(index)) for index, line in enumerate(single)]
    names = [_headlines(plot, line, _colour(index), unit, length_unit) for index, line in enumerate(single)]
    _every_timing(plot)
    kinds = ((KEYED, keyed), (DISTURBED, any(disturbed)), (FIRST, first), (SPREAD, any(spread)))
    more = [name for name, there in kinds if there]
    return Graph(document=json_item(plot), toggles=(*names, *more), coloured=len(names), off=(SPREAD,))


def comparison_graph(unit: str) -> Mapping[str, Any]:
    """Return an empty figure, which the comparison page fills with lines."""
    plot = _figure(unit, 8192, 1, BYTES)
    empty = ColumnDataSource({name: [] for name in ("xs", "ys", "label", "colour", "dash", "width")}, name="picked")
    drawn = plot.multi_line(
        "xs", "ys", source=empty, line_color="colour", line_dash="dash", line_width="width", name="picked"
    )
    tips = [("", "@label"), ("bytes", "$snap_x{0,0}"), (unit, "$snap_y{0,0.[00]}")]
    plot.add_tools(HoverTool(renderers=[drawn], tooltips=tips, line_policy="nearest"))
    return json_item(plot)


def _figure(unit: str, reach: float, ceiling: float, length_unit: str) -> figure:
    plot = figure(
        output_backend="webgl",
        sizing_mode="stretch_both",
        x_axis_label=length_label(length_unit),
        y_axis_label=PlainText(text=unit),  # plain text: names are not TeX
        x_range=Range1d(start=-0.01 * reach, end=1.01 * reach, bounds=(-0.05 * reach, 1.5 * reach)),
        y_range=Range1d(start=0, end=ceiling),
        tools=[],
        toolbar_location="above",
        background_fill_alpha=0,
        border_fill_alpha=0,
        outline_line_color=None,
        min_border_right=16,
    )
    wheel = WheelZoomTool(modifiers={"ctrl": True})
    pan = PanTool()
    plot.add_tools(pan, BoxZoomTool(), wheel, ResetTool(), SaveTool())
    plot.toolbar.logo = None
    plot.toolbar.active_scroll = wheel
    plot.toolbar.active_drag = pan
    for axis in plot.axis:
        axis.axis_line_color = palette.MUTED
        axis.major_tick_line_color = palette.MUTED
        axis.minor_tick_line_color = None
        axis.major_label_text_color = palette.MUTED
        axis.axis_label_text_color = palette.TEXT
        axis.axis_label_text_font_style = "normal"
        axis.major_label_text_font_size = "12px"
        axis.axis_label_text_font_size = "13px"
        axis.formatter = NumeralTickFormatter(format="0,0")
    plot.grid.grid_line_color = palette.GRID
    return plot


def length_label(length_unit: str) -> str:
    """Return the label of an axis of lengths."""
    return "length in bytes" if length_unit == BYTES else f"number of {length_unit}"


def _ordered(lines: Sequence[Line], in_order: Callable[[Iterable[str]], list[str]]) -> list[Line]:
    order = in_order({line.measure for line in lines})
    return sorted(lines, key=lambda line: (order.index(line.measure), line.ad_length))


def _reach(lines: Sequence[Line]) -> float:
    return float(max(line.lengths.max() for line in lines)) or 1.0


def _ceiling(lines: Sequence[Line]) -> float:
    return 1.12 * float(max(line.cycles.max() for line in lines)) or 1.0


def _label(line: Line) -> str:
    return line.measure + (f", {line.ad_length} bytes of associated data" if line.ad_length else "")


def _headlines(plot: figure, line: Line, colour: str, unit: str, length_unit: str) -> str:
    connected = connected_lengths(line)
    x, y = thin(line.lengths[connected], line.cycles[connected])
    indices = np.searchsorted(line.lengths, x)
    label = _label(line)
    source = ColumnDataSource(
        {
            "x": x,
            "y": y,
            "low": np.nan_to_num(line.low[indices], nan=0.0),
            "high": np.nan_to_num(line.high[indices], nan=0.0),
            "each": np.divide(y, x, out=np.zeros(len(y)), where=x > 0),
            "label": [label] * len(x),
        },
        name=label,
    )
    drawn: list[Any] = [plot.line("x", "y", source=source, line_color=colour, line_width=2, name=label)]
    if len(line.lengths) < ENOUGH_FOR_LINES:
        drawn.append(plot.scatter("x", "y", source=source, size=7, color=colour, name=label))
    tips = [("", "@label"), (length_unit, "@x{0,0}"), (unit, "@y{0,0.[0]}")]
    tips += [("95 %", "@low{0,0.[0]} to @high{0,0.[0]}"), (f"{unit}/{singular(length_unit)}", "@each{0.00}")]
    _hover(plot, drawn[:1], tips)  # anywhere on the line shows the nearest point
    return label


def connected_lengths(line: Line) -> npt.NDArray[np.bool_]:
    """Return which lengths a line connects: the undisturbed ones if they are the majority, else all."""
    undisturbed = ~line.disturbed
    return undisturbed if 2 * undisturbed.sum() > len(undisturbed) else np.ones(len(undisturbed), bool)


def _disturbed(plot: figure, line: Line, colour: str) -> bool:
    """Draw the lengths that the line leaves out as points."""
    rest = ~connected_lengths(line)
    x, y = thin(line.lengths[rest], line.cycles[rest])
    plot.scatter(x, y, size=3, color=colour, alpha=0.4, line_color=None, name=DISTURBED)
    return bool(rest.any())


def _hover(plot: figure, drawn: Sequence[Any], tips: list[tuple[str, str]]) -> None:
    plot.add_tools(HoverTool(renderers=list(drawn), tooltips=tips, mode="mouse", visible=False))


def _diagonal(plot: figure, lines: Sequence[Line], ceiling: float, length_unit: str) -> None:
    """Draw a line of constant cycles per byte: the power of two nearest to that of long packets."""
    longest = max(lines, key=lambda line: line.lengths.max())
    reach = float(longest.lengths.max())
    if not reach:
        return
    per_byte = 2.0 ** round(np.log2(max(longest.cycles[-1] / reach, 2**-6)))
    plot.line([0, reach], [0, per_byte * reach], line_color=palette.MUTED, line_dash="dotted", line_width=1)
    at, text = 0.97 * min(reach, ceiling / per_byte), f"{per_byte:g} per {singular(length_unit)}"
    plot.text(
        x=[at], y=[at * per_byte], text=[text], text_color=palette.MUTED, text_font_size="12px",
        text_align="right", text_baseline="bottom", x_offset=-6,
    )  # fmt: skip


def _colour(index: int) -> str:
    return palette.SERIES[index % len(palette.SERIES)]


def _band(plot: figure, line: Line, timings: Cloud, colour: str) -> bool:
    """Draw all timings except the first of each series as a band from the lowest to the highest."""
    chosen = timings.of(line.measure, line.ad_length) & ~timings.first
    if not chosen.any():
        return False
    band = bucketed(timings.lengths[chosen], timings.cycles[chosen])
    plot.varea(x=band.x, y1=band.low, y2=band.high, fill_color=colour, fill_alpha=0.16, name=SPREAD)
    return True


def _first_timings(plot: figure, timings: Cloud) -> bool:
    """Draw the first timings of all series: the lowest, middle and highest of each bucket."""
    if not timings.first.any():
        return False
    band = bucketed(timings.lengths[timings.first], timings.cycles[timings.first])
    x, y = np.tile(band.x, 3), np.concatenate([band.low, band.middle, band.high])
    plot.scatter(x, y, size=3, color=palette.MUTED, alpha=0.45, line_color=None, name=FIRST)
    return True


def _active_keys(plot: figure, lines: Sequence[Line], unit: str, length_unit: str) -> bool:
    """Draw the curves of packets under many active keys."""
    drawn: list[Any] = []
    for index, line in enumerate(sorted(lines, key=lambda line: line.keys)):
        label = [f"{line.measure}, {line.keys} keys"] * len(line.lengths)
        source = ColumnDataSource({"x": line.lengths, "y": line.cycles, "label": label})
        colour = palette.SERIES[3 + index % (len(palette.SERIES) - 3)]
        if len(line.lengths) > 1:
            drawn.append(plot.line("x", "y", source=source, line_color=colour, line_width=1.5, name=KEYED))
        else:
            drawn.append(plot.scatter("x", "y", source=source, size=6, marker="diamond", color=colour, name=KEYED))
    if drawn:
        _hover(plot, drawn, [("", "@label"), (length_unit, "@x{0,0}"), (unit, "@y{0,0.[0]}")])
    return bool(drawn)


def _every_timing(plot: figure) -> None:
    """Add an empty layer that the page fills from the file of raw samples on request."""
    source = ColumnDataSource({"x": [], "y": []}, name=EVERY)
    plot.scatter("x", "y", source=source, size=2, color=palette.TEXT, alpha=0.25, line_color=None, name=EVERY)
