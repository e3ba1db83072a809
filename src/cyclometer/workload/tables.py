# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rankings as tables, which the reporters print."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace

from cyclometer.records.run import code_size
from cyclometer.records.table import BITS, PERCENT, RATIO, YEARS, Column, Context, Row, Table, Value
from cyclometer.workload.costs import Cost
from cyclometer.workload.model import OPERATION, TERMS
from cyclometer.workload.ranking import Entry, Ranking

Figure = Callable[[Entry], Value | None]

COST = "cost"
"""The heading of the column that ranks."""


def ranking_tables(
    ranking: Ranking, context: Context, hertz: float | None, today: datetime.date | None = None
) -> list[Table]:
    """Return the ranking, a table of what each cost consists of, and one of where the winner changes, if it does.

    `hertz` is the core's clock rate. Years since publication are counted up to `today`.
    """
    day = today or datetime.datetime.now(datetime.UTC).date()
    main = _main(ranking, context.unit, day)
    parts = _parts(ranking, context.unit, hertz)
    packets = ranking.workload.interpolated
    mark = f"; ≈ interpolated between some of {packets:,} different packets" if packets else ""
    what = f"{ranking.workload.title}: {context.unit} a packet{mark}"
    return [
        _table(ranking, context, "rank", what, main, ranked_by=COST),
        _table(ranking, context, "rank-parts", f"{ranking.workload.title}: what the cost consists of", parts),
        *([_changes_table(ranking, context)] if ranking.changes else []),
    ]


def _main(ranking: Ranking, unit: str, day: datetime.date) -> list[tuple[Column, Figure]]:
    best = min((entry.counts.value for entry in ranking.entries), default=0.0)
    columns: list[tuple[Column, Figure]] = [
        (Column(label=COST, unit=unit), _ranked),
        (Column(label="from", unit=unit), lambda e: _end(e.counts, 0)),
        (Column(label="to", unit=unit), lambda e: _end(e.counts, 1)),
        (Column(label="/best", unit=RATIO), lambda e: _scaled(e.counts, 1 / best) if best else None),
    ]
    if any(entry.replay for entry in ranking.entries):
        columns.append((Column(label="replay/model", unit=RATIO), _replay_ratio))
    return [
        *columns,
        (Column(label="bits left", unit=BITS), lambda e: None if e.bits is None else Value(value=e.bits)),
        (Column(label="code bytes", unit="bytes"), _code_bytes),
        (Column(label="key bytes", unit="bytes"), lambda e: _size(e, "expanded_key_bytes")),
        (Column(label="years", unit=YEARS), lambda e: _age(e, day)),
        (Column(label="dominated by", unit=""), lambda e: Value(value=e.dominated_by) if e.dominated_by else None),
    ]


def _parts(ranking: Ranking, unit: str, hertz: float | None) -> list[tuple[Column, Figure]]:
    mean = ranking.workload.mean_bytes
    columns: list[tuple[Column, Figure]] = [
        (Column(label=f"{name} %", unit=PERCENT), _share_of(name)) for name in TERMS
    ]
    columns += [
        (Column(label="model", unit=unit), lambda e: _value(e.model)),
        (Column(label="replay", unit=unit), lambda e: _value(e.replay)),
        (Column(label="all forged", unit=unit), lambda e: _value(e.flood)),
        (Column(label="one key", unit=unit), lambda e: _value(e.one_key)),
    ]
    if mean:
        columns.append((Column(label="per byte", unit=f"{unit}/byte"), lambda e: _scaled(e.counts, 1 / mean)))
    if hertz:
        rate = hertz / 1e6
        columns.append((Column(label="M packets/s", unit="M packets/s"), lambda e: _rate(e, rate)))
        columns.append((Column(label="Gbit/s", unit="Gbit/s"), lambda e: _rate(e, rate * mean * 8 / 1000)))
    return columns


def _table(
    ranking: Ranking,
    context: Context,
    view: str,
    title: str,
    columns: Sequence[tuple[Column, Figure]],
    ranked_by: str = "",
) -> Table:
    rows = [
        Row(
            operation=OPERATION,
            primitive=entry.primitive.name,
            implementation=entry.tuning.implementation,
            compiler=entry.tuning.compiler,
            label=entry.primitive.name,
            figures=tuple(figure(entry) for _, figure in columns),
        )
        for entry in ranking.entries
    ]
    return Table(
        view=view,
        operation=OPERATION,
        measure="",
        title=title,
        variable="workload",
        columns=tuple(column for column, _ in columns),
        rows=tuple(rows),
        contexts=(context,),
        ranked_by=ranked_by,
    )


