# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a stored run over a ladder says: cells of rungs and parts, counts, spreads, the caption's context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb
import numpy as np

from cyclometer.analyse import Cell, Spread, cells, contents, prepare, summarise
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.analyse.estimate.comparability import Scope, context, quoted
from cyclometer.errors import NothingToDo
from cyclometer.protocols.calls import Calls, calls_in
from cyclometer.protocols.cold import ColdCosts, cold_costs
from cyclometer.protocols.rungs import NULL, Rung, part_keys
from cyclometer.records.run import PROTOCOL, RunInfo, Size
from cyclometer.records.table import Context, MachineFailure
from cyclometer.records.tuning import Tuning
from cyclometer.store import StoredRun, connect

BATCH_CALLS = 10_000  # in protocols/protocol/measure.c

Place = tuple[str, int, int]
"""A measure, the payload and the connections."""


@dataclass(frozen=True, kw_only=True)
class Ladder:
    """A run over a ladder, read back. Cycles are core cycles, or counter units where the chain's latency is unknown."""

    rungs: tuple[Rung, ...]  # in the order of the ladder, those that were measured
    cells: Mapping[tuple[str, Place], Cell]  # of rungs, by name
    parts: Mapping[tuple[str, str, int, int], Cell]  # key, measure, length, ad_length
    calls: Calls
    counts: Mapping[tuple[str, str], int]  # rung and name of the count -> per 1000 calls
    spreads: Mapping[str, Spread]  # by measure
    tails: Mapping[tuple[str, Place], float]  # the 99th percentile of all timings
    batches: Mapping[tuple[str, Place], tuple[float, ...]]  # runs of 10,000 calls -> microseconds a call
    overhead: float  # of one timing, in the unit of the cells
    cold: ColdCosts  # of the parts, where another run has measured them
    hertz: float | None
    context: Context
    failures: tuple[MachineFailure, ...]

    def cell(self, rung: Rung, measure: str, payload: int, keys: int = 1) -> Cell | None:
        """Return the cell of a rung, or None if it was not measured."""
        return self.cells.get((rung.name, (measure, payload, keys)))

    def cost(self, measure: str, length: int = 0) -> float | None:
        """Return what one of the small measures costs, taken of the null layer."""
        cell = self.cell(NULL, measure, length)
        return cell.cycles if cell else None

    @property
    def places(self) -> list[Place]:
        """Return every measure of whole calls, with its payloads and connections, sorted."""
        return sorted({place for _, place in self.cells if place[0].startswith("call-")})


def read_ladder(run: StoredRun) -> Ladder:
    """Read a finished run of `cyclometer protocol`; NothingToDo if it is another kind of run."""
    if not run.info or PROTOCOL not in run.info.plan:
        raise NothingToDo(f"{run.run} is not a run of `cyclometer protocol`")
    with connect([run], thorough=False) as connection:
        connection.execute("SET threads = 2")
        prepare(connection, [run.info])
        ladder = _read(connection, run.info)
    results = run.folder.parent.parent
    return replace(ladder, cold=cold_costs(results, run.machine, part_keys(ladder.rungs)))


def _read(connection: duckdb.DuckDBPyConnection, info: RunInfo) -> Ladder:
    scope = Scope(operation=PROTOCOL, infos=(info,))
    measured = cells(summarise(connection, f"operation = {quoted(PROTOCOL)} AND measure <> 'empty'", clamped=False))
    own = [cell for cell in measured if not cell.control]
    source = SampleSource(connection)
    spreads = {measure: spread for (_, measure), spread in source.spreads(scope).items()}
    sizes = _sizes(connection)
    present = {cell.subject.primitive for cell in own}
    rungs = tuple(rung for rung in map(_rung, info.plan[PROTOCOL]["rungs"]) if rung.name in present)
    others = f"operation NOT IN ({quoted(PROTOCOL)}, 'calibration') AND measure <> 'empty' AND NOT control"
    calls = [spread for measure, spread in sorted(spreads.items()) if measure.startswith("call-")]  # the queue's first
    return Ladder(
        rungs=rungs,
        cells={(cell.subject.primitive, _place(cell)): cell for cell in own},
        parts={_point(cell): cell for cell in cells(summarise(connection, others, clamped=False))},
        calls=calls_in(sizes),
        counts={(size.subject.primitive, size.name): size.value for size in sizes},
        spreads=spreads,
        tails=_tails(connection, own),
        batches=_batches(connection, float(info.counter.get("per_second") or 0)),
        overhead=_overhead(connection),
        cold={},
        hertz=source.clock(info),
        context=context_of(source, scope, info.machine, calls[0].quiet if calls else None),
        failures=failures_of(connection, info.machine),
    )


