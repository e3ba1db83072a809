# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the web report shows: the records of the runs chosen, gathered once, and their series, one system at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import duckdb

from cyclometer.analyse.contents import failures, measures
from cyclometer.analyse.estimate.aa_control import control_spreads
from cyclometer.analyse.estimate.comparability import Scope, comparable
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.analyse.estimate.rounds import exported
from cyclometer.analyse.security import meets
from cyclometer.analyse.site_series import SystemSeries, system_series
from cyclometer.analyse.tables.tables import build_tables
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.records.catalogue import ForeignOperation
from cyclometer.records.rounds import ExportSource
from cyclometer.records.run import RunInfo, Size
from cyclometer.records.table import MachineFailure, Table
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.store import StoredRun, connect, storage

_SUBJECT = "operation, primitive, implementation, compiler"

Declared = Callable[[str, Sequence[str]], tuple[str, list[View]] | None]
"""From an operation and the measures of it that were taken: its title and views; None where nobody declares it."""


@dataclass(frozen=True, kw_only=True)
class System:
    """A primitive of which a run knows something: numbers, or only why there are none."""

    operation: str
    primitive: str
    declaration: Mapping[str, Any]
    machines: tuple[str, ...]  # that measured it


@dataclass(frozen=True, kw_only=True)
class Noise:
    """How quiet a machine was during one run."""

    run: str
    samples: int
    timings: int
    switched: int  # samples with a context switch in the series that was kept
    retakes: int
    clock: tuple[float, float, float] | None  # 10th, 50th, 90th percentile of the chain, counter units
    load: tuple[float, float, float] | None  # of load kernel over chain


@dataclass(frozen=True, kw_only=True)
class SecurityFilter:
    """How secure a system must be to stand in the report."""

    unbroken: bool = False
    bits: int = 0  # after the best attack on record

    def met_by(self, declaration: Mapping[str, Any]) -> bool:
        """Whether it stays."""
        return meets(declaration, unbroken=self.unbroken, least_bits=self.bits)


ANY_SECURITY = SecurityFilter()


_Record = TypeVar("_Record", Trial, Size)


@dataclass(frozen=True, kw_only=True)
class MachineRecord(Generic[_Record]):
    """A record and where it comes from."""

    machine: str
    run: str
    record: _Record


@dataclass(frozen=True, kw_only=True)
class Operation:
    """An operation that was measured: which of its runs compare, and how far each machine is from itself."""

    name: str
    title: str
    views: tuple[View, ...]
    scope: Scope
    spreads: Mapping[tuple[str, str], Spread]  # (machine, measure)

    def in_order(self, measures: Iterable[str]) -> list[str]:
        """As the views name them; then the others by name."""
        named = dict.fromkeys(measure for view in self.views for measure in view.measures)
        place = {measure: number for number, measure in enumerate(named)}
        return sorted(measures, key=lambda measure: (place.get(measure, len(place)), measure))

    def lengths_shown(self) -> tuple[int, ...]:
        """The lengths that the first table by length shows."""
        return next((view.show for view in self.views if view.columns == "length" and view.show), ())

    def title_of(self, measure: str) -> str:
        """What a line of it over the lengths is: "{unit} to sign a message, by its length in bytes"."""
        for view in self.views:
            if view.columns == "length" and measure in view.measures:
                return view.titled(unit="{unit}", measure=measure)
        return f"{{unit}}: {measure}, by length in bytes"


@dataclass(frozen=True, kw_only=True)
class RunFolder:
    """Where a run is stored."""

    machine: str
    run: str
    state: str  # complete | under way | interrupted
    folder: Path


@dataclass(frozen=True, kw_only=True)
class SiteMaterial:
    """The material of all pages."""

    stored: tuple[RunFolder, ...]
    infos: tuple[RunInfo, ...]  # of the runs, the oldest first
    operations: tuple[Operation, ...]
    systems: tuple[System, ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]  # what was left out and why
    failures: tuple[MachineFailure, ...]
    trials: tuple[MachineRecord[Trial], ...]
    sizes: tuple[MachineRecord[Size], ...]
    noise: Mapping[str, tuple[Noise, ...]]  # by machine

    @property
    def machines(self) -> tuple[str, ...]:
        """Names, sorted."""
        return tuple(sorted({info.machine for info in self.infos}))

    def latest(self, machine: str) -> RunInfo:
        """The machine's newest run."""
        return [info for info in self.infos if info.machine == machine][-1]

    def declaration(self, operation: str, primitive: str) -> Mapping[str, Any]:
        """What a primitive says of itself; empty where nobody knows."""
        for system in self.systems:
            if (system.operation, system.primitive) == (operation, primitive):
                return system.declaration
        return {}

    def operation(self, name: str) -> Operation | None:
        """The operation of that name, where anything of it was measured."""
        return next((operation for operation in self.operations if operation.name == name), None)


@dataclass(frozen=True, kw_only=True)
class SiteData:
    """All that a web report is made from. Its two functions read when they are called."""

    material: SiteMaterial
    series: Callable[[Scope, str, str], SystemSeries | None]  # of a primitive on a machine; None without samples
    exported: Callable[[], ExportSource]


