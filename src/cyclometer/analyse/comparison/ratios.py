# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two sides, point by point: the ratio with its interval, and a table of it for the reporters.

Where both sides are of one run the ratio is taken round by round, so that what
changes between rounds meets both; else it is the ratio of the headlines. Its
interval is the bootstrap over rounds in both cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from cyclometer.analyse.comparison.crossovers import FIRST, SECOND, UNDECIDED, Ordering, order
from cyclometer.analyse.comparison.sides import Side
from cyclometer.analyse.comparison.verdict import segments, verdict
from cyclometer.analyse.estimate.aa_control import control_spreads
from cyclometer.analyse.estimate.comparability import Scope, context, one_of, overhead_of, quoted
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.estimate.estimators import COVERAGE, RESAMPLING_SEED, Floats, median_interval, resampled_middles
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.analyse.estimate.rounds import roundwise
from cyclometer.errors import NothingToDo
from cyclometer.records.rounds import Rounds
from cyclometer.records.table import RATIO, Column, Context, Row, Table, Value

ROWS = 16
"""Rows of a table for reading: of more points, as many as these are shown, spread evenly."""

_MOST_PAIRS = 4096  # of resampled medians whose ratios make an interval; a fixed sample of them beyond

_UNIT_WORDS = {"length": "bytes", "ad_length": "bytes of associated data", "keys": "active keys", "alignment": "bytes"}


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """What to compare of two sides. Empty means: all."""

    by: str = "length"  # the variable that runs
    measures: tuple[str, ...] = ()
    lengths: frozenset[int] = frozenset()
    keys: frozenset[int] = frozenset()
    every_row: bool = False  # in the table, however many


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """What was found at one point."""

    first: Rounds
    second: Rounds
    value: float  # cycles of the second over those of the first: above 1, the first is faster
    interval: tuple[float, float] | None  # None where there is a single round
    paired: bool

    @property
    def disturbed(self) -> bool:
        """Whether either side had too few quiet moments."""
        return self.first.disturbed or self.second.disturbed


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One measure of two sides over the values of one variable."""

    measure: str
    by: str
    ratios: tuple[Ratio, ...]  # by ascending value
    values: tuple[int, ...]
    order: Ordering
    spread: float | None  # of the A/A control, as a ratio minus 1


def comparisons(
    connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side], options: CompareOptions
) -> list[Comparison]:
    """One a measure that both sides have. Needs `prepare`."""
    points = [_points(connection, side, options) for side in sides]
    both = sorted(points[0].keys() & points[1].keys())
    if not both:
        raise NothingToDo(f"nothing was measured of both {sides[0].label} and {sides[1].label}")
    found = []
    for measure in dict.fromkeys(str(key[0]) for key in both):
        keys = _running([key for key in both if key[0] == measure], options.by)
        ratios = [_ratio(points[0][key], points[1][key], paired=_same_run(sides)) for key in keys]
        values = tuple(points[0][key].variables[options.by] for key in keys)
        spread = _spread(connection, sides, measure, ratios)
        found.append(_comparison(measure, options.by, ratios, values, spread))
    return found


def tables(
    connection: duckdb.DuckDBPyConnection,
    sides: tuple[Side, Side],
    found: Sequence[Comparison],
    options: CompareOptions,
) -> list[Table]:
    """One table a measure, for the reporters that print tables."""
    return [_table(connection, sides, each, every=options.every_row) for each in found]


def slower(found: Comparison, percent: float) -> list[int]:
    """The values at which the second is seen to be slower, by more than so many per cent."""
    return [
        value
        for value, ratio in zip(found.values, found.ratios, strict=True)
        if _sign(found, value) == FIRST and ratio.value > 1 + percent / 100
    ]


def sentences(sides: tuple[Side, Side], found: Sequence[Comparison]) -> list[str]:
    """The verdicts, one a measure."""
    names = (sides[0].label, sides[1].label)
    return [f"{side.letter}: {side.name}" for side in sides] + [
        f"{each.measure}: "
        + verdict(names, each.order, np.array([ratio.value for ratio in each.ratios]), _UNIT_WORDS[each.by])
        for each in found
    ]


def _same_run(sides: tuple[Side, Side]) -> bool:
    return sides[0].info == sides[1].info


Key = tuple[str | int, ...]  # measure, length, ad_length, keys, alignment


def _points(connection: duckdb.DuckDBPyConnection, side: Side, options: CompareOptions) -> dict[Key, Rounds]:
    """What was measured of a side."""
    asked: dict[str, Sequence[str | int]] = {
        "measure": options.measures,
        "length": sorted(options.lengths),
        "keys": sorted(options.keys),
    }
    conditions = [_where(side), *(one_of(column, values) for column, values in asked.items() if values)]
    return {(p.measure, *p.variables.values()): p for p in roundwise(connection, " AND ".join(conditions))}


def _where(side: Side) -> str:
    subject, info = side.subject, side.info
    parts = {
        "run": info.run,
        "machine": info.machine,
        "operation": subject.operation,
        "primitive": subject.primitive,
        "implementation": subject.implementation,
        "compiler": subject.compiler,
    }
    return " AND ".join(["NOT control", *(f"{name} = {quoted(value)}" for name, value in parts.items())])


def _running(keys: Sequence[Key], by: str) -> list[Key]:
    """The keys that differ in `by` alone: of all ways to hold the rest fixed, the one with the most values."""
    place = 1 + ("length", "ad_length", "keys", "alignment").index(by)
    groups: dict[Key, list[Key]] = {}
    for key in keys:
        groups.setdefault((*key[:place], *key[place + 1 :]), []).append(key)
    best = max(sorted(groups, key=str), key=lambda rest: len(groups[rest]))
    return sorted(groups[best], key=lambda key: key[place])


def _ratio(first: Rounds, second: Rounds, *, paired: bool) -> Ratio:
    """Of one point. Paired where at least half of the rounds that count do so for both."""
    pairs = _pairs(first, second) if paired else []
    if 2 * len(pairs) >= min(len(first.numbers), len(second.numbers)):
        values = np.array([[theirs / ours for ours, theirs in pairs]])
        low, high = median_interval(values)
        interval = (float(low[0]), float(high[0])) if len(pairs) > 1 else None
        value = float(np.median(values))
        return Ratio(first=first, second=second, value=value, interval=interval, paired=True)
    ours, theirs = np.array(first.headlines), np.array(second.headlines)
    several = min(len(ours), len(theirs)) > 1
    return Ratio(
        first=first,
        second=second,
        value=_divided(float(np.median(theirs)), float(np.median(ours))),
        interval=_unpaired_interval(ours, theirs) if several else None,
        paired=False,
    )


def _pairs(first: Rounds, second: Rounds) -> list[tuple[float, float]]:
    theirs = dict(zip(second.numbers, second.headlines, strict=True))
    found = [(o, theirs[n]) for n, o in zip(first.numbers, first.headlines, strict=True) if n in theirs]
    return found if all(min(pair) > 0 for pair in found) else []


def _divided(a: float, b: float) -> float:
    """A measure that costs no more than the empty call has no meaningful ratio."""
    return a / b if a > 0 and b > 0 else float("nan")


def _unpaired_interval(ours: Floats, theirs: Floats) -> tuple[float, float] | None:
    """Of theirs over ours: the bootstrap of two independent medians, from all their resamples or a sample of them."""
    (a, chance_a), (b, chance_b) = _resampled(ours), _resampled(theirs)
    if min(a.min(), b.min()) <= 0:
        return None
    if len(a) * len(b) <= _MOST_PAIRS:
        ratios, chance = (b[:, None] / a).ravel(), (chance_b[:, None] * chance_a).ravel()
    else:
        draw = np.random.default_rng(RESAMPLING_SEED)
        ratios = draw.choice(b, _MOST_PAIRS, p=chance_b) / draw.choice(a, _MOST_PAIRS, p=chance_a)
        chance = np.full(_MOST_PAIRS, 1 / _MOST_PAIRS)
    places = np.argsort(ratios, kind="stable")
    reached = np.cumsum(chance[places])
    tail = (1 - COVERAGE) / 2
    low, high = (int(np.argmax(reached >= level - 1e-12)) for level in (tail, 1 - tail))
    return float(ratios[places[low]]), float(ratios[places[high]])


def _resampled(values: Floats) -> tuple[Floats, Floats]:
    low, high, chance = resampled_middles(len(values))
    ordered = np.sort(values)
    return (ordered[low] + ordered[high]) / 2, chance


def _spread(
    connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side], measure: str, ratios: Sequence[Ratio]
) -> float | None:
    """The larger of the two runs'; that of disturbed cells where most points are disturbed."""
    disturbed = 2 * sum(ratio.disturbed for ratio in ratios) > len(ratios)
    spreads: list[Spread] = []
    for info in {(side.info.run, side.info.machine): side.info for side in sides}.values():
        scope = Scope(operation=sides[0].subject.operation, infos=(info,))
        found = control_spreads(connection, scope).get((info.machine, measure))
        spreads += [found] if found else []
    return max((each.every if disturbed else each.quiet for each in spreads), default=None)


