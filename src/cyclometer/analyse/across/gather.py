# SPDX-License-Identifier: MIT OR Apache-2.0
"""The headlines of many runs as arrays: system × machine at each point, and system × run at one length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.cell_cache import Facts
from cyclometer.analyse.estimate.cell_file import CellFile
from cyclometer.analyse.estimate.cells import varying
from cyclometer.analyse.estimate.comparability import comparable
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.tables.views import View
from cyclometer.errors import CyclometerError
from cyclometer.records.length_unit import BYTES
from cyclometer.records.run import CALIBRATION, EMPTY, REPLAY, TYPICAL_LENGTH, RunInfo
from cyclometer.store import StoredRun

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

MOST_LENGTHS = 8
"""Lengths of a measure that the site shows; of more, those that the operation's tables show."""

Declared = Callable[[str, Sequence[str]], tuple[str, list[View]] | None]


@dataclass(frozen=True, kw_only=True)
class Point:
    """What a table over machines shows: one measure at one length, under one key."""

    measure: str
    length: int


@dataclass(frozen=True, kw_only=True)
class AcrossOperation:
    """One operation. Arrays have NaN, False or -1 where nothing was measured."""

    name: str
    title: str
    length_unit: str
    points: tuple[Point, ...]
    systems: tuple[str, ...]
    machines: tuple[str, ...]
    imported: Mapping[str, str]  # machine -> the program that measured it, if not this one
    runs: tuple[RunInfo, ...]  # of all machines, the oldest first
    tunings: tuple[str, ...]  # implementation and compiler
    units: Mapping[str, str]  # machine -> unit of its numbers
    cycles: Floats  # point × system × machine: the newest run that measured it
    low: Floats  # of the 95 % interval
    high: Floats
    disturbed: Bools
    varies: Bools
    tuning: Ints  # index of `tunings`
    spread: Floats  # point × machine: the A/A spread, a ratio minus 1; 0 if unknown
    history: Floats  # point × system × run

    def headline(self, measure: str) -> int:
        """Return the index of the point that stands for a measure: a typical length, or else the middle one."""
        found = [number for number, point in enumerate(self.points) if point.measure == measure]
        typical = [number for number in found if self.points[number].length == TYPICAL_LENGTH]
        return (typical or found[len(found) // 2 :])[0]

    @property
    def measures(self) -> tuple[str, ...]:
        """Return the measures, in the order of the operation's tables."""
        return tuple(dict.fromkeys(point.measure for point in self.points))


@dataclass(frozen=True, kw_only=True)
class Across:
    """Everything of a site over many machines."""

    infos: tuple[RunInfo, ...]  # the oldest first
    operations: tuple[AcrossOperation, ...]
    notes: tuple[str, ...]  # runs that are not shown, and why

    @property
    def machines(self) -> tuple[str, ...]:
        """Return the names of the machines, sorted."""
        return tuple(sorted({info.machine for info in self.infos}))

    def latest(self, machine: str) -> RunInfo:
        """Return the machine's newest run."""
        return [info for info in self.infos if info.machine == machine][-1]


def gather_across(stored: Sequence[StoredRun], declared: Declared, cells: Callable[[StoredRun], CellFile]) -> Across:
    """Return the headlines of complete runs; `cells` opens those of one run (`estimate.cell_cache`)."""
    runs = sorted(
        (entry for entry in stored if entry.info and entry.state == "complete"),
        key=lambda entry: (_info(entry).started.timestamp(), entry.run),
    )
    infos = tuple(_info(entry) for entry in runs)
    columns: dict[str, list[dict[str, Any]]] = {}
    facts: dict[tuple[str, str], Facts] = {}
    for number, entry in enumerate(runs):
        file = cells(entry)
        facts[entry.run, entry.machine] = file.facts
        for operation, part in _parts(file, number).items():
            columns.setdefault(operation, []).append(part)
    operations, notes = [], list[str]()
    for name in sorted(columns):
        shown, left_out = shown_runs(infos, name)
        notes += left_out
        if shown:
            operations.append(_operation(name, infos, shown, columns[name], facts, declared))
    return Across(infos=infos, operations=tuple(operations), notes=tuple(dict.fromkeys(notes)))


def imported_from(info: RunInfo, operation: str) -> str:
    """Return the program, with its version, whose imported data a run holds; '' for a run of this program."""
    contract = str(info.contracts.get(operation, ""))
    return contract if info.profile and contract.startswith(f"{info.profile}-") else ""


def shown_runs(infos: Sequence[RunInfo], operation: str) -> tuple[dict[int, str], list[str]]:
    """Return the runs to show by their number, with the program of imported ones; and notes on the others.

    Our own runs have the newest one's contract; imported data stand beside them, whatever they were measured with.
    """
    own = [info for info in infos if operation in info.contracts and not imported_from(info, operation)]
    scope, notes = comparable(own, operation) if own else (None, [])
    kept = {id(info) for info in scope.infos} if scope else set()
    shown = {number: imported_from(info, operation) for number, info in enumerate(infos) if operation in info.contracts}
    return {number: source for number, source in shown.items() if source or id(infos[number]) in kept}, notes


def _info(entry: StoredRun) -> RunInfo:
    assert entry.info
    return entry.info


_NAMES = ("primitive", "implementation", "compiler", "measure")


def _parts(file: CellFile, run: int) -> dict[str, dict[str, Any]]:
    """Split a run's cells by operation, without controls, associated data and several keys."""
    columns = {name: file.coded(name) for name in ("operation", *_NAMES)}
    numbers = {name: file.numbers(name) for name in ("length", "cycles", "low", "high", "disturbed")}
    numbers["varies"] = varying({name: file.numbers(name) for name in ("rounds", "unclear", "cycles", "low", "high")})
    kept = ~file.numbers("control") & (file.numbers("keys") <= 1) & (file.numbers("ad_length") == 0)
    values, codes = columns["operation"]
    result = {}
    for code, operation in enumerate(values):
        rows = np.flatnonzero(kept & (codes == code))
        if operation != CALIBRATION and len(rows):
            result[operation] = {
                "run": run,
                **{name: (columns[name][0], columns[name][1][rows]) for name in _NAMES},
                **{name: column[rows] for name, column in numbers.items()},
            }
    return result


class _Names:
    """Numbers for names, in the order in which they occur."""

    def __init__(self) -> None:
        self.known: dict[Any, int] = {}

    def of(self, values: Sequence[Any], codes: Ints) -> Ints:
        """Return the number of each row's name."""
        return np.array([self.known.setdefault(value, len(self.known)) for value in values], np.int64)[codes]


def _operation(
    name: str,
    infos: Sequence[RunInfo],
    shown: Mapping[int, str],
    parts: Sequence[dict[str, Any]],
    facts: Mapping[tuple[str, str], Facts],
    declared: Declared,
) -> AcrossOperation:
    parts = [part for part in parts if part["run"] in shown]
    title, views = _declared(declared, name, sorted({m for part in parts for m in part["measure"][0]}))
    points = _points(parts, views)
    index = {(point.measure, point.length): number for number, point in enumerate(points)}
    systems = sorted(
        {str(s) for part in parts for s in np.array(part["primitive"][0])[np.unique(part["primitive"][1])]}
    )
    machines = sorted({infos[number].machine for number in shown})
    numbers = sorted({part["run"] for part in parts})
    shape = (len(points), len(systems), len(machines))
    arrays: dict[str, npt.NDArray[Any]] = {name: np.full(shape, np.nan) for name in ("cycles", "low", "high")}
    arrays |= {name: np.zeros(shape, bool) for name in ("disturbed", "varies")}
    tuning = np.full(shape, -1)
    history = np.full((len(points), len(systems), len(numbers)), np.nan)
    spread = np.zeros((len(points), len(machines)))
    tunings = _Names()
    for part in parts:
        info = infos[part["run"]]
        machine = machines.index(info.machine)
        rows, at = _rows(part, index, systems)
        place = (*at, machine)
        for column, array in arrays.items():
            array[place] = part[column][rows]
        pairs = [f"{i} {c}" for i in part["implementation"][0] for c in part["compiler"][0]]
        codes = part["implementation"][1] * len(part["compiler"][0]) + part["compiler"][1]
        tuning[place] = tunings.of(pairs, codes[rows])
        history[(*at, numbers.index(part["run"]))] = part["cycles"][rows]
        spreads = facts[info.run, info.machine]["spreads"].get(name, {})
        spread[:, machine] = [spreads.get(point.measure, (0.0, 0.0))[0] for point in points]
    return AcrossOperation(
        name=name,
        title=title,
        length_unit=views[0].length_unit if views else BYTES,
        points=tuple(points),
        systems=tuple(systems),
        machines=tuple(machines),
        imported={infos[number].machine: source for number, source in shown.items() if source},
        runs=tuple(infos[number] for number in numbers),
        tunings=tuple(tunings.known),
        units={infos[number].machine: figure_unit(infos[number]) for number in sorted(shown)},
        **arrays,
        tuning=tuning,
        spread=spread,
        history=history,
    )


def _rows(
    part: Mapping[str, Any], index: Mapping[tuple[str, int], int], systems: Sequence[str]
) -> tuple[Ints, tuple[Ints, Ints]]:
    """Return the rows at points that are shown, the fastest tuning last; and the point and the system of each."""
    measures, codes = part["measure"]
    points = np.full(len(codes), -1)
    for (measure, length), number in index.items():
        if measure in measures:
            points[(codes == measures.index(measure)) & (part["length"] == length)] = number
    rows = np.flatnonzero(points >= 0)
    rows = rows[np.argsort(-part["cycles"][rows], kind="stable")]
    names = part["primitive"][0]
    places = np.array([systems.index(name) if name in systems else -1 for name in names], np.int64)
    return rows, (points[rows], places[part["primitive"][1][rows]])


def _declared(declared: Declared, operation: str, measures: Sequence[str]) -> tuple[str, list[View]]:
    try:
        found = declared(operation, measures)
    except CyclometerError:
        found = None
    return found or (operation, View.undeclared(measures))


def _points(parts: Sequence[Mapping[str, Any]], views: Sequence[View]) -> list[Point]:
    """Return the points to show: measures as the operation's tables order them, with the lengths shown there."""
    measured: dict[str, set[int]] = {}
    for part in parts:
        names, codes = part["measure"]
        for code in np.unique(codes):
            measured.setdefault(names[code], set()).update(np.unique(part["length"][codes == code]).tolist())
    order = dict.fromkeys(measure for view in views for measure in view.measures)
    shown = {
        measure: set(view.show) for view in reversed(views) if view.columns == "length" for measure in view.measures
    }
    points = []
    for measure in [*(m for m in order if m in measured), *sorted(m for m in measured if m not in order)]:
        if measure.startswith(REPLAY) or measure == EMPTY:
            continue
        lengths = sorted(measured[measure])
        if len(lengths) > MOST_LENGTHS:
            lengths = [n for n in lengths if n in shown.get(measure, ())] or lengths
            lengths = [
                lengths[i] for i in np.unique(np.linspace(0, len(lengths) - 1, MOST_LENGTHS).round().astype(int))
            ]
        points += [Point(measure=measure, length=length) for length in lengths]
    return points