@contextmanager
def site_data(
    stored: Sequence[StoredRun],
    declared: Declared,
    foreign: Callable[[], Mapping[str, ForeignOperation]],
    *,
    least: SecurityFilter = ANY_SECURITY,
    threads: int | None = None,
) -> Iterator[SiteData]:
    """Open these runs for a report; their files are read until the context ends.

    `foreign` gives other projects' names of operations. NothingToDo where no system is as secure as `least` asks;
    StorageFailed where a file cannot be read.
    """
    source = stored[0].folder if len(stored) == 1 else stored[0].folder.parent.parent
    with storage("read", source), connect(stored) as connection:
        connection.execute("SET memory_limit = '1GB'")
        if threads:
            connection.execute(f"SET threads = {threads}")
        material = gather(connection, stored, declared, least)
        yield SiteData(
            material=material,
            series=lambda scope, primitive, machine: system_series(connection, scope, primitive, machine),
            exported=lambda: exported(connection, material.infos, foreign()),
        )


def gather(
    connection: duckdb.DuckDBPyConnection,
    stored: Sequence[StoredRun],
    declared: Declared,
    least: SecurityFilter = ANY_SECURITY,
) -> SiteMaterial:
    """Everything but the series themselves. `connection` has the views of `store.connect` over `stored`."""
    infos = sorted(
        (entry.info for entry in stored if entry.info), key=lambda info: (info.started.timestamp(), info.run)
    )
    every = _systems(infos, _measured(connection))
    systems = [system for system in every if least.met_by(system.declaration)]
    if every and not systems:
        raise NothingToDo("no system measured is as secure as asked; lower --min-security or drop --unbroken")
    taken = measures(connection)
    operations = dict.fromkeys(system.operation for system in systems if system.machines)
    views = {name: _views(declared, name, taken.get(name, [])) for name in operations}
    machines = len({info.machine for info in infos})
    shown = {name: [view for view in its if view.is_default(machines)] for name, (_, its) in views.items()}
    kept = tuple(f"{system.operation}/{system.primitive}" for system in systems) if len(systems) < len(every) else ()
    tables, notes = build_tables(connection, infos, shown, TableOptions(systems=kept))
    return SiteMaterial(
        stored=tuple(_folder(entry) for entry in stored),
        infos=tuple(infos),
        operations=tuple(_operation(connection, infos, name, *its) for name, its in views.items()),
        systems=tuple(systems),
        tables=tuple(tables),
        notes=(*notes, *_left_out(every, systems)),
        failures=tuple(failures(connection)),
        trials=tuple(_trials(connection)),
        sizes=tuple(_sizes(connection)),
        noise={info.machine: tuple(_noise(connection, info.machine)) for info in infos},
    )


def _folder(entry: StoredRun) -> RunFolder:
    return RunFolder(machine=entry.machine, run=entry.run, state=entry.state, folder=entry.folder)


def _left_out(every: Sequence[System], kept: Sequence[System]) -> Iterator[str]:
    names = [system.primitive for system in every if system not in kept]
    if names:
        yield f"less secure than asked, or of a level that is not declared: {', '.join(names)}"


def _measured(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, tuple[str, ...]]]:
    """Operation to primitive to the machines that measured it."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    rows = connection.sql(
        "SELECT DISTINCT operation, primitive, machine FROM samples WHERE measure <> 'empty' ORDER BY ALL"
    ).fetchall()
    for operation, primitive, machine in rows:
        its = found.setdefault(operation, {})
        its[primitive] = (*its.get(primitive, ()), machine)
    return found


def _views(declared: Declared, operation: str, taken: Sequence[str]) -> tuple[str, list[View]]:
    """Title and views as declared; of an operation that this tree does not know, a plain view of all measures."""
    with suppress(CyclometerError):
        if known := declared(operation, taken):
            return known
    plain = View(name="length", title="{unit} to {measure}, by length in bytes", columns="length")
    return operation, [replace(plain, measures=tuple(taken))]


def _operation(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], name: str, title: str, views: Sequence[View]
) -> Operation:
    scope, _ = comparable(infos, name)
    spreads = control_spreads(connection, scope)
    return Operation(name=name, title=title, views=tuple(views), scope=scope, spreads=spreads)


def _systems(infos: Sequence[RunInfo], measured: Mapping[str, Mapping[str, tuple[str, ...]]]) -> list[System]:
    """All that a run declares or has numbers of; the newest declaration counts."""
    declared = {key: declaration for info in infos for key, declaration in info.primitives.items()}
    keys = {*declared, *(f"{operation}/{primitive}" for operation, its in measured.items() for primitive in its)}
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
        f"SELECT machine, run, {_SUBJECT}, cycles, timings, chosen FROM trials "
        "ORDER BY machine, run, operation, primitive, chosen DESC, timings DESC, cycles"
    ).fetchall()
    for machine, run, *subject, cycles, timings, chosen in rows:
        trial = Trial(subject=_subject(subject), cycles=cycles, timings=timings, chosen=chosen)
        yield MachineRecord(machine=machine, run=run, record=trial)


def _sizes(connection: duckdb.DuckDBPyConnection) -> Iterator[MachineRecord[Size]]:
    rows = connection.sql(f"SELECT machine, run, {_SUBJECT}, name, value FROM sizes ORDER BY ALL").fetchall()
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
