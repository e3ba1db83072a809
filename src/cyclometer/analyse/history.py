# SPDX-License-Identifier: MIT OR Apache-2.0
"""One system over the runs of a machine: headline of each run, change from the one before, change points."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from cyclometer.analyse.change_points import change_points
from cyclometer.analyse.estimate.aa_control import control_spreads
from cyclometer.analyse.estimate.comparability import Scope, comparable, context, one_of, overhead_of
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.estimate.estimators import median_interval
from cyclometer.analyse.estimate.rounds import roundwise
from cyclometer.records.rounds import Rounds
from cyclometer.records.run import RunInfo
from cyclometer.records.table import RATIO, Column, Row, Table, Value

VIEW = "history"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One run of a history."""

    info: RunInfo
    point: Rounds
    cycles: float
    interval: tuple[float, float] | None
    begins: bool  # another level begins here


@dataclass(frozen=True, kw_only=True)
class History:
    """One point of one system on one machine, by time."""

    machine: str
    operation: str
    system: str
    measure: str
    length: int
    keys: int
    unit: str
    entries: tuple[Entry, ...]

    @property
    def title(self) -> str:
        """Return what the history is of."""
        keys = f", {self.keys} active keys" if self.keys != 1 else ""
        return f"{self.system} on {self.machine}: {self.measure}, length {self.length}{keys}"

    @property
    def times(self) -> list[datetime.datetime]:
        """Return when each run began."""
        return [entry.info.started for entry in self.entries]


def histories(
    connection: duckdb.DuckDBPyConnection,
    infos: Sequence[RunInfo],
    systems: dict[str, list[str]],
    measures: Sequence[str],
    lengths: Sequence[int],
    keys: Sequence[int],
) -> tuple[list[History], list[str]]:
    """Return the histories of these systems, and notes on runs left out. Needs `prepare`.

    Without `lengths`, each measure has the one length that most runs measured, the longest of these; likewise keys.
    """
    found: list[History] = []
    notes: list[str] = []
    for operation, names in systems.items():
        scope, left_out = comparable(infos, operation)
        notes += left_out
        conditions = [scope.sql(), "NOT control", one_of("primitive", names)]
        filters: dict[str, Sequence[str | int]] = {"measure": measures, "length": lengths, "keys": keys}
        conditions += [one_of(name, sorted(values)) for name, values in filters.items() if values]
        grouped: dict[tuple[str, str, str], list[Rounds]] = {}
        for point in roundwise(connection, " AND ".join(conditions)):
            if not point.variables["ad_length"] and not point.variables["alignment"]:
                grouped.setdefault((point.machine, point.subject.primitive, point.measure), []).append(point)
        for points in grouped.values():
            found += _of_measure(scope, points, every=bool(lengths))
        shown = {(each.machine, each.system, each.measure) for each in found}
        notes += [f"{of[1]} on {of[0]}: {of[2]} was measured by one run only" for of in grouped if of not in shown]
    return found, notes


def _of_measure(scope: Scope, points: Sequence[Rounds], *, every: bool) -> Iterator[History]:
    """Yield the histories of a measure at the lengths and keys to show."""
    series: dict[tuple[int, int], dict[str, Rounds]] = {}
    for point in points:
        runs = series.setdefault((point.variables["length"], point.variables["keys"]), {})
        best = runs.get(point.run)
        if np.median(point.headlines) > 0 and (best is None or _cycles(point) < _cycles(best)):
            runs[point.run] = point
    longest = max(series, key=lambda key: (len(series[key]), key[1] == 1, key[0]))
    for key in sorted(series) if every else [longest]:
        if len(series[key]) > 1:
            yield _history(scope, key, series[key])


def _cycles(point: Rounds) -> float:
    return float(np.median(point.headlines))


def _history(scope: Scope, key: tuple[int, int], runs: dict[str, Rounds]) -> History:
    some = next(iter(runs.values()))
    infos = [info for info in scope.infos if info.machine == some.machine and info.run in runs]
    changes = set(change_points([_cycles(runs[info.run]) for info in infos]))
    return History(
        machine=some.machine,
        operation=scope.operation,
        system=some.subject.primitive,
        measure=some.measure,
        length=key[0],
        keys=key[1],
        unit=figure_unit(infos[-1]),
        entries=tuple(_entry(info, runs[info.run], begins=index in changes) for index, info in enumerate(infos)),
    )


def _entry(info: RunInfo, point: Rounds, *, begins: bool) -> Entry:
    interval = None
    if len(point.headlines) > 1:
        low, high = median_interval(np.array([point.headlines]))
        interval = float(low[0]), float(high[0])
    return Entry(info=info, point=point, cycles=_cycles(point), interval=interval, begins=begins)


def history_table(connection: duckdb.DuckDBPyConnection, history: History) -> Table:
    """Return a history as a table, a row for each run."""
    infos = tuple(entry.info for entry in history.entries)
    scope = Scope(operation=history.operation, infos=infos)
    spread = control_spreads(connection, scope).get((history.machine, history.measure))
    overhead = overhead_of(connection, scope, history.machine)
    noise = spread.quiet if spread else 0.0
    before = [None, *history.entries[:-1]]
    return Table(
        view=VIEW,
        operation=history.operation,
        measure=history.measure,
        title=history.title,
        variable=VIEW,
        columns=(
            Column(label="started", unit=""),
            Column(label="cycles", unit=history.unit),
            Column(label="beside the one before", unit=RATIO),
            Column(label="tuning", unit=""),
            Column(label="level", unit=""),
        ),
        rows=tuple(
            _row(history, entry, earlier, noise) for entry, earlier in zip(history.entries, before, strict=True)
        ),
        contexts=(context(scope, history.machine, spread.quiet if spread else None, overhead),),
        rows_are="run",
        tie="tie: no significant change from the run before",
    )


def _row(history: History, entry: Entry, earlier: Entry | None, noise: float) -> Row:
    subject = entry.point.subject
    return Row(
        operation=history.operation,
        primitive=history.system,
        implementation=subject.implementation,
        compiler=subject.compiler,
        label=entry.info.label or entry.info.run,
        figures=(
            Value(value=entry.info.started.strftime("%Y-%m-%d %H:%M")),
            Value(
                value=entry.cycles,
                interval=entry.interval,
                rounds=len(entry.point.numbers),
                disturbed=entry.point.disturbed,
            ),
            _change(entry, earlier, noise) if earlier else None,
            Value(value=f"{subject.implementation} {subject.compiler}"),
            Value(value="new" if entry.begins else ""),
        ),
    )


def _change(entry: Entry, earlier: Entry, noise: float) -> Value:
    """Return the ratio to the run before; within both intervals and the A/A spread it is a tie."""
    ratio = entry.cycles / earlier.cycles
    error = max(noise, math.hypot(*(_relative_error(each) for each in (entry, earlier))))
    return Value(
        value=ratio,
        error=ratio * error,
        disturbed=entry.point.disturbed or earlier.point.disturbed,
        ties_with_best=abs(ratio - 1) <= error,
    )


def _relative_error(entry: Entry) -> float:
    low, high = entry.interval or (entry.cycles, entry.cycles)
    return (high - low) / 2 / entry.cycles
