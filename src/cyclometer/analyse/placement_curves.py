# SPDX-License-Identifier: MIT OR Apache-2.0
"""From cells of placement to curves: how calls settle, compete for the instruction cache, and what each place costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import median

import numpy as np

from cyclometer.analyse.estimate.placement import PlacedCell, settled_by_place
from cyclometer.records.curve import BEST, BETWEEN, LENGTH, TIMING, WARM, WORST, PlacedCurve, System
from cyclometer.records.placement import ALL, COLD
from cyclometer.records.run import TYPICAL_LENGTH

SITUATIONS = (*WARM, *COLD, ALL)

Points = Mapping[int, float]


def placed_curves(
    cells: Iterable[PlacedCell], system_of: Callable[[PlacedCell], System], length: int | None = None
) -> list[PlacedCurve]:
    """Return the curves of every system and measure; `length` is that of curves of one length, or a typical one."""
    groups: dict[tuple[System, str], list[PlacedCell]] = {}
    for cell in cells:
        groups.setdefault((system_of(cell), cell.measure), []).append(cell)
    curves = []
    for (system, measure), own in groups.items():
        chosen = _nearest([cell.length for cell in own], length)
        here = [cell for cell in own if cell.length == chosen]
        for variable, lines in ((TIMING, _settling(here)), (BETWEEN, _competing(here)), (LENGTH, _by_length(own))):
            curves += [
                PlacedCurve(
                    system=system,
                    measure=measure,
                    variable=variable,
                    situation=situation,
                    length=chosen,
                    at=np.array(sorted(points), np.int64),
                    cycles=np.array([points[at] for at in sorted(points)]),
                )
                for situation, points in lines
                if len(points) > 1
            ]
    return curves


def _nearest(lengths: Iterable[int], length: int | None) -> int:
    wanted = TYPICAL_LENGTH if length is None else length
    return min(lengths, key=lambda each: (abs(each - wanted), each))


def _ordinary(cells: Iterable[PlacedCell]) -> list[PlacedCell]:
    """Return the cells of the ordinary layout at the first call site and alignment."""
    linked = [cell for cell in cells if not cell.link]
    first = min((_place(cell) for cell in linked), default=())
    return [cell for cell in linked if _place(cell) == first]


def _place(cell: PlacedCell) -> tuple[int, ...]:
    return cell.call_site, cell.alignment, cell.output_alignment, cell.key_alignment


def _settling(cells: Sequence[PlacedCell]) -> Iterator[tuple[str, Points]]:
    """Yield, of each thing that was cold, the time of every timing after the eviction; and of a warm series."""
    ordinary = [cell for cell in _ordinary(cells) if not cell.between]
    if not any(cell.cold for cell in ordinary):
        return
    for cold, own in _by_cold(ordinary):
        timings = min(len(cell.curve) for cell in own)
        yield cold or WARM[0], {number + 1: median(cell.curve[number] for cell in own) for number in range(timings)}


def _competing(cells: Sequence[PlacedCell]) -> Iterator[tuple[str, Points]]:
    """Yield the settled time by KiB of other code before every call."""
    warm = [cell for cell in _ordinary(cells) if not cell.cold]
    yield (
        WARM[0],
        {kib: median(cell.settled for cell in warm if cell.between == kib) for kib in {cell.between for cell in warm}},
    )


def _by_length(cells: Sequence[PlacedCell]) -> Iterator[tuple[str, Points]]:
    """Yield the best and the worst place at each length, and the first timing with each thing cold."""
    lengths: dict[int, list[PlacedCell]] = {}
    for cell in cells:
        if not cell.between:
            lengths.setdefault(cell.length, []).append(cell)
    places = {length: list(map(median, settled_by_place(own).values())) for length, own in lengths.items()}
    yield BEST, {length: min(times) for length, times in places.items() if times}
    yield WORST, {length: max(times) for length, times in places.items() if times}
    for cold, own in _by_cold([cell for cell in cells if cell.cold]):
        first: dict[int, list[float]] = {}
        for cell in own:
            first.setdefault(cell.length, []).append(cell.first)
        yield cold, {length: median(times) for length, times in first.items()}


def _by_cold(cells: Iterable[PlacedCell]) -> list[tuple[str, list[PlacedCell]]]:
    groups: dict[str, list[PlacedCell]] = {}
    for cell in cells:
        groups.setdefault(cell.cold, []).append(cell)
    return sorted(groups.items(), key=lambda item: _index(item[0]))


def _index(cold: str) -> int:
    return SITUATIONS.index(cold) if cold in SITUATIONS else -1
