# SPDX-License-Identifier: MIT OR Apache-2.0
"""A comparison as a gate: verdicts on each measure, with the limit that each point must not exceed.

A limit is a percentage that the user sets, or AUTO: as much as the A/A control says that chance can do
(docs/ci.md#the-limit-auto).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import duckdb
import numpy as np

from cyclometer.analyse.comparison.crossovers import FIRST, SECOND
from cyclometer.analyse.comparison.ratios import Comparison, Ratio, sign_at, twin_points
from cyclometer.analyse.comparison.relabelling import limits
from cyclometer.analyse.comparison.sides import Key, Side, point_key, same_run
from cyclometer.analyse.estimate.estimators import Floats
from cyclometer.records.rounds import Rounds
from cyclometer.records.verdict import FASTER, MIXED, NO_DIFFERENCE, SLOWER, PointVerdict, Verdict

AUTO = "auto"

Limit = float | str | None
"""A percentage, AUTO, or None: nothing fails."""

LEAST_PERCENT, LEAST_CYCLES = 0.5, 3.0
"""An automatic limit is at least this: where code and data lie moves times by as much."""

BETWEEN_RUNS = 3.0
"""Two runs differ in more than one run shows: their automatic limit is this multiple of the larger A/A spread."""


def verdicts(
    connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side], compared: Sequence[Comparison], limit: Limit
) -> list[Verdict]:
    """Judge each measure of a comparison. Needs `prepare`."""
    automatic = _automatic(connection, sides, compared) if limit == AUTO else {}
    result = []
    for each in compared:
        points = [
            automatic[each.measure, index] if limit == AUTO else _fixed(each, index, limit)
            for index in range(len(each.ratios))
        ]
        result.append(_verdict(sides, each, points))
    return result


def _fixed(comparison: Comparison, index: int, limit: Limit) -> PointVerdict:
    """Judge a point by a percentage: B fails if it is significantly slower, and by more."""
    ratio, value = comparison.ratios[index], comparison.values[index]
    verdict = {FIRST: SLOWER, SECOND: FASTER}.get(sign_at(comparison, value), NO_DIFFERENCE)
    allowed = None if limit is None else 1 + float(limit) / 100
    return PointVerdict(
        value=value,
        verdict=verdict,
        ratio=_finite(ratio.value),
        interval=ratio.interval,
        limit=allowed,
        passed=allowed is None or verdict != SLOWER or not ratio.value > allowed,
    )


def _automatic(
    connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side], compared: Sequence[Comparison]
) -> dict[tuple[str, int], PointVerdict]:
    """Judge all points together: the more there are, the more one of them may differ by chance."""
    points = [(each, index) for each in compared for index in range(len(each.ratios))]
    twins = twin_points(connection, sides[0]) if same_run(sides) else {}
    aligned = [_aligned(each.ratios[index], twins) for each, index in points]
    width = max(len(rounds[0]) for rounds in aligned)
    first, second, twin = (
        np.array([np.pad(rounds[label], (0, width - len(rounds[label])), constant_values=np.nan) for rounds in aligned])
        for label in range(3)
    )
    found = limits(first, second, twin)
    return {
        (each.measure, index): _judged(each, index, *map(float, three))
        if np.isfinite(three[0])
        else _by_spread(each, index)
        for (each, index), *three in zip(points, found.estimate, found.limit, found.half_width, strict=True)
    }


def _aligned(ratio: Ratio, twins: Mapping[Key, Rounds]) -> tuple[Floats, Floats, Floats]:
    """Return the cycles of A, B and A's twin in the rounds that all three have; what costs nothing has none."""
    three = [ratio.first, ratio.second, twins.get(point_key(ratio.first))]
    rounds = [dict(zip(each.numbers, each.headlines, strict=True)) if each else {} for each in three]
    common = sorted(set.intersection(*(set(each) for each in rounds)))
    cycles = np.array([[each[number] for number in common] for each in rounds], np.float64).reshape(3, len(common))
    cycles[:, (cycles <= 0).any(axis=0)] = np.nan
    return cycles[0], cycles[1], cycles[2]


def _least(ratio: Ratio) -> float:
    """Return the least automatic limit at a point, as a logarithm."""
    cycles = max(float(np.median(ratio.first.headlines)), 1.0)
    return math.log1p(max(LEAST_PERCENT / 100, LEAST_CYCLES / cycles))


def _judged(comparison: Comparison, index: int, estimate: float, chance: float, half_width: float) -> PointVerdict:
    """Judge a point by what relabelling shows."""
    limit = max(chance, _least(comparison.ratios[index]))
    return PointVerdict(
        value=comparison.values[index],
        verdict=SLOWER if estimate > limit else FASTER if estimate < -limit else NO_DIFFERENCE,
        ratio=math.exp(estimate),
        interval=(math.exp(estimate - half_width), math.exp(estimate + half_width)),
        limit=math.exp(limit),
        passed=estimate <= limit,
    )


def _by_spread(comparison: Comparison, index: int) -> PointVerdict:
    """Judge a point of two runs, or one with few rounds: its interval must be beyond 1, its ratio beyond the spread."""
    ratio = comparison.ratios[index]
    limit = max(math.exp(_least(ratio)), 1 + BETWEEN_RUNS * (comparison.spread or 0.0))
    judged = _fixed(comparison, index, 100 * (limit - 1))
    is_small = judged.ratio is None or 1 / limit <= judged.ratio <= limit
    return replace(judged, verdict=NO_DIFFERENCE if is_small else judged.verdict)


def _verdict(sides: tuple[Side, Side], comparison: Comparison, points: Sequence[PointVerdict]) -> Verdict:
    a, b = sides
    worst = max(points, key=_badness)
    kinds = {point.verdict for point in points} - {NO_DIFFERENCE}
    failed = [point for point in points if not point.passed]
    return Verdict(
        operation=b.subject.operation,
        system=b.subject.primitive,
        measure=comparison.measure,
        by=comparison.by,
        a=a.name,
        b=b.name,
        verdict=NO_DIFFERENCE if not kinds else kinds.pop() if len(kinds) == 1 else MIXED,
        passed=not failed,
        at=worst.value,
        ratio=worst.ratio,
        interval=worst.interval,
        limit=worst.limit,
        points=tuple(points),
        reason=_reason(b, comparison, failed, worst),
    )


def _badness(point: PointVerdict) -> tuple[bool, float]:
    """Sort key: what fails, then the farthest beyond its limit, or if there is none the slowest."""
    ratio = point.ratio if point.ratio is not None else 0.0
    return not point.passed, (ratio - 1) / (point.limit - 1) if point.limit and point.limit > 1 else ratio


def _reason(b: Side, comparison: Comparison, failed: Sequence[PointVerdict], worst: PointVerdict) -> str:
    """Say where and by how much B is too slow; '' if it is not."""
    if not failed or worst.ratio is None or worst.limit is None:
        return ""
    return (
        f"{b.subject.primitive} {comparison.measure} is slower by more than its limit at {len(failed)} of "
        f"{len(comparison.values)} (first at {comparison.by} {failed[0].value}; worst at {worst.value}: "
        f"{100 * (worst.ratio - 1):+.2f} %, limit {100 * (worst.limit - 1):.2f} %)"
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
