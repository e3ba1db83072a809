# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ratios of two sides, point by point, with their intervals, and a table of them.

If both sides are of one run, the ratio is taken round by round, so that changes between rounds affect both; otherwise
it is the ratio of the headlines. Its interval is a bootstrap over rounds in both cases, or Student's t of few rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from cyclometer.analyse.comparison.chance import Chance, chance
from cyclometer.analyse.comparison.crossovers import FIRST, SECOND, UNDECIDED, Ordering, order
from cyclometer.analyse.comparison.sides import Key, Side, point_key, same_run, subject_of
from cyclometer.analyse.comparison.verdict import segments, verdict
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.analyse.estimate.comparability import Scope, context, one_of
from cyclometer.analyse.estimate.core_cycles import SUBJECT, figure_unit
from cyclometer.analyse.estimate.estimators import (
    COVERAGE,
    RESAMPLING_SEED,
    Floats,
    few_rounds_ratio,
    median_interval,
    resampled_middles,
)
from cyclometer.analyse.estimate.queries import read_together
from cyclometer.analyse.estimate.rounds import roundwise
from cyclometer.errors import NothingToDo
from cyclometer.records.digits import number_text
from cyclometer.records.length_unit import BYTES
from cyclometer.records.rounds import Rounds
from cyclometer.records.table import RATIO, Column, Context, Row, Table, Value
from cyclometer.records.tuning import Tuning
from cyclometer.records.varying import by_students_t

MAX_ROWS = 16
"""Rows of a table by default; of more points, this number is shown, evenly spread."""

_MAX_PAIRS = 4096  # of resampled medians whose ratios make an interval; if there are more, a fixed-seed sample

_UNITS = {"ad_length": "bytes of associated data", "keys": "active keys", "alignment": "bytes"}


