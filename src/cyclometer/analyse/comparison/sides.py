# SPDX-License-Identifier: MIT OR Apache-2.0
"""The two sides of a comparison: which stored numbers A and B mean, whether they compare, and how they differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from cyclometer.analyse.estimate.comparability import quoted
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.placement import is_size_of_placement
from cyclometer.records.rounds import Rounds
from cyclometer.records.run import RunInfo
from cyclometer.records.tuning import Tuning
from cyclometer.records.tuning_name import TuningName

Key = tuple[str | int, ...]
"""A measure, length, ad_length, keys and alignment."""


class NotComparable(CyclometerError):
    """The numbers of the two sides mean different things."""


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of two sides: a tuning in a run."""

    letter: str  # A | B
    subject: Tuning
    info: RunInfo
    label: str = ""  # the shortest name that distinguishes it from the other

    @property
    def name(self) -> str:
        """Return the tuning, machine and run in full."""
        subject = self.subject
        tuning = " ".join(part for part in (subject.primitive, subject.implementation, subject.compiler) if part)
        return f"{tuning} ({self.info.machine}, {self.info.run})"

    def sql(self) -> str:
        """Return the SQL condition for the tuning in the run."""
        subject, info = self.subject, self.info
        parts = {
            "run": info.run,
            "machine": info.machine,
            "operation": subject.operation,
            "primitive": subject.primitive,
            "implementation": subject.implementation,
            "compiler": subject.compiler,
        }
        return " AND ".join(f"{name} = {quoted(value)}" for name, value in parts.items())


def same_run(sides: tuple[Side, Side]) -> bool:
    """Return whether both sides were measured in one run."""
    return sides[0].info == sides[1].info


def point_key(point: Rounds) -> Key:
    """Return what identifies a point of a side."""
    return (point.measure, *point.variables.values())


@dataclass(frozen=True, kw_only=True)
class MeasuredTunings:
    """The tunings of all runs of a database: run, machine and subject, measured and chosen."""

    connection: duckdb.DuckDBPyConnection
    measured: Sequence[tuple[str, ...]]
    chosen: Sequence[tuple[str, ...]]

    @classmethod
    def read(cls, connection: duckdb.DuckDBPyConnection) -> MeasuredTunings:
        """Read those behind the views samples and trials."""
        columns = "run, machine, operation, primitive, implementation, compiler"
        measured = connection.sql(f"SELECT DISTINCT {columns} FROM samples WHERE NOT control").fetchall()
        chosen = connection.sql(f"SELECT {columns} FROM trials WHERE chosen").fetchall()
        return cls(connection=connection, measured=measured, chosen=chosen)


def find(tunings: MeasuredTunings, infos: Sequence[RunInfo], name: TuningName) -> dict[str, Side]:
    """Return the side that a name means in each run (by machine/run) that has it, the oldest first.

    `UnknownName` if no run measured the system, `NothingToDo` if the name does not identify a single tuning.
    """
    sides: dict[str, Side] = {}
    for info in sorted(infos, key=lambda each: (each.started.timestamp(), each.run)):
        measured = [subject_of(row) for row in tunings.measured if row[:2] == (info.run, info.machine)]
        matching = [subject for subject in measured if name.fits(subject)]
        chosen = {subject_of(row) for row in tunings.chosen if row[:2] == (info.run, info.machine)}
        subject = _unique(matching, chosen)
        if subject:
            sides[f"{info.machine}/{info.run}"] = Side(letter="?", subject=subject, info=info)
    if not sides:
        raise _missing(tunings.connection, name, infos, tunings.measured)
    return sides


def _missing(
    connection: duckdb.DuckDBPyConnection, name: TuningName, infos: Sequence[RunInfo], rows: Sequence[Sequence[str]]
) -> CyclometerError:
    """Return the error that says why no run of `infos` has the side; `rows` may be of other runs, too."""
    runs = {(info.run, info.machine) for info in infos}
    measured = [row for row in rows if (row[0], row[1]) in runs]
    if not any(name.fits(subject_of(row)) for row in measured) and (reason := _why_unmeasured(connection, name, runs)):
        return NothingToDo(f"no timing of {name} is kept: {reason}")
    if not any(name.fits_system(row[2], row[3]) for row in measured):
        known = sorted({name for row in measured for name in (row[3], f"{row[2]}/{row[3]}")})
        return UnknownName("system", name.system, known, f"not measured in {', '.join(sorted(run for run, _ in runs))}")
    tunings = sorted({str(TuningName.of(subject_of(row))) for row in measured if name.fits_system(row[2], row[3])})
    return NothingToDo(f"{name} does not identify a single tuning in the runs chosen; name one of {', '.join(tunings)}")


def _why_unmeasured(connection: duckdb.DuckDBPyConnection, name: TuningName, runs: Collection[tuple[str, str]]) -> str:
    """Return how a tuning of that name failed when it was measured, or ''."""
    rows = connection.sql(
        "SELECT run, machine, operation, primitive, implementation, compiler, reason FROM failures "
        "WHERE stage = 'measure' AND severity = 'error' ORDER BY ALL"
    ).fetchall()
    return next((row[6] for row in rows if row[:2] in runs and name.fits(subject_of(row))), "")


def pair_named(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[Sequence[RunInfo]], names: Sequence[TuningName]
) -> tuple[Side, Side]:
    """Find the two tunings named: A in the runs of `infos[0]`, B in those of `infos[1]`."""
    tunings = MeasuredTunings.read(connection)
    return pair(*(find(tunings, infos[index], names[index]) for index in (0, 1)))