def _comparison(
    measure: str, by: str, ratios: Sequence[Ratio], values: tuple[int, ...], spread: float | None
) -> Comparison:
    """A paired point is its ratios against 1, an unpaired one its two sides' rounds."""
    rounds = [_rounds(ratio) for ratio in ratios]
    width = max(len(side) for pair in rounds for side in pair)
    first, second = (
        np.array([np.pad(pair[place], (0, width - len(pair[place])), constant_values=np.nan) for pair in rounds])
        for place in (0, 1)
    )
    return Comparison(
        measure=measure,
        by=by,
        ratios=tuple(ratios),
        values=values,
        order=order(values, first, second, spread or 0.0),
        spread=spread,
    )


def _rounds(ratio: Ratio) -> tuple[Floats, Floats]:
    if ratio.paired:
        return np.ones(1), np.array([theirs / ours for ours, theirs in _pairs(ratio.first, ratio.second)])
    return np.array(ratio.first.headlines), np.array(ratio.second.headlines)


def _table(connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side], found: Comparison, *, every: bool) -> Table:
    a, b = sides
    units = [figure_unit(side.info) for side in sides]
    columns = (
        Column(label=a.label, unit=units[0]),
        Column(label=b.label, unit=units[1]),
        Column(label=f"{b.letter} / {a.letter}", unit=RATIO),
        Column(label="95 % interval", unit=""),
        Column(label="faster", unit=""),
    )
    places = range(len(found.values)) if every else _shown(found)
    return Table(
        view="compare",
        operation=a.subject.operation,
        measure=found.measure,
        title=f"{found.measure}, by {found.by}{_fixed(found)}",
        variable="comparison",
        columns=columns,
        rows=tuple(_row(sides, found, place) for place in places),
        contexts=tuple(_contexts(connection, sides, found.spread)),
        rows_are=found.by,
    )