@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """What to compare of two sides; empty means everything."""

    by: str = "length"  # the variable that varies
    measures: tuple[str, ...] = ()
    lengths: frozenset[int] = frozenset()
    keys: frozenset[int] = frozenset()
    ad_lengths: frozenset[int] = frozenset()
    every_row: bool = False  # show all rows, however many


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """The result at one point."""

    first: Rounds
    second: Rounds
    value: float  # cycles of the second over those of the first: above 1, the first is faster
    interval: tuple[float, float] | None  # None with a single round
    paired: bool

    @property
    def disturbed(self) -> bool:
        """Return whether either side is disturbed."""
        return self.first.disturbed or self.second.disturbed


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One measure of two sides over the values of one variable."""

    measure: str
    by: str
    ratios: tuple[Ratio, ...]  # by ascending value
    values: tuple[int, ...]
    order: Ordering
    chance: Chance


def comparisons(
    source: SampleSource, pairs: Sequence[tuple[Side, Side]], options: CompareOptions
) -> Iterator[list[Comparison]]:
    """Yield, for each pair, the comparison of each measure that both sides have; `NothingToDo` if there is none."""
    for group in _groups(source.connection, pairs):
        points = _points(source.connection, [side for sides in group for side in sides], options)
        for sides in group:
            yield _compared(source, sides, tuple(points.get(_identity(side), {}) for side in sides), options)


def _compared(
    source: SampleSource, sides: tuple[Side, Side], points: Sequence[Mapping[Key, Rounds]], options: CompareOptions
) -> list[Comparison]:
    first, second = points
    both = sorted(first.keys() & second.keys())
    if not both:
        raise NothingToDo(f"nothing was measured of both {sides[0].label} and {sides[1].label}")
    result = []
    for measure in dict.fromkeys(str(key[0]) for key in both):
        keys = _varying_only([key for key in both if key[0] == measure], options.by)
        ratios = [_ratio(first[key], second[key], paired=same_run(sides)) for key in keys]
        values = tuple(first[key].variables[options.by] for key in keys)
        by_chance = chance(source, sides, measure, [(ratio.first, ratio.second) for ratio in ratios])
        result.append(_comparison(measure, options.by, ratios, values, by_chance))
    return result


def _groups(
    connection: duckdb.DuckDBPyConnection, pairs: Sequence[tuple[Side, Side]]
) -> Iterator[Sequence[tuple[Side, Side]]]:
    """Yield groups of pairs that are read together."""
    if len(pairs) < 2:
        return iter([pairs])
    query = f"SELECT run, machine, {SUBJECT}, count(*) FROM points WHERE NOT control GROUP BY ALL"
    counts = {(*row[:2], subject_of(row)): row[-1] for row in connection.sql(query).fetchall()}
    return read_together(pairs, lambda sides: sum(counts.get(_identity(side), 0) for side in sides))


def tables(
    source: SampleSource,
    sides: tuple[Side, Side],
    results: Sequence[Comparison],
    options: CompareOptions,
) -> list[Table]:
    """Build one table per measure."""
    return [_table(source, sides, each, every_row=options.every_row) for each in results]


def sentences(sides: tuple[Side, Side], results: Sequence[Comparison], length_unit: str = BYTES) -> list[str]:
    """Describe the sides, then the verdict on each measure, one line each; `length_unit` is what a length counts."""
    units = {**_UNITS, "length": length_unit}
    names = (sides[0].label, sides[1].label)
    return [f"{side.letter}: {side.name}" for side in sides] + [
        f"{each.measure}: "
        + verdict(names, each.order, np.array([ratio.value for ratio in each.ratios]), units[each.by])
        for each in results
    ]


def _identity(side: Side) -> tuple[str, str, Tuning]:
    return (side.info.run, side.info.machine, side.subject)


def _points(
    connection: duckdb.DuckDBPyConnection, sides: Sequence[Side], options: CompareOptions
) -> dict[tuple[str, str, Tuning], dict[Key, Rounds]]:
    """Return the rounds of every point measured of each side (by `_identity`), filtered by the options."""
    filters: dict[str, Sequence[str | int]] = {
        "measure": options.measures,
        "length": sorted(options.lengths),
        "keys": sorted(options.keys),
        "ad_length": sorted(options.ad_lengths),
        "primitive": sorted({side.subject.primitive for side in sides}),  # lets the reader skip what it need not read
    }
    conditions = ["NOT control", *(one_of(column, values) for column, values in filters.items() if values)]
    conditions.append(f"({' OR '.join(f'({side.sql()})' for side in sides)})")
    found: dict[tuple[str, str, Tuning], dict[Key, Rounds]] = {}
    for point in roundwise(connection, " AND ".join(conditions)):
        found.setdefault((point.run, point.machine, point.subject), {})[point_key(point)] = point
    return found


def twin_points(connection: duckdb.DuckDBPyConnection, side: Side) -> dict[Key, Rounds]:
    """Return the rounds of every point of a side's A/A twin; empty if the run has none."""
    return {point_key(point): point for point in roundwise(connection, f"control AND {side.sql()}")}


def _varying_only(keys: Sequence[Key], by: str) -> list[Key]:
    """Keep keys that differ in `by` alone, with the other variables fixed so that most values remain."""
    index = 1 + ("length", "ad_length", "keys", "alignment").index(by)
    groups: dict[Key, list[Key]] = {}
    for key in keys:
        groups.setdefault((*key[:index], *key[index + 1 :]), []).append(key)
    best = max(sorted(groups, key=str), key=lambda rest: len(groups[rest]))
    return sorted(groups[best], key=lambda key: key[index])


