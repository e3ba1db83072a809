# SPDX-License-Identifier: MIT OR Apache-2.0
"""The grid lines of placement: the measures and lengths of an ordinary grid under the variables asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cyclometer.measure.placed import line_of
from cyclometer.records.grid import points_of
from cyclometer.records.placement import Layout, PlacementOptions
from cyclometer.records.run import MIX, REPLAY, TYPICAL_LENGTH

ROUNDS = 2
"""Processes of the ordinary layout."""

Place = tuple[str, int, list[int]]  # measure, ad_length, lengths


def placement_lines(grid: Sequence[str], options: PlacementOptions) -> tuple[str, ...]:
    """Return the lines that a process of the ordinary layout measures."""
    lines = []
    for measure, ad_length, lengths in places(grid, options.every_length):
        base = {"ad_length": ad_length, **_alignments(options)}
        every = tuple(lengths)
        sites = tuple(range(1, max(1, options.call_sites) + 1))
        lines.append(line_of(measure, length=every, call_site=sites, **base))
        first = {"ad_length": ad_length, **_first_alignments(options), "call_site": 1}
        if options.cold:
            cold_sites = tuple(range(1, options.cold_sites + 1))
            lines.append(line_of(measure, length=every, cold=options.cold, **{**first, "call_site": cold_sites}))
        if options.between:
            lines.append(line_of(measure, length=_middle(lengths), between=options.between, **first))
    return tuple(lines)


def layout_lines(grid: Sequence[str], options: PlacementOptions) -> tuple[str, ...]:
    """Return the lines that a process of another layout measures: one call site, one alignment."""
    first = _first_alignments(options)
    return tuple(
        line_of(measure, length=tuple(lengths), ad_length=ad_length, **first, call_site=1)
        for measure, ad_length, lengths in places(grid, options.every_length)
    )


def layouts(options: PlacementOptions) -> list[tuple[Layout, int]]:
    """Return the layouts of the processes to start, each with the number of its round.

    The ordinary one several times; then each link under two environments, so that what the link, the environment and
    the process do can be told apart.
    """
    ordinary = [(Layout(), number) for number in range(ROUNDS)]
    return ordinary + [
        (Layout(link=link, environment=2 * link + which), 0)
        for link in range(1, options.layouts + 1)
        for which in (0, 1)
    ]


def _alignments(options: PlacementOptions) -> dict[str, tuple[int, ...]]:
    values = {
        "alignment": options.alignments,
        "output_alignment": options.output_alignments,
        "key_alignment": options.key_alignments,
    }
    return {name: several for name, several in values.items() if several}


def _first_alignments(options: PlacementOptions) -> dict[str, int]:
    """Return where each buffer is while call sites, cold factors and layouts vary: the first place asked for."""
    return {"alignment": 0, **{name: several[0] for name, several in _alignments(options).items()}}


def places(grid: Iterable[str], every_length: bool = False) -> list[Place]:
    """Return each measure under one key, with its least associated data and its lengths."""
    lengths: dict[str, set[tuple[int, int]]] = {}
    for line in grid:
        for measure, length, ad_length, keys, _ in points_of(line):
            if keys == 1 and measure != MIX and not str(measure).startswith(REPLAY):
                lengths.setdefault(str(measure), set()).add((int(ad_length), int(length)))
    result = []
    for measure, points in lengths.items():
        ad_length = min(ad for ad, _ in points)
        several = sorted({length for ad, length in points if ad == ad_length})
        result.append((measure, ad_length, several if every_length else _three(several)))
    return result


def typical_place(grid: Iterable[str]) -> tuple[str, int, int] | None:
    """Return the first measure of a grid, its least associated data and its most typical length."""
    for measure, ad_length, lengths in places(grid):
        return measure, ad_length, _middle(lengths)
    return None


def _three(lengths: Sequence[int]) -> list[int]:
    return sorted({lengths[0], _middle(lengths), lengths[-1]})


def _middle(lengths: Sequence[int]) -> int:
    return min(lengths, key=lambda length: abs(length - TYPICAL_LENGTH))