def _shown(found: Comparison) -> list[int]:
    """Spread evenly, and the first and last of every zone of the verdict where it has few."""
    count = len(found.values)
    if count <= ROWS:
        return list(range(count))
    spread = {round(place * (count - 1) / (ROWS - 1)) for place in range(ROWS)}
    ends = {place for zone in segments(found.order) for place in (zone.begin, zone.end)}
    return sorted(spread | ends if len(ends) <= ROWS else spread)


def _fixed(found: Comparison) -> str:
    """What was held fast and is not what it usually is."""
    usual = {"length": 0, "ad_length": 0, "keys": 1, "alignment": 0}
    held: Mapping[str, int] = found.ratios[0].first.variables
    words = [f"{name} {held[name]}" for name, value in usual.items() if name != found.by and held[name] != value]
    return f" ({', '.join(words)})" if words else ""


def _row(sides: tuple[Side, Side], found: Comparison, place: int) -> Row:
    ratio = found.ratios[place]
    subject = sides[0].subject
    same = sides[0].subject.primitive == sides[1].subject.primitive
    interval = "" if ratio.interval is None else f"{ratio.interval[0]:.3f}..{ratio.interval[1]:.3f}"
    known = np.isfinite(ratio.value)
    return Row(
        operation=subject.operation,
        primitive=subject.primitive if same else "",
        implementation="",
        compiler="",
        label=str(found.values[place]),
        figures=(
            _figure(sides[0], ratio.first),
            _figure(sides[1], ratio.second),
            Value(
                value=ratio.value,
                interval=ratio.interval,
                rounds=min(len(ratio.first.numbers), len(ratio.second.numbers)),
                disturbed=ratio.disturbed,
            )
            if known
            else None,
            Value(value=interval),
            Value(value=_faster(sides, found, found.values[place])),
        ),
    )


def _figure(side: Side, point: Rounds) -> Value:
    values = np.array([point.headlines])
    low, high = median_interval(values) if len(point.headlines) > 1 else (None, None)
    return Value(
        value=float(np.median(values)),
        interval=None if low is None or high is None else (float(low[0]), float(high[0])),
        rounds=len(point.numbers),
        disturbed=point.disturbed,
        implementation=side.subject.implementation,
        compiler=side.subject.compiler,
    )


def _faster(sides: tuple[Side, Side], found: Comparison, value: int) -> str:
    return {FIRST: sides[0].label, SECOND: sides[1].label}.get(_sign(found, value), "no difference seen")


def _sign(found: Comparison, value: int) -> int:
    places = np.flatnonzero(found.order.lengths == value)
    return int(found.order.verdicts[places[0]]) if len(places) else UNDECIDED


def _contexts(
    connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side], spread: float | None
) -> Iterable[Context]:
    """One a run."""
    for info in {(side.info.run, side.info.machine): side.info for side in sides}.values():
        scope = Scope(operation=sides[0].subject.operation, infos=(info,))
        yield context(scope, info.machine, spread, overhead_of(connection, scope, info.machine))
