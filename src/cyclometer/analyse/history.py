# SPDX-License-Identifier: MIT OR Apache-2.0
"""One system over the runs of a machine: headline of each run, change from the one before, change points."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cyclometer.analyse.change_points import change_points
from cyclometer.analyse.estimate.cell_file import CellFile
from cyclometer.analyse.estimate.cells import Cell, cells_of
from cyclometer.analyse.estimate.comparability import Scope, comparable, context
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.tables.units import figure_in_cycles
from cyclometer.records.run import RunInfo
from cyclometer.records.table import RATIO, Column, Row, Table, Value

VIEW = "history"


@dataclass(frozen=True, kw_only=True)
class RunCells:
    """A run with its cells."""

    info: RunInfo
    file: CellFile

    def spread(self, operation: str, measure: str) -> float | None:
        """Return the A/A spread in undisturbed moments; None if there was no control."""
        spreads: Sequence[float] = self.file.facts["spreads"].get(operation, {}).get(measure, ())
        return spreads[0] if spreads else None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One run of a history; `spread` and `overhead` (in counter units) are None if unknown."""

    info: RunInfo
    cell: Cell
    spread: float | None
    overhead: float | None
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


def histories(
    runs: Sequence[RunCells],
    systems: Mapping[str, Sequence[str]],
    measures: Sequence[str],
    lengths: Sequence[int],
    keys: Sequence[int],
) -> tuple[list[History], list[str]]:
    """Return the histories of these systems, and notes on what is left out.

    Without `lengths`, each measure has the one length that most runs measured, the longest of these; likewise keys.
    """
    found: list[History] = []
    notes: list[str] = []
    wanted = {"measure": measures, "length": lengths, "keys": keys, "ad_length": (0,), "alignment": (0,)}
    for operation, names in systems.items():
        conditions = {"operation": (operation,), "primitive": names, "control": (False,), **wanted}
        grouped: dict[tuple[str, str, str], list[tuple[RunCells, Cell]]] = {}
        scope, left_out = comparable([run.info for run in runs], operation)
        notes += left_out
        kept = {id(info) for info in scope.infos}
        for run in (run for run in runs if id(run.info) in kept):
            for cell in cells_of(run.file.matching(conditions)):
                grouped.setdefault((run.info.machine, cell.subject.primitive, cell.measure), []).append((run, cell))
        for of, points in grouped.items():
            several = [_history(of, key, entries) for key, entries in _series(points, every=bool(lengths))]
            found += several
            notes += [] if several else [f"{of[1]} on {of[0]}: {of[2]} was measured by one run only"]
    return found, notes


Key = tuple[int, int]  # length and number of keys


def _series(points: Sequence[tuple[RunCells, Cell]], *, every: bool) -> list[tuple[Key, list[tuple[RunCells, Cell]]]]:
    """Return the lengths and keys to show with the fastest tuning of each run, if several runs measured it."""
    series: dict[Key, dict[str, tuple[RunCells, Cell]]] = {}
    for run, cell in points:
        best = series.setdefault((cell.variables["length"], cell.variables["keys"]), {})
        if cell.cycles > 0 and (run.info.run not in best or cell.cycles < best[run.info.run][1].cycles):
            best[run.info.run] = run, cell
    longest = max(series, key=lambda key: (len(series[key]), key[1] == 1, key[0]))
    shown = sorted(series) if every else [longest]
    return [(key, [*series[key].values()]) for key in shown if len(series[key]) > 1]


def _history(of: tuple[str, str, str], key: Key, points: Sequence[tuple[RunCells, Cell]]) -> History:
    machine, system, measure = of
    operation = points[0][1].subject.operation
    changes = set(change_points([cell.cycles for _, cell in points]))
    return History(
        machine=machine,
        operation=operation,
        system=system,
        measure=measure,
        length=key[0],
        keys=key[1],
        unit=figure_unit(points[-1][0].info),
        entries=tuple(
            Entry(
                info=run.info,
                cell=cell,
                spread=run.spread(operation, measure),
                overhead=run.file.facts["overheads"].get(operation),
                begins=index in changes,
            )
            for index, (run, cell) in enumerate(points)
        ),
    )


def history_table(history: History) -> Table:
    """Return a history as a table, a row for each run."""
    scope = Scope(operation=history.operation, infos=tuple(entry.info for entry in history.entries))
    spread = _typical(entry.spread for entry in history.entries)
    overhead = _typical(entry.overhead for entry in history.entries)
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
        rows=tuple(_row(history, entry, earlier) for entry, earlier in zip(history.entries, before, strict=True)),
        contexts=(context(scope, history.machine, spread, overhead),),
        rows_are="run",
        tie="tie: no significant change from the run before",
    )


def _typical(values: Iterable[float | None]) -> float | None:
    """Return the median of what is known; None if nothing is."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _row(history: History, entry: Entry, earlier: Entry | None) -> Row:
    subject = entry.cell.subject
    return Row(
        operation=history.operation,
        primitive=history.system,
        implementation=subject.implementation,
        compiler=subject.compiler,
        label=entry.info.label or entry.info.run,
        figures=(
            Value(value=entry.info.started.strftime("%Y-%m-%d %H:%M")),
            figure_in_cycles(entry.cell),
            _change(entry, earlier) if earlier else None,
            Value(value=f"{subject.implementation} {subject.compiler}"),
            Value(value="new" if entry.begins else ""),
        ),
    )


def _change(entry: Entry, earlier: Entry) -> Value:
    """Return the ratio to the run before; within both intervals and the A/A spreads it is a tie."""
    ratio = entry.cell.cycles / earlier.cell.cycles
    noise = max(entry.spread or 0.0, earlier.spread or 0.0)
    error = max(noise, math.hypot(*(_relative_error(each.cell) for each in (entry, earlier))))
    return Value(
        value=ratio,
        error=ratio * error,
        disturbed=entry.cell.disturbed or earlier.cell.disturbed,
        ties_with_best=abs(ratio - 1) <= error,
    )


def _relative_error(cell: Cell) -> float:
    low, high = cell.interval or (cell.cycles, cell.cycles)
    return (high - low) / 2 / cell.cycles
