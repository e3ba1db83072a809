# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which stored numbers are meant by A and B, whether they may be compared, and what is different about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import duckdb

from cyclometer.analyse.estimate.comparability import quoted
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.run import RunInfo
from cyclometer.records.tuning import Tuning
from cyclometer.records.tuning_name import TuningName


class NotComparable(CyclometerError):
    """Numbers that mean different things."""


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of two: a tuning in a run."""

    letter: str  # A | B
    subject: Tuning
    info: RunInfo
    label: str = ""  # the shortest name that tells it from the other

    @property
    def name(self) -> str:
        """In full."""
        subject = self.subject
        tuning = " ".join(part for part in (subject.primitive, subject.implementation, subject.compiler) if part)
        return f"{tuning} ({self.info.machine}, {self.info.run})"


def find(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], name: TuningName) -> dict[str, Side]:
    """The side that a name means in each run (by run and machine) that has it, the oldest first."""
    rows = connection.sql(
        "SELECT DISTINCT run, machine, operation, primitive, implementation, compiler FROM samples WHERE NOT control"
    ).fetchall()
    chosen = connection.sql(
        "SELECT run, machine, operation, primitive, implementation, compiler FROM trials WHERE chosen"
    ).fetchall()
    found: dict[str, Side] = {}
    for info in sorted(infos, key=lambda each: (each.started.timestamp(), each.run)):
        here = [_subject(row) for row in rows if row[:2] == (info.run, info.machine)]
        fitting = [subject for subject in here if name.fits(subject)]
        settled = {_subject(row) for row in chosen if row[:2] == (info.run, info.machine)}
        subject = _one(fitting, settled)
        if subject:
            found[f"{info.machine}/{info.run}"] = Side(letter="?", subject=subject, info=info)
    if not found:
        raise _missing(name, infos, rows)
    return found


def _missing(name: TuningName, infos: Sequence[RunInfo], rows: Sequence[Sequence[str]]) -> CyclometerError:
    """Why no run of `infos` has the side; `rows` may be of other runs too."""
    runs = {(info.run, info.machine) for info in infos}
    here = [row for row in rows if (row[0], row[1]) in runs]
    if not any(name.fits_system(row[2], row[3]) for row in here):
        known = sorted({way for row in here for way in (row[3], f"{row[2]}/{row[3]}")})
        return UnknownName("system", name.system, known, f"not measured in {', '.join(sorted(run for run, _ in runs))}")
    tunings = sorted({str(TuningName.of(_subject(row))) for row in here if name.fits_system(row[2], row[3])})
    return NothingToDo(f"{name} names no single tuning of the runs chosen; there is {', '.join(tunings)}")


def pair_named(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[Sequence[RunInfo]], names: Sequence[TuningName]
) -> tuple[Side, Side]:
    """Find the two tunings named: A in the runs of `infos[0]`, B in those of `infos[1]`."""
    return pair(*(find(connection, infos[place], names[place]) for place in (0, 1)))


def pair_each(
    connection: duckdb.DuckDBPyConnection, infos: Sequence[Sequence[RunInfo]], names: Iterable[TuningName]
) -> list[tuple[Side, Side]]:
    """Find each name on both sides: in the newest run of `infos[0]` and of `infos[1]` that has it."""
    sides = [[list(find(connection, each, name).values())[-1] for each in infos] for name in names]
    return [labelled(first, second) for first, second in sides]


def pair(first: Mapping[str, Side], second: Mapping[str, Side]) -> tuple[Side, Side]:
    """Both of the newest run that has both, else each of its newest; labelled."""
    both = [key for key in first if key in second and first[key].subject != second[key].subject]
    a = first[both[-1]] if both else list(first.values())[-1]
    b = second[both[-1]] if both else list(second.values())[-1]
    return labelled(a, b)


def labelled(first: Side, second: Side) -> tuple[Side, Side]:
    """As A and B, each with the shortest name that tells it from the other."""
    if (first.subject, first.info) == (second.subject, second.info):
        raise NothingToDo(f"both sides are {first.name}; name two that differ")
    a, b = first.subject, second.subject
    ways = [
        (a.primitive, b.primitive),
        (a.implementation, b.implementation),
        (a.compiler, b.compiler),
        (first.info.machine, second.info.machine),
        (first.info.run, second.info.run),
    ]
    labels = next(way for way in [*ways, ("A", "B")] if way[0] != way[1] and all(way))
    return replace(first, letter="A", label=labels[0]), replace(second, letter="B", label=labels[1])


def must_compare(sides: tuple[Side, Side], *, across: bool) -> list[str]:
    """NotComparable unless operation, contract and unit are the same; with `across`, the last two are but notes."""
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
            f"other contracts of {operation}: {_ran(a)} under {contracts[0]}, {_ran(b)} under {contracts[1]} "
            "(another API, measuring code or grid: the numbers mean different things)"
        )
    units = [figure_unit(side.info) for side in sides]
    if units[0] != units[1]:
        notes.append(f"other units: {_ran(a)} counts {units[0]}, {_ran(b)} {units[1]}")
    if notes and not across:
        raise NotComparable(f"cannot compare: {'; '.join(notes)}; --across-contracts compares them all the same")
    return [f"compared although not comparable: {note}" for note in notes]


def differences(connection: duckdb.DuckDBPyConnection, sides: tuple[Side, Side]) -> list[str]:
    """What is recorded of the two and is not the same, one line each; what is recorded of one alone, in one line."""
    a, b = (dict(_described(connection, side)) for side in sides)
    names = [name for name in dict.fromkeys([*a, *b]) if a.get(name) != b.get(name)]
    lines = [f"differs: {name}: A {a[name]}, B {b[name]}" for name in names if name in a and name in b]
    for letter, missing in (("A", [n for n in names if n not in a]), ("B", [n for n in names if n not in b])):
        lines += [f"not recorded of {letter}: {', '.join(missing)}"] if missing else []
    return lines or ["differs: nothing that is recorded"]


def _ran(side: Side) -> str:
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
    yield from ((name.replace("_", " "), str(value)) for name, value in rows)
    yield "machine", info.machine
    yield "run", info.run
    yield "profile", info.profile
    yield "contract", info.contracts.get(subject.operation, "")
    yield "counter", f"{info.counter.get('name', 'unknown')}, {info.counter.get('unit', 'unknown unit')}"
    yield "cyclometer", info.version
    yield from ((name, str(value)) for name, value in info.facts.items())


def _subject(row: Sequence[str]) -> Tuning:
    return Tuning(operation=row[2], primitive=row[3], implementation=row[4], compiler=row[5])


def _one(fitting: Sequence[Tuning], settled: set[Tuning]) -> Tuning | None:
    """The tuning meant in a run: the only one, or the only one that the run had chosen; None if there is no such."""
    chosen = [subject for subject in fitting if subject in settled]
    return next((found[0] for found in (fitting, chosen) if len(found) == 1), None)