def _changes_table(ranking: Ranking, context: Context) -> Table:
    """Return where the winner changes: at a share of forgeries, at single lengths, under one key."""
    rows = []
    for change in ranking.changes:
        low, high = change.interval or (None, None)
        figures = (
            Value(value=change.value, interval=change.interval),
            None if low is None or high is None else Value(value=low, error=(high - low) / 2),
            None if low is None or high is None else Value(value=high, error=(high - low) / 2),
            Value(value=" = ".join(change.leaders)),
        )
        names = {"operation": OPERATION, "primitive": "", "implementation": "", "compiler": ""}
        rows.append(Row(**names, label=change.variable, figures=figures))
    labels = (("at", RATIO), ("from", RATIO), ("to", RATIO), ("leader", ""))
    return Table(
        view="rank-changes",
        operation=OPERATION,
        measure="",
        title=f"{ranking.workload.title}: where the leader changes",
        variable="workload",
        columns=tuple(Column(label=label, unit=unit) for label, unit in labels),
        rows=tuple(rows),
        contexts=(context,),
        rows_are="variable",
    )


def regret_table(rankings: Sequence[Ranking], context: Context) -> Table:
    """Return systems by workloads as multiples of the best; the last column is each system's worst multiple."""
    multiples: dict[str, dict[str, Value]] = {}
    first: dict[str, Entry] = {}
    for ranking in rankings:
        best = min((entry.counts.value for entry in ranking.entries), default=0.0)
        for entry in ranking.entries if best else ():
            first.setdefault(entry.primitive.name, entry)
            value = Value(value=entry.counts.value / best, rank=entry.rank.position, shares_rank=entry.rank.shared)
            multiples.setdefault(entry.primitive.name, {})[ranking.workload.name] = value
    names = [ranking.workload.name for ranking in rankings]
    rows = [_regret_row(first[name], [own.get(load) for load in names]) for name, own in multiples.items()]
    rows.sort(key=lambda row: (row.figures[-1] is None, row.figures[-1].value if row.figures[-1] else 0, row.label))
    return Table(
        view="rank-regret",
        operation=OPERATION,
        measure="",
        title="Cost as a multiple of the best, by workload; regret is the highest multiple",
        variable="workload",
        columns=tuple(Column(label=name, unit=RATIO) for name in [*names, "regret"]),
        rows=tuple(rows),
        contexts=(replace(context),),
    )


def _regret_row(entry: Entry, figures: Sequence[Value | None]) -> Row:
    values = [float(figure.value) for figure in figures if figure is not None]
    regret = Value(value=max(values)) if len(values) == len(figures) else None
    return Row(
        operation=OPERATION,
        primitive=entry.primitive.name,
        implementation=entry.tuning.implementation,
        compiler=entry.tuning.compiler,
        label=entry.primitive.name,
        figures=(*figures, regret),
    )


def _ranked(entry: Entry) -> Value:
    return replace(
        entry.counts.as_value(),
        rank=entry.rank.position,
        shares_rank=entry.rank.shared,
        implementation=entry.tuning.implementation,
        compiler=entry.tuning.compiler,
    )


def _value(cost: Cost | None) -> Value | None:
    return cost.as_value() if cost else None


def _scaled(cost: Cost, factor: float) -> Value:
    """Return a multiple of a cost, whose error is the same share of it."""
    half = (cost.interval[1] - cost.interval[0]) / 2 if cost.interval else None
    return Value(value=factor * cost.value, error=None if half is None else factor * half)


def _end(cost: Cost, index: int) -> Value | None:
    if not cost.interval:
        return None
    return Value(value=cost.interval[index], error=(cost.interval[1] - cost.interval[0]) / 2)


def _replay_ratio(entry: Entry) -> Value | None:
    return Value(value=entry.replay.value / entry.model.value) if entry.replay and entry.model.value else None


def _share_of(name: str) -> Figure:
    return lambda entry: Value(value=100 * entry.counts.shares[name])


def _rate(entry: Entry, rate: float) -> Value | None:
    cost = entry.counts
    return _scaled(cost, rate / cost.value**2) if cost.value > 0 else None


def _code_bytes(entry: Entry) -> Value | None:
    size = code_size(entry.sizes)
    return None if size is None else Value(value=size)


def _size(entry: Entry, name: str) -> Value | None:
    return Value(value=entry.sizes[name]) if name in entry.sizes else None


def _age(entry: Entry, day: datetime.date) -> Value | None:
    year = entry.primitive.facts.get("year")
    return Value(value=max(0, day.year - int(year))) if year else None
