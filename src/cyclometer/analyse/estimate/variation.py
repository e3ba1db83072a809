# SPDX-License-Identifier: MIT OR Apache-2.0
"""How much of a system's variation each cause explains, and how often two systems change places."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from statistics import fmean, median, pvariance

from cyclometer.analyse.estimate.placement import PlacedCell

SMALL = 0.01
"""Ranges up to this share of the median are not worth a cause, nor are those within twice the A/A spread."""

CAUSES: dict[str, Callable[[PlacedCell], Hashable]] = {
    "call site": lambda cell: cell.call_site,
    "alignment": lambda cell: (cell.alignment, cell.output_alignment, cell.key_alignment),
    "link": lambda cell: cell.link,
    "environment": lambda cell: (cell.link, cell.environment),
    "process": lambda cell: (cell.link, cell.environment, cell.round),
}


def shares(cells: Sequence[PlacedCell]) -> dict[str, float]:
    """Return each cause's share of the variance of the logarithms of settled times; {} if they do not vary.

    A nested analysis: call site and alignment within the processes of the ordinary layout; a process within its
    environment, an environment within its link, links among each other.
    """
    warm = [cell for cell in cells if cell.is_warm and cell.settled > 0]
    ordinary = [cell for cell in warm if not cell.link]
    point = {(cell.call_site, *_alignments(cell)) for cell in warm if cell.link}
    same = [cell for cell in warm if (cell.call_site, *_alignments(cell)) in point] if point else ordinary
    process = _within(same, CAUSES["process"], CAUSES["environment"])
    environment = max(0.0, _within(same, CAUSES["environment"], CAUSES["link"]) - process / 2)
    link = max(0.0, _among(same, CAUSES["link"]) - environment / 2)
    parts = {
        "call site": _among(ordinary, CAUSES["call site"]),
        "alignment": _among(ordinary, CAUSES["alignment"]),
        "link": link,
        "environment": environment,
        "process": process or _among(ordinary, CAUSES["process"]),
    }
    total = sum(parts.values())
    return {name: part / total for name, part in parts.items()} if total > 0 else {}


def largest_share(cells: Sequence[PlacedCell], noise: float) -> str:
    """Return the cause of the largest share, such as `link 60 %`.

    It is '' if the times vary by no more than twice the noise, a ratio minus 1.
    """
    times = [cell.settled for cell in cells if cell.is_warm]
    if len(times) < 2 or min(times) <= 0:
        return ""
    if max(times) / min(times) - 1 <= max(SMALL, 2 * noise):
        return ""
    parts = shares(cells)
    if not parts:
        return ""
    name = max(parts, key=lambda cause: parts[cause])
    return f"{name} {100 * parts[name]:.0f} %"


def order_turns(first: Sequence[PlacedCell], second: Sequence[PlacedCell]) -> float | None:
    """Return the share of layouts in which the second is faster than the first; None if they share no layout."""
    mine, theirs = by_layout(first), by_layout(second)
    both = [layout for layout in mine if layout in theirs]
    if len(both) < 2:
        return None
    return sum(theirs[layout] < mine[layout] for layout in both) / len(both)


def by_layout(cells: Sequence[PlacedCell]) -> dict[tuple[int, int], float]:
    """Return the settled time at the first call site in each layout (link, environment): a median over processes."""
    times: dict[tuple[int, int], list[float]] = {}
    for cell in cells:
        if cell.is_warm and cell.call_site == 1:
            times.setdefault((cell.link, cell.environment), []).append(cell.settled)
    return {layout: median(several) for layout, several in times.items()}


def _alignments(cell: PlacedCell) -> tuple[int, int, int]:
    return cell.alignment, cell.output_alignment, cell.key_alignment


def _means(cells: Sequence[PlacedCell], cause: Callable[[PlacedCell], Hashable]) -> dict[Hashable, float]:
    logs: dict[Hashable, list[float]] = {}
    for cell in cells:
        logs.setdefault(cause(cell), []).append(math.log(cell.settled))
    return {level: fmean(values) for level, values in logs.items()}


def _among(cells: Sequence[PlacedCell], cause: Callable[[PlacedCell], Hashable]) -> float:
    """Return the variance of the means of a cause's levels."""
    means = list(_means(cells, cause).values())
    return pvariance(means) if len(means) > 1 else 0.0


def _within(
    cells: Sequence[PlacedCell], cause: Callable[[PlacedCell], Hashable], outer: Callable[[PlacedCell], Hashable]
) -> float:
    """Return the mean variance of the means of a cause's levels within each level of the outer one that has several."""
    groups: dict[Hashable, list[PlacedCell]] = {}
    for cell in cells:
        groups.setdefault(outer(cell), []).append(cell)
    variances = [pvariance(means.values()) for own in groups.values() if len(means := _means(own, cause)) > 1]
    return fmean(variances) if variances else 0.0