def _ratio(first: Rounds, second: Rounds, *, paired: bool) -> Ratio:
    """Return the ratio at one point, paired if at least half of the rounds used are common to both sides."""
    pairs = _pairs(first, second) if paired else []
    if 2 * len(pairs) >= min(len(first.numbers), len(second.numbers)):
        values = np.array([[theirs / ours for ours, theirs in pairs]])
        low, high = median_interval(values)
        interval = (float(low[0]), float(high[0])) if len(pairs) > 1 else None
        value = float(np.median(values))
        return Ratio(first=first, second=second, value=value, interval=interval, paired=True)
    ours, theirs = np.array(first.headlines), np.array(second.headlines)
    has_interval = min(len(ours), len(theirs)) > 1
    return Ratio(
        first=first,
        second=second,
        value=_divided(float(np.median(theirs)), float(np.median(ours))),
        interval=_unpaired_interval(ours, theirs) if has_interval else None,
        paired=False,
    )


def _pairs(first: Rounds, second: Rounds) -> list[tuple[float, float]]:
    theirs = dict(zip(second.numbers, second.headlines, strict=True))
    pairs = [(o, theirs[n]) for n, o in zip(first.numbers, first.headlines, strict=True) if n in theirs]
    return pairs if all(min(pair) > 0 for pair in pairs) else []


def _divided(a: float, b: float) -> float:
    """Return a / b; NaN unless both are positive: what is no slower than the empty call has no meaningful ratio."""
    return a / b if a > 0 and b > 0 else float("nan")


def _unpaired_interval(ours: Floats, theirs: Floats) -> tuple[float, float] | None:
    """Return the interval of theirs over ours, two independent medians; None if one may be no slower than nothing.

    It is a bootstrap, of all resamples or a sample of them, unless a side has so few rounds that it is Student's t.
    """
    if by_students_t(len(ours), len(theirs)):
        low, high = few_rounds_ratio(ours, theirs)
        return (float(low), float(high)) if min(ours.min(), theirs.min()) > 0 else None
    (a, probability_a), (b, probability_b) = _resampled(ours), _resampled(theirs)
    if min(a.min(), b.min()) <= 0:
        return None
    if len(a) * len(b) <= _MAX_PAIRS:
        ratios, probability = (b[:, None] / a).ravel(), (probability_b[:, None] * probability_a).ravel()
    else:
        rng = np.random.default_rng(RESAMPLING_SEED)
        ratios = rng.choice(b, _MAX_PAIRS, p=probability_b) / rng.choice(a, _MAX_PAIRS, p=probability_a)
        probability = np.full(_MAX_PAIRS, 1 / _MAX_PAIRS)
    indices = np.argsort(ratios, kind="stable")
    reached = np.cumsum(probability[indices])
    tail = (1 - COVERAGE) / 2
    first, last = (int(np.argmax(reached >= level - 1e-12)) for level in (tail, 1 - tail))
    return float(ratios[indices[first]]), float(ratios[indices[last]])


def _resampled(values: Floats) -> tuple[Floats, Floats]:
    low, high, probability = resampled_middles(len(values))
    ordered = np.sort(values)
    return (ordered[low] + ordered[high]) / 2, probability


def _comparison(
    measure: str, by: str, ratios: Sequence[Ratio], values: tuple[int, ...], by_chance: Chance
) -> Comparison:
    """Combine ratios: a paired point compares its ratios with 1, an unpaired one the rounds of both sides."""
    rounds = [_rounds(ratio) for ratio in ratios]
    width = max(len(side) for pair in rounds for side in pair)
    first, second = (
        np.array([np.pad(pair[index], (0, width - len(pair[index])), constant_values=np.nan) for pair in rounds])
        for index in (0, 1)
    )
    return Comparison(
        measure=measure,
        by=by,
        ratios=tuple(ratios),
        values=values,
        order=order(values, first, second, by_chance.whole),
        chance=by_chance,
    )


def _rounds(ratio: Ratio) -> tuple[Floats, Floats]:
    if ratio.paired:
        return np.ones(1), np.array([theirs / ours for ours, theirs in _pairs(ratio.first, ratio.second)])
    return np.array(ratio.first.headlines), np.array(ratio.second.headlines)