def pair_each(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[Sequence[RunInfo]], names: Iterable[TuningName]
) -> list[tuple[Side, Side]]:
    """Find each name on both sides: in the newest run of `infos[0]` and of `infos[1]` that has it."""
    tunings = MeasuredTunings.read(connection)
    sides = [[list(find(tunings, each, name).values())[-1] for each in infos] for name in names]
    return [labelled(first, second) for first, second in sides]


def pair(first: Mapping[str, Side], second: Mapping[str, Side]) -> tuple[Side, Side]:
    """Return both sides, labelled, from the newest run that has both; if there is none, from the newest run of each."""
    common = [key for key in first if key in second and first[key].subject != second[key].subject]
    a = first[common[-1]] if common else list(first.values())[-1]
    b = second[common[-1]] if common else list(second.values())[-1]
    return labelled(a, b)


def labelled(first: Side, second: Side) -> tuple[Side, Side]:
    """Label the sides A and B, each with the shortest name that distinguishes it from the other.

    `NothingToDo` if they are the same.
    """
    if (first.subject, first.info) == (second.subject, second.info):
        raise NothingToDo(f"both sides are {first.name}; name two that differ")
    a, b = first.subject, second.subject
    candidates = [
        (a.primitive, b.primitive),
        (a.implementation, b.implementation),
        (a.compiler, b.compiler),
        (first.info.machine, second.info.machine),
        (first.info.run, second.info.run),
    ]
    labels = next(names for names in [*candidates, ("A", "B")] if names[0] != names[1] and all(names))
    return replace(first, letter="A", label=labels[0]), replace(second, letter="B", label=labels[1])


def must_compare(sides: tuple[Side, Side], *, across: bool) -> list[str]:
    """Raise `NotComparable` unless operation, contract and unit are the same.

    With `across`, different contracts and units are returned as notes instead.
    """
    a, b = sides
    operation = a.subject.operation
    if operation != b.subject.operation:
        raise NotComparable(
            f"cannot compare {a.subject.primitive} with {b.subject.primitive}: "
            f"{operation} and {b.subject.operation} are different operations"
        )
    notes = []
    contracts = [side.info.contracts.get(operation, "unknown") for side in sides]
    if contracts[0] != contracts[1]:
        notes.append(
            f"different contracts for {operation}: "
            f"{_run_label(a)} under {contracts[0]}, {_run_label(b)} under {contracts[1]} "
            "(API, measuring code or grid differ, so the numbers mean different things)"
        )
    units = [figure_unit(side.info) for side in sides]
    if units[0] != units[1]:
        notes.append(f"different units: {_run_label(a)} counts {units[0]}, {_run_label(b)} {units[1]}")
    if notes and not across:
        raise NotComparable(f"cannot compare: {'; '.join(notes)}; --across-contracts compares them nevertheless")
    return [f"compared although not comparable: {note}" for note in notes]


def differences(connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side]) -> list[str]:
    """Describe what is recorded of both sides and differs, and what is recorded of only one, one line each."""
    a, b = (dict(_described(connection, side)) for side in sides)
    names = [name for name in dict.fromkeys([*a, *b]) if a.get(name) != b.get(name)]
    lines = [f"differs: {name}: A {a[name]}, B {b[name]}" for name in names if name in a and name in b]
    for letter, missing in (("A", [n for n in names if n not in a]), ("B", [n for n in names if n not in b])):
        lines += [f"not recorded of {letter}: {', '.join(missing)}"] if missing else []
    return lines or ["differs: nothing recorded"]


def _run_label(side: Side) -> str:
    return f"{side.info.machine} {side.info.run}"


def _described(connection: duckdb.DuckDBPyConnection, side: Side) -> Iterable[tuple[str, str]]:
    info, subject = side.info, side.subject
    yield "system", f"{subject.operation}/{subject.primitive}"
    yield "implementation", subject.implementation
    yield "compiler", f"{subject.compiler}: {info.compilers.get(subject.compiler, 'unknown')}"
    rows = connection.execute(
        f"SELECT name, value FROM sizes WHERE run = {quoted(info.run)} AND machine = {quoted(info.machine)} "
        "AND operation = ? AND primitive = ? AND implementation = ? AND compiler = ? ORDER BY name",
        [subject.operation, subject.primitive, subject.implementation, subject.compiler],
    ).fetchall()
    yield from ((name.replace("_", " "), str(value)) for name, value in rows if not is_size_of_placement(name))
    yield "machine", info.machine
    yield "run", info.run
    yield "profile", info.profile
    yield "contract", info.contracts.get(subject.operation, "")
    yield "counter", f"{info.counter.get('name', 'unknown')}, {info.counter.get('unit', 'unknown unit')}"
    yield "cyclometer", info.version
    yield from ((name, str(value)) for name, value in info.facts.items())


def subject_of(row: Sequence[str]) -> Tuning:
    """Return the tuning in a row that begins with run, machine, operation, primitive, implementation, compiler."""
    return Tuning(operation=row[2], primitive=row[3], implementation=row[4], compiler=row[5])


def _unique(matching: Sequence[Tuning], chosen_tunings: set[Tuning]) -> Tuning | None:
    """Return the tuning meant in a run: the only match, or the only match that the run had chosen, or None."""
    chosen = [subject for subject in matching if subject in chosen_tunings]
    return next((tunings[0] for tunings in (matching, chosen) if len(tunings) == 1), None)
