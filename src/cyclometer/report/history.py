# SPDX-License-Identifier: MIT OR Apache-2.0
"""The plot of histories: a panel for each, cycles by time, a line where the level changes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cyclometer.analyse.history import History
from cyclometer.errors import CyclometerError, MachineUnfit
from cyclometer.report.picture_file import SUFFIXES, write_picture


def draw(histories: Sequence[History], path: Path) -> None:
    """Write the plot to a file, whose suffix is its format. Raises `CyclometerError` for another one."""
    if path.suffix not in SUFFIXES:
        raise CyclometerError(f"{path} is no picture; name a file that ends in {', '.join(SUFFIXES)}")
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra, which takes long to import
    except ModuleNotFoundError as error:
        raise MachineUnfit("plots need matplotlib: pip install 'cyclometer[plots]'") from error
    figure = Figure(figsize=(8, 1 + 2.2 * len(histories)), layout="constrained")
    panels = figure.subplots(len(histories), 1, squeeze=False)[:, 0]
    for panel, history in zip(panels, histories, strict=True):
        _panel(panel, history)
    content = io.BytesIO()
    figure.savefig(content, format=path.suffix.removeprefix("."))
    write_picture(content, path)


def _panel(panel: Any, history: History) -> None:
    """Draw one history; runs are equally far apart, because it is their order that matters."""
    positions = range(len(history.entries))
    cycles = [entry.cycles for entry in history.entries]
    bounds = [entry.interval or (entry.cycles, entry.cycles) for entry in history.entries]
    errors = [
        [max(value - low, 0.0) for value, (low, _) in zip(cycles, bounds, strict=True)],
        [max(high - value, 0.0) for value, (_, high) in zip(cycles, bounds, strict=True)],
    ]
    panel.errorbar(positions, cycles, yerr=errors, fmt="o-", color="#0b5394", linewidth=1, markersize=4, capsize=2)
    for position, entry in zip(positions, history.entries, strict=True):
        if entry.begins:
            panel.axvline(position - 0.5, color="#b45309", linestyle="--", linewidth=1)
    panel.set_title(history.title, loc="left", fontsize=9)
    panel.set_ylabel(history.unit, fontsize=8)
    labels = [entry.info.label or entry.info.run for entry in history.entries]
    step = max(1, len(labels) // 8)
    panel.set_xticks(list(positions)[::step], labels[::step], fontsize=7, rotation=20, ha="right")
    panel.tick_params(axis="y", labelsize=8)
    panel.grid(axis="y", linewidth=0.4)