def _table(source: SampleSource, sides: tuple[Side, Side], comparison: Comparison, *, every_row: bool) -> Table:
    a, b = sides
    units = [figure_unit(side.info) for side in sides]
    columns = (
        Column(label=a.label, unit=units[0]),
        Column(label=b.label, unit=units[1]),
        Column(label=f"{b.letter} / {a.letter}", unit=RATIO),
        Column(label="95 % interval", unit=""),
        Column(label="faster", unit=""),
    )
    indices = range(len(comparison.values)) if every_row else _rows_to_show(comparison)
    return Table(
        view="compare",
        operation=a.subject.operation,
        measure=comparison.measure,
        title=f"{comparison.measure}, by {comparison.by}{_fixed(comparison)}",
        variable="comparison",
        columns=columns,
        rows=tuple(_row(sides, comparison, index) for index in indices),
        contexts=tuple(_contexts(source, sides, comparison.chance.spread)),
        rows_are=comparison.by,
    )


def _rows_to_show(comparison: Comparison) -> list[int]:
    """Return evenly spread rows, with the ends of every segment of the verdict if these are few."""
    count = len(comparison.values)
    if count <= MAX_ROWS:
        return list(range(count))
    spread = {round(index * (count - 1) / (MAX_ROWS - 1)) for index in range(MAX_ROWS)}
    ends = {index for segment in segments(comparison.order) for index in (segment.begin, segment.end)}
    return sorted(spread | ends if len(ends) <= MAX_ROWS else spread)


def _fixed(comparison: Comparison) -> str:
    """Describe the fixed variables that do not have their default values."""
    defaults = {"length": 0, "ad_length": 0, "keys": 1, "alignment": 0}
    variables: Mapping[str, int] = comparison.ratios[0].first.variables
    fixed = [
        f"{name} {variables[name]}"
        for name, value in defaults.items()
        if name != comparison.by and variables[name] != value
    ]
    return f" ({', '.join(fixed)})" if fixed else ""


def _row(sides: tuple[Side, Side], comparison: Comparison, index: int) -> Row:
    ratio = comparison.ratios[index]
    subject = sides[0].subject
    same = sides[0].subject.primitive == sides[1].subject.primitive
    interval = ""
    if ratio.interval:
        half = (ratio.interval[1] - ratio.interval[0]) / 2
        interval = "..".join(number_text(end, RATIO, half) for end in ratio.interval)
    is_finite = np.isfinite(ratio.value)
    return Row(
        operation=subject.operation,
        primitive=subject.primitive if same else "",
        implementation="",
        compiler="",
        label=str(comparison.values[index]),
        figures=(
            _figure(sides[0], ratio.first),
            _figure(sides[1], ratio.second),
            Value(
                value=ratio.value,
                interval=ratio.interval,
                rounds=min(len(ratio.first.numbers), len(ratio.second.numbers)),
                disturbed=ratio.disturbed,
            )
            if is_finite
            else None,
            Value(value=interval),
            Value(value=_faster(sides, comparison, comparison.values[index])),
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


def _faster(sides: tuple[Side, Side], comparison: Comparison, value: int) -> str:
    return {FIRST: sides[0].label, SECOND: sides[1].label}.get(sign_at(comparison, value), "no difference seen")


def sign_at(comparison: Comparison, value: int) -> int:
    """Return FIRST, SECOND or UNDECIDED: who is faster at this value."""
    indices = np.flatnonzero(comparison.order.lengths == value)
    return int(comparison.order.verdicts[indices[0]]) if len(indices) else UNDECIDED


def _contexts(source: SampleSource, sides: tuple[Side, Side], spread: float | None) -> Iterable[Context]:
    """Yield the context of each run."""
    for info in {(side.info.run, side.info.machine): side.info for side in sides}.values():
        scope = Scope(operation=sides[0].subject.operation, infos=(info,))
        yield context(
            scope,
            info.machine,
            spread,
            source.overhead(scope, info.machine),
            source.calibration(scope, info.machine),
        )
