# SPDX-License-Identifier: MIT OR Apache-2.0
"""The data of the web report: records of the runs chosen, gathered once, and series, read one system at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import duckdb

from cyclometer.analyse.contents import failures, measures
from cyclometer.analyse.estimate.aa_control import control_spreads
from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, Scope, comparable
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.analyse.estimate.rounds import exported
from cyclometer.analyse.published import published_tables
from cyclometer.analyse.security import meets
from cyclometer.analyse.site_placement import SitePlacement, site_placement
from cyclometer.analyse.site_series import SystemSeries, system_series
from cyclometer.analyse.tables.tables import build_tables
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.analyse.traffic_rows import Traffic, TrafficRows, traffic_rows
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.catalogue import ForeignOperation
from cyclometer.records.length_unit import BYTES, by_length
from cyclometer.records.published import Published
from cyclometer.records.rounds import ExportSource
from cyclometer.records.run import RunInfo, Size
from cyclometer.records.study import StudyResult
from cyclometer.records.table import MachineFailure, Table
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.store import StoredRun, connect, storage

_SUBJECT = "operation, primitive, implementation, compiler"

Declared = Callable[[str, Sequence[str]], tuple[str, list[View]] | None]
"""Maps an operation and its measures in the runs to its title and views; None if it is not declared."""


@dataclass(frozen=True, kw_only=True)
class System:
    """A primitive that a run has numbers of, or only declares."""

    operation: str
    primitive: str
    declaration: Mapping[str, Any]
    machines: tuple[str, ...]  # those that measured it


@dataclass(frozen=True, kw_only=True)
class Noise:
    """The disturbances on a machine during one run."""

    run: str
    samples: int
    timings: int
    switched: int  # samples with a context switch during the stored series
    retakes: int
    clock: tuple[float, float, float] | None  # 10th, 50th, 90th percentile of the chain, counter units
    load: tuple[float, float, float] | None  # of load kernel over chain


@dataclass(frozen=True, kw_only=True)
class SecurityFilter:
    """The least security of a system in the report."""

    unbroken: bool = False
    bits: int = 0  # after the best attack on record

    def met_by(self, declaration: Mapping[str, Any]) -> bool:
        """Return whether a system with this declaration is shown."""
        return meets(declaration, unbroken=self.unbroken, least_bits=self.bits)


ANY_SECURITY = SecurityFilter()


_Record = TypeVar("_Record", Trial, Size)


@dataclass(frozen=True, kw_only=True)
class MachineRecord(Generic[_Record]):
    """A record with its machine and run."""

    machine: str
    run: str
    record: _Record


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An operation that was measured: its comparable runs, and the A/A spreads."""

    name: str
    title: str
    views: tuple[View, ...]
    scope: Scope
    spreads: Mapping[tuple[str, str], Spread]  # (machine, measure)

    @property
    def length_unit(self) -> str:
        """Return what a length counts, as a plural."""
        return self.views[0].length_unit if self.views else BYTES

    def spreads_on(self, machine: str) -> dict[str, Spread]:
        """Return the A/A spreads of each measure on a machine."""
        return {measure: spread for (name, measure), spread in self.spreads.items() if name == machine}

    def in_order(self, measures: Iterable[str]) -> list[str]:
        """Sort measures as the views list them, then the others by name."""
        named = dict.fromkeys(measure for view in self.views for measure in view.measures)
        index = {measure: number for number, measure in enumerate(named)}
        return sorted(measures, key=lambda measure: (index.get(measure, len(index)), measure))

    def lengths_shown(self) -> tuple[int, ...]:
        """Return the lengths that the first table by length shows."""
        return next((view.show for view in self.views if view.columns == "length" and view.show), ())

    def title_of(self, measure: str) -> str:
        """Return the title of a curve over the lengths: "{unit} to sign a message, by its length in bytes"."""
        for view in self.views:
            if view.columns == "length" and measure in view.measures:
                return view.titled(unit="{unit}", measure=measure)
        return f"{{unit}}: {measure}, {by_length(self.length_unit)}"


@dataclass(frozen=True, kw_only=True)
class RunFolder:
    """The folder of a run."""

    machine: str
    run: str
    state: str  # complete | under way | interrupted
    folder: Path


