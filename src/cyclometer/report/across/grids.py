# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables of many numbers, as HTML with as few bytes as possible: a page may have ten thousand cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
from markupsafe import Markup

from cyclometer.analyse.across.gather import AcrossOperation, Floats
from cyclometer.analyse.across.orders import faster_than
from cyclometer.records.digits import number_text
from cyclometer.report.site.slugs import system_page
from cyclometer.report.text import TIED, marks

UNIT = "core cycles"
"""The unit of digits; a counter's own units have as many."""

LINE_WIDTH, LINE_HEIGHT = 120, 24


def by_machine(operation: AcrossOperation, point: int, root: str) -> Markup:
    """Return the rows of systems × machines at a point; the fastest of a machine is marked, and what ties with it.

    `root` leads from the page to the site's folder.
    """
    cycles, disturbed, varies = operation.cycles[point], operation.disturbed[point], operation.varies[point]
    places = leaders(operation, point)
    rows = []
    for system in fastest_first(cycles):
        cells = "".join(
            _cell(
                cycles[system, machine],
                marks(disturbed=bool(disturbed[system, machine]), varies=bool(varies[system, machine])),
                int(places[system, machine]),
            )
            for machine in range(len(operation.machines))
        )
        name = operation.systems[system]
        rows.append(f"<tr>{_name(name, root + system_page(operation.name, name))}{cells}</tr>")
    return Markup("\n".join(rows))


def leaders(operation: AcrossOperation, point: int) -> Floats:
    """Return system × machine: 1 for the fastest of a machine, 2 for what ties with it, else 0."""
    cycles = operation.cycles[point]
    known = np.isfinite(cycles)
    marks = np.zeros(cycles.shape)
    faster = faster_than(cycles, operation.low[point], operation.high[point], operation.spread[point])
    for machine in np.flatnonzero(known.any(axis=0)):
        best = int(np.nanargmin(cycles[:, machine]))
        marks[known[:, machine] & ~faster[best, :, machine], machine] = 2
        marks[best, machine] = 1
    return marks


def fastest_first(cycles: Floats) -> list[int]:
    """Return the systems that were measured, by the geometric mean of their time over the fastest one's."""
    known = np.where(cycles > 0, cycles, np.nan)
    measured = np.flatnonzero(np.isfinite(cycles).any(axis=1))
    if not len(measured):
        return []
    with np.errstate(all="ignore"):
        ratios = np.log(known / np.nanmin(np.where(np.isfinite(known), known, np.inf), axis=0))
        means = np.array([np.nanmean(row) if np.isfinite(row).any() else np.inf for row in ratios])
    return sorted(measured.tolist(), key=lambda system: (means[system], system))


def line_of(values: Sequence[float]) -> Markup:
    """Return a small line of the values of successive runs; '' for fewer than two."""
    known = [(number, value) for number, value in enumerate(values) if np.isfinite(value)]
    if len(known) < 2:
        return Markup("")
    low, high = min(value for _, value in known), max(value for _, value in known)
    span = max(high - low, 0.02 * high) or 1.0  # a line of noise stays flat
    width = (LINE_WIDTH - 4) / max(len(values) - 1, 1)
    middle = (high + low) / 2
    dots = " ".join(
        f"{2 + number * width:.0f},{LINE_HEIGHT / 2 - (value - middle) / span * (LINE_HEIGHT - 6):.0f}"
        for number, value in known
    )
    said = f"{number_text(known[0][1], UNIT)} to {number_text(known[-1][1], UNIT)} in {len(known)} runs"
    return Markup(
        f'<svg class="line" viewBox="0 0 {LINE_WIDTH} {LINE_HEIGHT}" role="img" aria-label="{escape(said)}">'
        f'<polyline points="{dots}"/></svg>'
    )


def cells(values: Iterable[float]) -> Markup:
    """Return table cells of numbers."""
    return Markup("".join(_cell(value, "", 0) for value in values))


def _cell(value: float, marked: str, place: int) -> str:
    if not np.isfinite(value):
        return "<td>–"
    text = marked + number_text(float(value), UNIT)
    return (f"<td class=best>{text}" if place == 1 else f"<td class=tied>{text}{TIED}") if place else f"<td>{text}"


def _name(name: str, address: str) -> str:
    return f'<th scope=row><a href="{escape(address)}">{escape(name)}</a></th>'
