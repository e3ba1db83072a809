# SPDX-License-Identifier: MIT OR Apache-2.0
"""What stored runs of one machine say about the systems of a ranking."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import duckdb
import numpy as np

from cyclometer import paths
from cyclometer.analyse import contents
from cyclometer.analyse.estimate.cell_cache import open_cells
from cyclometer.analyse.estimate.cell_source import CellSource, SampleSource
from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, Scope, comparable, context
from cyclometer.analyse.estimate.core_cycles import prepare
from cyclometer.analyse.estimate.measurement_index import MeasurementIndex
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.records.catalogue import Primitive
from cyclometer.records.failure import Severity
from cyclometer.records.grid import Point
from cyclometer.records.rounds import RunKey
from cyclometer.records.run import CONSTANT_TIME
from cyclometer.records.table import Context
from cyclometer.records.tuning import Tuning
from cyclometer.store import StoredRun, connect
from cyclometer.workload.costs import Measured, read_headlines
from cyclometer.workload.coverage import Coverage, cover
from cyclometer.workload.model import OPERATION
from cyclometer.workload.ranking import Material, Sizes

Needs = Mapping[str, frozenset[Point]]
"""The points that each primitive needs."""


@dataclass(frozen=True, kw_only=True)
class Survey:
    """The runs of one machine under one contract, and what each primitive has in them."""

    runs: tuple[StoredRun, ...]
    scope: Scope | None  # None: there is no run
    coverage: Mapping[str, Coverage]
    operation: str = OPERATION

    def missing(self, needs: Needs, *, followed: bool = False) -> dict[str, frozenset[Point]]:
        """Return the points that each primitive lacks: all of them, if its secrets should have been `followed`."""
        lacking = {name: self._missing(name, points, followed=followed) for name, points in needs.items()}
        return {name: points for name, points in lacking.items() if points}

    def _missing(self, name: str, points: frozenset[Point], *, followed: bool) -> frozenset[Point]:
        own = self.coverage.get(name)
        return points if own is None or (followed and not own.followed) else own.missing


def survey(
    runs: Sequence[StoredRun],
    needs: Needs,
    machine: str,
    contract: str = "",
    operation: str = OPERATION,
    *,
    wished: Needs | None = None,
    constant_time: bool = False,
    cost: Callable[[Measured], float] | None = None,
) -> Survey:
    """Find out what the runs have: those under the contract, or else under that of the newest.

    Of several tunings with all points, the one with the least `cost` is taken (None: the least sum over the points).
    One that has the `wished` points, too, is preferred, and before it, with `constant_time`, one whose secrets were
    followed.
    """
    own = [run for run in runs if run.machine == machine and run.info and operation in run.info.contracts]
    if contract:
        own = [run for run in own if run.info and run.info.contracts[operation] == contract]
    if not own:
        return Survey(runs=(), scope=None, coverage={}, operation=operation)
    scope, _ = comparable([run.info for run in own if run.info], operation)
    names = {info.run for info in scope.infos}
    own = [run for run in own if run.run in names]
    cells = open_cells(own, paths.cache_folder())
    with _opened(own, samples=cells is None) as connection:
        index = cells.inventory if cells else MeasurementIndex.of_samples(connection)
        followed = _followed(connection, operation) if constant_time else set()
    candidates: dict[str, list[Coverage]] = {}
    asked = {name: (points, (wished or {}).get(name, frozenset())) for name, points in needs.items()}
    for points, more in set(asked.values()):
        alike = {name for name, own_points in asked.items() if own_points == (points, more)}
        candidates |= cover(index, scope, machine, alike, points, wished=more, followed=followed)
    coverage = _cheapest(own, needs, candidates, cost or _sum)
    return Survey(runs=tuple(own), scope=scope, coverage=coverage, operation=operation)


def _cheapest(
    runs: Sequence[StoredRun],
    needs: Needs,
    candidates: Mapping[str, Sequence[Coverage]],
    cost: Callable[[Measured], float],
) -> dict[str, Coverage]:
    """Return the tuning of each primitive with the least cost; of equal ones the first."""
    rivals = {name: several for name, several in candidates.items() if len(several) > 1}
    measured = _headlines(runs, needs, [each for several in rivals.values() for each in several])

    def of_tuning(each: Coverage) -> float:
        own = measured.get(each.tuning, {})
        return cost(own) if needs[each.tuning.primitive] <= own.keys() else math.inf

    return {name: min(several, key=of_tuning) if name in rivals else several[0] for name, several in candidates.items()}


def _sum(measured: Measured) -> float:
    return sum(each.center for each in measured.values())


def _headlines(runs: Sequence[StoredRun], needs: Needs, covered: Sequence[Coverage]) -> dict[Tuning, Measured]:
    """Return what the runs have of these tunings at the points that their primitives need."""
    used = {run for each in covered for run in each.runs}
    read = [run for run in runs if (run.run, run.machine) in used]
    if not read:
        return {}
    with _opened(read) as connection:
        prepare(connection, [run.info for run in read if run.info])
        points = sorted({point for each in covered for point in needs[each.tuning.primitive]})
        found = read_headlines(connection, covered, points)
    return {
        tuning: {point: each for point, each in own.items() if point in needs[tuning.primitive]}
        for tuning, own in found.items()
    }


def read_material(
    found: Survey, needs: Needs, primitives: Mapping[str, Primitive], machine: str, failures: Mapping[str, str]
) -> tuple[Material, Context, float | None]:
    """Return what a ranking is made of, the caption's context, and the core's clock rate in cycles per second.

    `failures` says why systems could not be measured just now.
    """
    complete = {name: each for name, each in found.coverage.items() if not each.missing}
    used = {run for each in complete.values() for run in each.runs}
    runs = [run for run in found.runs if (run.run, run.machine) in used] or list(found.runs[-1:])
    assert found.scope is not None
    scope = Scope(operation=found.operation, infos=tuple(run.info for run in runs if run.info))
    with _opened(runs) as connection:
        prepare(connection, scope.infos)
        source = SampleSource(connection)
        points = sorted({point for name in complete for point in needs[name]})
        measured = read_headlines(connection, complete.values(), points)
        material = Material(
            primitives=primitives,
            coverage=found.coverage,
            measured={tuning.primitive: own for tuning, own in measured.items()},
            sizes=_sizes(connection, complete, used, found.operation),
            spread=_spread(source, scope, machine, {str(point[0]) for point in points}),
            failures={**_failures(connection, found), **failures},
        )
        spread = material.spread.quiet if material.spread else None
        about = context(scope, machine, spread, source.overhead(scope, machine), source.calibration(scope, machine))
        return material, about, source.clock(scope.latest(machine))


def read_costs(found: Survey, needs: Needs) -> dict[str, dict[Point, float]]:
    """Return the median headline of each point of the primitives that have all of theirs."""
    complete = [each for each in found.coverage.values() if not each.missing]
    return {
        tuning.primitive: {point: float(np.median(each.values)) for point, each in own.items()}
        for tuning, own in _headlines(found.runs, needs, complete).items()
    }


@contextmanager
def _opened(runs: Sequence[StoredRun], *, samples: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(runs, samples=samples, thorough=False) as connection:
        yield connection


def _spread(source: CellSource, scope: Scope, machine: str, measures: set[str]) -> Spread | None:
    """Return the largest A/A spread of the measures that a cost consists of."""
    spreads = [each for (own, measure), each in source.spreads(scope).items() if own == machine and measure in measures]
    spreads = [each for each in spreads if each]
    if not spreads:
        return None
    return Spread(quiet=max(each.quiet for each in spreads), every=max(each.every for each in spreads))


def _followed(connection: duckdb.DuckDBPyConnection, operation: str) -> set[tuple[RunKey, Tuning]]:
    """Return the tunings of which a run says whether their time depends on secrets."""
    rows = connection.execute(
        "SELECT run, machine, operation, primitive, implementation, compiler FROM sizes "
        "WHERE operation = ? AND name = ?",
        [operation, CONSTANT_TIME],
    ).fetchall()
    names = ("operation", "primitive", "implementation", "compiler")
    return {((run, machine), Tuning(**dict(zip(names, own, strict=True)))) for run, machine, *own in rows}


def _sizes(
    connection: duckdb.DuckDBPyConnection, coverage: Mapping[str, Coverage], runs: set[RunKey], operation: str
) -> dict[str, Sizes]:
    """Return the sizes of each covered tuning; those of the newest run, where several have them."""
    rows = connection.execute(
        f"SELECT run, machine, primitive, implementation, compiler, name, value FROM sizes {RUNS} WHERE operation = ? "
        f"ORDER BY {OLDEST_FIRST}",
        [operation],
    ).fetchall()
    result: dict[str, dict[str, int]] = {}
    for run, machine, primitive, implementation, compiler, name, value in rows:
        each = coverage.get(primitive)
        own = each and (each.tuning.implementation, each.tuning.compiler) == (implementation, compiler)
        if own and (run, machine) in runs:
            result.setdefault(primitive, {})[name] = value
    return dict(result)


def _failures(connection: duckdb.DuckDBPyConnection, found: Survey) -> dict[str, str]:
    """Return the first error of each primitive of which nothing was measured."""
    result: dict[str, str] = {}
    for entry in contents.failures(connection):
        subject = entry.failure.subject
        is_unmeasured = subject.operation == found.operation and subject.primitive not in found.coverage
        if is_unmeasured and subject.primitive and entry.failure.severity is not Severity.WARNING:
            result.setdefault(subject.primitive, f"not measured: {subject.implementation}: {entry.failure.reason}")
    return result
