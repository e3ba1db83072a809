# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which runs' numbers compare, and the notes and captions that explain it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import duckdb

from cyclometer.analyse.estimate.core_cycles import converts, core_cycles_a_tick_sql, figure_unit
from cyclometer.analyse.estimate.run_to_run import FEWEST
from cyclometer.records.run import EARLIER_RUNS, PROTOCOL, SHARED_CORE, RunInfo
from cyclometer.records.table import Calibration, Context

RUNS = "JOIN runs USING (run, machine)"
"""Joins a table with the runs that its rows are of."""

OLDEST_FIRST = "started, run"
"""Orders rows that are joined with RUNS by when their run started, whatever it is called; the newest run is last."""

IDENTITY = ("microcode", "machine id")
"""Facts by which a machine is known, besides its name and its CPU."""


@dataclass(frozen=True, kw_only=True)
class Scope:
    """The runs whose numbers of one operation compare, the oldest first."""

    operation: str
    infos: tuple[RunInfo, ...]

    @property
    def machines(self) -> list[str]:
        """Return the names of the machines, sorted."""
        return sorted({info.machine for info in self.infos})

    def latest(self, machine: str) -> RunInfo:
        """Return the machine's newest run."""
        return [info for info in self.infos if info.machine == machine][-1]

    def on(self, *machines: str) -> Scope:
        """Return the scope restricted to these machines."""
        return replace(self, infos=tuple(info for info in self.infos if info.machine in machines))

    def sql(self) -> str:
        """Return the SQL condition for these runs' rows of this operation."""
        pairs = ", ".join(f"({quoted(info.run)}, {quoted(info.machine)})" for info in self.infos)
        return f"operation = {quoted(self.operation)} AND (run, machine) IN ({pairs})"


def comparable(infos: Sequence[RunInfo], operation: str, *, across: bool = False) -> tuple[Scope, list[str]]:
    """Return the runs that measured the operation under the newest one's contract, and a note on each other run.

    Runs of one machine also share the unit of its newest: cycles and ticks are not pooled. With `across`, each
    machine has the contract of its own newest run, and incomparable machines appear side by side, with a note.
    """
    ordered = sorted(infos, key=lambda info: (info.started.timestamp(), info.run))
    ordered = [info for info in ordered if operation in info.contracts] or ordered
    newest = ordered[-1].contracts.get(operation)
    contract_of = {info.machine: info.contracts.get(operation) for info in ordered}
    unit_of = {info.machine: figure_unit(info) for info in ordered}
    kept, notes = [], []
    for machine, contract in contract_of.items():
        if across and contract != newest:
            notes.append(f"{machine} measured {operation} under another contract ({contract}): not comparable")
    for info in ordered:
        if info.contracts.get(operation) != (contract_of[info.machine] if across else newest):
            if operation != PROTOCOL:  # of which each study has a contract of its own
                notes.append(f"{info.machine} {info.run} left out of {operation}: measured under another contract")
        elif figure_unit(info) != unit_of[info.machine]:
            notes.append(f"{info.machine} {info.run} left out of {operation}: its counter gives {figure_unit(info)}")
        else:
            kept.append(info)
    notes += _remedies(ordered, kept, operation) + _pooled(kept)
    return Scope(operation=operation, infos=tuple(kept)), notes


_STUDIES = (
    "tables of protocol are those of one study; `cyclometer protocol STUDY --stored` and protocols.html have the others"
)


def _remedies(infos: Sequence[RunInfo], kept: Sequence[RunInfo], operation: str) -> list[str]:
    """Return notes on how to see what was measured under another contract."""
    machines = {info.machine for info in kept}
    contracts = {info.contracts.get(operation) for info in kept}
    excluded = [info for info in infos if info not in kept and info.contracts.get(operation) not in contracts]
    if operation == PROTOCOL:
        return [_STUDIES] if excluded else []
    result = []
    if any(info.machine not in machines for info in excluded):
        result.append("`cyclometer table --across-contracts` shows machines side by side that do not compare")
    if any(info.machine in machines for info in excluded):
        result.append("`cyclometer compare SYSTEM --run A --run B --across-contracts` compares what does not compare")
    return result


def _pooled(infos: Sequence[RunInfo]) -> list[str]:
    """Return notes on machines whose pooled runs differ in more than time, and on runs that had to share their core."""
    values: dict[tuple[str, str], set[str]] = {}
    for info in infos:
        known = {"counter": info.counter.get("name"), **{name: info.facts.get(name) for name in IDENTITY}}
        for name, value in known.items():
            if value and not str(value).startswith("("):  # in parentheses: why it is unknown
                values.setdefault((info.machine, name), set()).add(str(value))
    notes = [
        f"{machine}: runs that differ in {name} are pooled ({', '.join(sorted(several))})"
        for (machine, name), several in values.items()
        if len(several) > 1
    ]
    return notes + [
        f"{info.machine} {info.run}: another run measured on the same core at the same time; measure again"
        for info in infos
        if SHARED_CORE in info.facts
    ]


def context(
    scope: Scope, machine: str, spread: float | None, overhead: float | None, calibration: Calibration | None = None
) -> Context:
    """Return what a caption states about one machine; `spread` is a ratio minus 1, `overhead` in counter units."""
    latest = scope.latest(machine)
    infos = [info for info in scope.infos if info.machine == machine]
    return Context(
        machine=machine,
        cpu=str(latest.facts.get("cpu", "unknown CPU")),
        counter=str(latest.counter.get("name", "unknown counter")),
        unit=figure_unit(latest),
        converted_from=str(latest.counter.get("unit", "")) if converts(latest) else "",
        profile=", ".join(dict.fromkeys(info.profile for info in infos)),
        runs=tuple(info.run for info in infos),
        overhead=overhead,
        spread=spread,
        calibration=calibration,
        earlier_runs=known_runs(latest),
        dithered_step=float(latest.counter.get("resolution") or 1) if latest.counter.get("dither_cycles") else None,
        is_read_twice=bool(latest.counter.get("read_gap")),
    )


def known_runs(info: RunInfo) -> int:
    """Return how many earlier runs of the same programs a run's intervals know; 0 if they are too few."""
    known = str(info.facts.get(EARLIER_RUNS, ""))
    return int(known) if known.isdecimal() and int(known) >= FEWEST else 0


def overhead_of(connection: duckdb.DuckDBPyConnection, scope: Scope, machine: str) -> float | None:
    """Return the median overhead of a timing on a machine, in counter units."""
    rows = connection.execute(
        f"SELECT median(overhead) FROM overheads WHERE {scope.sql()} AND machine = ?", [machine]
    ).fetchall()
    overhead: float | None = rows[0][0]
    return overhead


def core_cycles_a_second(connection: duckdb.DuckDBPyConnection, info: RunInfo) -> float | None:
    """Return the core's clock rate during the run, in cycles per second; None if unknown.

    Without conversion to core cycles, it is the counter's rate.
    """
    rate = float(info.counter.get("per_second") or 0)
    if not converts(info):
        return rate or None
    rows = connection.execute(
        f"SELECT clock FROM ({core_cycles_a_tick_sql()}) WHERE run = ? AND machine = ?", [info.run, info.machine]
    ).fetchall()
    return rate * rows[0][0] if rate and rows else None


def quoted(text: str) -> str:
    """Return an SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def one_of(column: str, values: Iterable[str | int]) -> str:
    """Return the SQL condition that a column has one of these values."""
    literals = ", ".join(quoted(value) if isinstance(value, str) else str(value) for value in values)
    return f"{column} IN ({literals})" if literals else "false"
