# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plot of histories: a panel for each, cycles by run, a line where the level changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from cyclometer.analyse.history import History
from cyclometer.records.table import Table
from cyclometer.report.plots._page import BLUE, FULL, ORANGE, TEXT_SIZE, Picture, furnish, page, plain
from cyclometer.report.text import context_text

_ROW = 1.7  # inches
_MOST_NAMED = 8  # runs that have their name below the axis


def draw(histories: Sequence[tuple[History, Table]]) -> Iterator[Picture]:
    """Yield one picture with a panel for each history; the captions are of the tables."""
    figure = page(FULL, 0.7 + _ROW * len(histories))
    panels = figure.subplots(len(histories), 1, squeeze=False)[:, 0]
    for panel, (history, _) in zip(panels, histories, strict=True):
        _panel(panel, history)
    marks = [Line2D([], [], color=BLUE, marker="o", markersize=3, label="cycles of a run, 95 % interval")]
    if any(entry.begins for history, _ in histories for entry in history.entries):
        marks += [Line2D([], [], color=ORANGE, linestyle="--", label="the speed changes")]
    contexts = {context.machine: context for _, table in histories for context in table.contexts}
    furnish(figure, "Cycles from run to run", [context_text(each) for each in contexts.values()], marks)
    yield Picture(name="history", figure=figure)


def _panel(panel: Axes, history: History) -> None:
    """Draw one history; runs are equally far apart, because it is their order that matters."""
    positions = range(len(history.entries))
    cycles = [entry.cell.cycles for entry in history.entries]
    bounds = [entry.cell.interval or (entry.cell.cycles, entry.cell.cycles) for entry in history.entries]
    errors = [
        [max(value - low, 0.0) for value, (low, _) in zip(cycles, bounds, strict=True)],
        [max(high - value, 0.0) for value, (_, high) in zip(cycles, bounds, strict=True)],
    ]
    panel.errorbar(positions, cycles, yerr=errors, fmt="o-", color=BLUE, linewidth=0.9, markersize=3, capsize=1.5)
    for position, entry in zip(positions, history.entries, strict=True):
        if entry.begins:
            panel.axvline(position - 0.5, color=ORANGE, linestyle="--", linewidth=0.9)
    panel.set_title(plain(history.title), loc="left", fontsize=TEXT_SIZE)
    panel.set_ylabel(history.unit)
    labels = [entry.info.label or entry.info.run for entry in history.entries]
    step = max(1, len(labels) // _MOST_NAMED)
    panel.set_xticks(list(positions)[::step], labels[::step], rotation=20, ha="right")
    panel.grid(visible=True, axis="y")