def context_of(source: SampleSource, scope: Scope, machine: str, spread: float | None) -> Context:
    """Return under which conditions the numbers of a study were taken; `spread` is that of equal calls."""
    return context(scope, machine, spread, source.overhead(scope, machine), source.calibration(scope, machine))


def failures_of(connection: duckdb.DuckDBPyConnection, machine: str) -> tuple[MachineFailure, ...]:
    """Return what failed in the run of a study."""
    return tuple(MachineFailure(machine=machine, failure=each.failure) for each in contents.failures(connection))


def _rung(text: object) -> Rung:
    """Read a rung from the plan: its layer and the keys of its parts."""
    assert isinstance(text, list)
    layer, parts, macros = text
    return Rung(layer=layer, parts=tuple(parts), macros=tuple(macros.items()))


def _place(cell: Cell) -> Place:
    return cell.measure, cell.variables["length"], cell.variables["keys"]


def _point(cell: Cell) -> tuple[str, str, int, int]:
    return cell.subject.key, cell.measure, cell.variables["length"], cell.variables["ad_length"]


def _sizes(connection: duckdb.DuckDBPyConnection) -> list[Size]:
    rows = connection.execute(
        "SELECT primitive, implementation, compiler, name, value FROM sizes WHERE operation = ?", [PROTOCOL]
    ).fetchall()
    return [
        Size(
            subject=Tuning(operation=PROTOCOL, primitive=primitive, implementation=implementation, compiler=compiler),
            name=name,
            value=value,
        )
        for primitive, implementation, compiler, name, value in rows
    ]


def _overhead(connection: duckdb.DuckDBPyConnection) -> float:
    """Return the median overhead of a timing, in the unit of the cells."""
    rows = connection.execute("SELECT median(overhead) FROM overheads").fetchall()
    ticks = float(rows[0][0] or 0.0)
    chains = connection.execute(
        "SELECT median(chain_before), any_value(c.chain_cycles) FROM samples s JOIN conversions c USING (run, machine)"
    ).fetchall()
    chain, cycles = chains[0]
    return ticks * cycles / (chain - ticks) if chain and cycles else ticks


def _batches(connection: duckdb.DuckDBPyConnection, per_second: float) -> dict[tuple[str, Place], tuple[float, ...]]:
    """Return the time of a call in each batch, in microseconds, of the sample that was disturbed least."""
    rows = connection.execute(
        "SELECT primitive, measure, length, keys, arg_min(series, list_sum(series)) FROM samples "
        "WHERE operation = ? AND measure LIKE 'batch-%' AND NOT control GROUP BY ALL",
        [PROTOCOL],
    ).fetchall()
    return {
        (primitive, (measure, length, keys)): tuple(1e6 * ticks / per_second / BATCH_CALLS for ticks in series)
        for primitive, measure, length, keys, series in rows
        if per_second
    }


def _tails(connection: duckdb.DuckDBPyConnection, measured: Sequence[Cell]) -> dict[tuple[str, Place], float]:
    """Return the 99th percentile of each cell: its raw timings' distance from their median, put onto the headline."""
    rows = connection.execute(
        "SELECT primitive, measure, length, keys, list(series) FROM samples "
        "WHERE operation = ? AND measure LIKE 'call-%' AND NOT control GROUP BY ALL",
        [PROTOCOL],
    ).fetchall()
    heads = {(cell.subject.primitive, _place(cell)): cell.cycles for cell in measured}
    result = {}
    for primitive, measure, length, keys, series in rows:
        key = (primitive, (measure, length, keys))
        timings = np.concatenate([np.asarray(each, dtype=float) for each in series])
        median = float(np.median(timings))
        if key in heads and median > 0:
            result[key] = heads[key] * float(np.quantile(timings, 0.99)) / median
    return result