@dataclass(frozen=True, kw_only=True)
class SiteMaterial:
    """The records behind all pages."""

    stored: tuple[RunFolder, ...]
    infos: tuple[RunInfo, ...]  # of the runs, the oldest first
    operations: tuple[Operation, ...]
    systems: tuple[System, ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]  # what is excluded and why
    failures: tuple[MachineFailure, ...]
    trials: tuple[MachineRecord[Trial], ...]
    sizes: tuple[MachineRecord[Size], ...]
    noise: Mapping[str, tuple[Noise, ...]]  # by machine
    published: tuple[Table, ...] = ()  # figures that documents print, beside ours
    studies: tuple[StudyResult, ...] = ()  # of protocols
    placement: SitePlacement = field(default_factory=SitePlacement)

    @property
    def machines(self) -> tuple[str, ...]:
        """Return the names of the machines, sorted."""
        return tuple(sorted({info.machine for info in self.infos}))

    @property
    def length_units(self) -> dict[str, str]:
        """Return what a length counts, by operation."""
        return {operation.name: operation.length_unit for operation in self.operations}

    def latest(self, machine: str) -> RunInfo:
        """Return the machine's newest run."""
        return [info for info in self.infos if info.machine == machine][-1]

    def declaration(self, operation: str, primitive: str) -> Mapping[str, Any]:
        """Return the stored declaration of a primitive; empty if there is none."""
        for system in self.systems:
            if (system.operation, system.primitive) == (operation, primitive):
                return system.declaration
        return {}

    def operation(self, name: str) -> Operation | None:
        """Return the operation of that name; None if it was not measured."""
        return next((operation for operation in self.operations if operation.name == name), None)


@dataclass(frozen=True, kw_only=True)
class SiteData:
    """Everything a web report is made from; its functions read when they are called."""

    material: SiteMaterial
    series: Callable[[Scope, Sequence[str]], Iterator[tuple[tuple[str, str], SystemSeries]]]  # by primitive, machine
    exported: Callable[[], ExportSource]
    traffic: Traffic  # workloads, and what the tree declares of the systems that are ranked for them
    traffic_rows: Callable[[Scope, str], TrafficRows]  # of a machine


@contextmanager
def site_data(
    stored: Sequence[StoredRun],
    declared: Declared,
    foreign: Callable[[], Mapping[str, ForeignOperation]],
    traffic: Callable[[], Traffic],
    *,
    least: SecurityFilter = ANY_SECURITY,
    threads: int | None = None,
    published: Published | None = None,
    studies: Callable[[], Sequence[StudyResult]] = tuple,
) -> Iterator[SiteData]:
    """Open these runs for a report; their files are read until the context ends.

    `foreign` returns other projects' names of operations, `traffic` what workloads there are, `studies` those of
    protocols. `NothingToDo` if no system is as secure as `least`; `StorageFailed` if a file cannot be read.
    """
    source = stored[0].folder if len(stored) == 1 else stored[0].folder.parent.parent
    with storage("read", source), connect(stored) as connection:
        connection.execute("SET memory_limit = '1GB'")
        if threads:
            connection.execute(f"SET threads = {threads}")
        connection.execute("CREATE TEMP TABLE read_once AS FROM samples; CREATE TEMP VIEW samples AS FROM read_once")
        material = gather(connection, stored, declared, least)
        if published:
            beside = published_tables(connection, material.infos, published)
            material = replace(material, published=tuple(beside))
        material = replace(material, studies=tuple(studies()))
        ranked = traffic()
        yield SiteData(
            material=material,
            traffic=ranked,
            traffic_rows=lambda scope, machine: traffic_rows(connection, scope, machine, ranked),
            series=lambda scope, primitives: system_series(connection, scope, primitives),
            exported=lambda: exported(connection, material.infos, foreign(), length_units=material.length_units),
        )


def gather(
    connection: duckdb.DuckDBPyConnection,
    stored: Sequence[StoredRun],
    declared: Declared,
    least: SecurityFilter = ANY_SECURITY,
) -> SiteMaterial:
    """Gather everything except the series; `NothingToDo` if no system is as secure as `least`.

    `connection` has the views of `store.connect` over `stored`.
    """
    infos = sorted(
        (entry.info for entry in stored if entry.info), key=lambda info: (info.started.timestamp(), info.run)
    )
    all_systems = _systems(infos, _measured(connection))
    systems = [system for system in all_systems if least.met_by(system.declaration)]
    if all_systems and not systems:
        raise NothingToDo("no system measured is as secure as asked; lower --min-security or drop --unbroken")
    measured = measures(connection)
    operations = dict.fromkeys(system.operation for system in systems if system.machines)
    views = {name: _views(declared, name, measured.get(name, [])) for name in operations}
    machines = len({info.machine for info in infos})
    shown = {
        name: [view for view in declared_views if view.is_default(machines)]
        for name, (_, declared_views) in views.items()
    }
    selected = (
        tuple(f"{system.operation}/{system.primitive}" for system in systems) if len(systems) < len(all_systems) else ()
    )
    tables, notes = build_tables(connection, infos, shown, TableOptions(systems=selected))
    found = [_operation(connection, infos, name, *declared_views) for name, declared_views in views.items()]
    return SiteMaterial(
        stored=tuple(_folder(entry) for entry in stored),
        infos=tuple(infos),
        operations=tuple(found),
        systems=tuple(systems),
        tables=tuple(tables),
        notes=(*notes, *_exclusion_note(all_systems, systems)),
        failures=tuple(failures(connection)),
        trials=tuple(_trials(connection)),
        sizes=tuple(_sizes(connection)),
        noise={info.machine: tuple(_noise(connection, info.machine)) for info in infos},
        placement=site_placement(connection, infos, [operation.scope for operation in found], selected),
    )


def _folder(entry: StoredRun) -> RunFolder:
    return RunFolder(machine=entry.machine, run=entry.run, state=entry.state, folder=entry.folder)


def _exclusion_note(all_systems: Sequence[System], selected: Sequence[System]) -> Iterator[str]:
    names = [system.primitive for system in all_systems if system not in selected]
    if names:
        yield f"less secure than requested, or without a declared level: {', '.join(names)}"


def _measured(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return operation -> primitive -> the machines that measured it."""
    result: dict[str, dict[str, tuple[str, ...]]] = {}
    rows = connection.sql(
        "SELECT DISTINCT operation, primitive, machine FROM points WHERE measure <> 'empty' ORDER BY ALL"
    ).fetchall()
    for operation, primitive, machine in rows:
        machines_of = result.setdefault(operation, {})
        machines_of[primitive] = (*machines_of.get(primitive, ()), machine)
    return result


def _views(declared: Declared, operation: str, measured: Sequence[str]) -> tuple[str, list[View]]:
    """Return title and views as declared; for an undeclared operation, a default view of all measures."""
    with suppress(CyclometerError):
        if declaration := declared(operation, measured):
            return declaration
    default_view = View(name="length", title="{unit} to {measure}, by length in bytes", columns="length")
    return operation, [replace(default_view, measures=tuple(measured))]


def _operation(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], name: str, title: str, views: Sequence[View]
) -> Operation:
    scope, _ = comparable(infos, name)
    spreads = control_spreads(connection, scope)
    return Operation(name=name, title=title, views=tuple(views), scope=scope, spreads=spreads)


def _systems(infos: Sequence[RunInfo], measured: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[System]:
    """Return all systems that a run declares or has numbers of, with the newest declaration."""
    declared = {key: declaration for info in infos for key, declaration in info.primitives.items()}
    keys = {
        *declared,
        *(f"{operation}/{primitive}" for operation, primitives in measured.items() for primitive in primitives),
    }
    return [
        System(
            operation=operation,
            primitive=primitive,
            declaration=declared.get(f"{operation}/{primitive}", {}),
            machines=measured.get(operation, {}).get(primitive, ()),
        )
        for operation, _, primitive in (key.partition("/") for key in sorted(keys))
    ]


def _trials(connection: duckdb.DuckDBPyConnection) -> Iterator[MachineRecord[Trial]]:
    rows = connection.sql(
        f"SELECT machine, run, {_SUBJECT}, cycles, timings, chosen, decided_by FROM trials {RUNS} "
        f"ORDER BY machine, {OLDEST_FIRST}, operation, primitive, chosen DESC, timings DESC, cycles"
    ).fetchall()
    for machine, run, *subject, cycles, timings, chosen, decided_by in rows:
        trial = Trial(subject=_subject(subject), cycles=cycles, timings=timings, chosen=chosen, decided_by=decided_by)
        yield MachineRecord(machine=machine, run=run, record=trial)


def _sizes(connection: duckdb.DuckDBPyConnection) -> Iterator[MachineRecord[Size]]:
    rows = connection.sql(
        f"SELECT machine, run, {_SUBJECT}, name, value FROM sizes {RUNS} "
        f"ORDER BY machine, {OLDEST_FIRST}, {_SUBJECT}, name, value"
    ).fetchall()
    for machine, run, *subject, name, value in rows:
        yield MachineRecord(machine=machine, run=run, record=Size(subject=_subject(subject), name=name, value=value))


def _subject(parts: Sequence[str]) -> Tuning:
    operation, primitive, implementation, compiler = (str(part) for part in parts)
    return Tuning(operation=operation, primitive=primitive, implementation=implementation, compiler=compiler)


def _noise(connection: duckdb.DuckDBPyConnection, machine: str) -> Iterator[Noise]:
    rows = connection.execute(
        """
        SELECT run, count(*), CAST(sum(len(series)) AS BIGINT), count(*) FILTER (context_switches > 0),
               CAST(sum(retakes) AS BIGINT),
               quantile_cont(chain_before, [0.1, 0.5, 0.9]) FILTER (chain_before > 0),
               quantile_cont(load_before / chain_before, [0.1, 0.5, 0.9]) FILTER (chain_before > 0 AND load_before > 0)
        FROM samples WHERE machine = ? GROUP BY run ORDER BY run
        """,
        [machine],
    ).fetchall()
    for run, samples, timings, switched, retakes, clock, load in rows:
        yield Noise(
            run=run,
            samples=samples,
            timings=timings,
            switched=switched,
            retakes=retakes,
            clock=tuple(clock) if clock else None,
            load=tuple(load) if load else None,
        )
