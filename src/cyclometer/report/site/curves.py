# SPDX-License-Identifier: MIT OR Apache-2.0
"""The data files: lines and raw samples of each system and machine; crossovers of each machine."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cyclometer.analyse.comparison.crossovers import order
from cyclometer.analyse.estimate.core_cycles import VARIABLES, figure_unit
from cyclometer.analyse.site_data import Operation, SiteData
from cyclometer.analyse.site_series import Line, Raw, SystemSeries
from cyclometer.records.run import RunInfo
from cyclometer.report.site.datafiles import pack, write_data
from cyclometer.report.site.finder import finder_data
from cyclometer.report.site.graphs import length_label, system_graph
from cyclometer.report.site.slugs import data_name

MOST_COMPARED = 32
"""Systems of a machine of which every pair is searched for crossovers: the work grows with the square."""


@dataclass(frozen=True, kw_only=True)
class Curves:
    """A description of the data files of one system on one machine, for its page."""

    operation: str
    primitive: str
    machine: str
    implementation: str  # the tuning that the lines show
    compiler: str
    is_only_tuning: bool  # no other was measured here
    unit: str
    length_unit: str
    length_label: str
    measures: tuple[str, ...]
    plain: tuple[str, ...]  # the measures without a length
    keys: tuple[int, ...]
    lengths: tuple[int, ...]  # under one key, of all measures together
    timings: int
    toggles: tuple[str, ...]  # of the graph; empty where there is no graph
    coloured: int  # number of toggles, the first ones, that are lines in a series colour
    off: tuple[str, ...]  # toggles that are initially off
    raw_bytes: int  # size of the files of raw samples
    runs: tuple[str, ...]


def write_curves(data: SiteData, folder: Path, step: Callable[[], None], *, with_raw: bool) -> list[Curves]:
    """Write the data files of all systems, with one system at a time in memory; call `step` after each."""
    written = []
    for operation in data.material.operations:
        systems = [system for system in data.material.systems if system.operation == operation.name]
        found: dict[str, dict[str, list[Line]]] = {machine: {} for machine in operation.scope.machines}
        primitives = [system.primitive for system in systems if system.machines]
        for (primitive, machine), series in data.series(operation.scope, primitives):
            written.append(_of_system(series, folder, operation, (primitive, machine), with_raw=with_raw))
            found[machine][primitive] = list(series.lines)
            step()
        for machine, lines_of in found.items():
            single = {name: [line for line in lines if line.keys == 1] for name, lines in lines_of.items()}
            write_data(folder, data_name("cutoffs", operation.name, machine), _crossovers(operation, machine, single))
        write_data(folder, data_name("finder", operation.name), finder_data(data.material, operation, found))
    return written


def _of_system(
    series: SystemSeries, folder: Path, operation: Operation, name: tuple[str, str], *, with_raw: bool
) -> Curves:
    primitive, machine = name
    lines, raw = series.lines, series.raw
    unit = figure_unit(operation.scope.latest(machine))
    graph = system_graph(lines, operation.in_order)
    write_data(folder, data_name("lines", operation.name, primitive, machine), [_line(line) for line in lines])
    size = sum(_write_raw(folder, operation, name, each) for each in raw) if with_raw else 0
    single = [line for line in lines if line.keys == 1]
    return Curves(
        operation=operation.name,
        primitive=primitive,
        machine=machine,
        implementation=series.implementation,
        compiler=series.compiler,
        is_only_tuning=all(_is_of_one_tuning(each) for each in raw) and len(raw) == 1,
        unit=unit,
        length_unit=operation.length_unit,
        length_label=length_label(operation.length_unit),
        measures=tuple(dict.fromkeys(line.measure for line in lines)),
        plain=tuple(measure for measure, longest in _longest(lines).items() if not longest),
        keys=tuple(sorted({line.keys for line in lines})),
        lengths=tuple(sorted({int(length) for line in single for length in line.lengths})),
        timings=sum(len(each.timings) for each in raw),
        toggles=graph.toggles if graph else (),
        coloured=graph.coloured if graph else 0,
        off=graph.off if graph else (),
        raw_bytes=size,
        runs=tuple(each.run for each in raw),
    )


def _is_of_one_tuning(raw: Raw) -> bool:
    return all(len(set(raw.columns[part].tolist())) == 1 for part in ("implementation", "compiler"))


def _longest(lines: Sequence[Line]) -> dict[str, int]:
    """Return the greatest length of each measure, in bytes; 0 if it has no length."""
    longest: dict[str, int] = {}
    for line in lines:
        longest[line.measure] = max(longest.get(line.measure, 0), int(line.lengths.max(initial=0)))
    return longest


def _line(line: Line) -> dict[str, Any]:
    return {
        "measure": line.measure,
        "ad": line.ad_length,
        "keys": line.keys,
        "alignment": line.alignment,
        "length": pack(line.lengths, "i4"),
        "cycles": pack(line.cycles, "f4"),
        "low": pack(line.low, "f4"),
        "high": pack(line.high, "f4"),
        "disturbed": pack(line.disturbed, "u1"),
        "varies": pack(line.varies, "u1"),
    }


def _write_raw(folder: Path, operation: Operation, name: tuple[str, str], raw: Raw) -> int:
    """Write one file per run: columns of samples, and all timings concatenated. Return its size in bytes."""
    columns = raw.columns
    names = {
        part: [str(value) for value in columns[part].tolist()] for part in ("measure", "implementation", "compiler")
    }
    distinct = {part: sorted(set(values)) for part, values in names.items()}
    coded = {part: pack([distinct[part].index(value) for value in names[part]], "i2") for part in names}
    numbers = {part: pack(columns[part], "i4") for part in VARIABLES}
    conditions = {part: pack(columns[part], "i2") for part in ("round", "context_switches", "retakes")}
    key = data_name("raw", operation.name, *name, raw.run)
    write_data(
        folder,
        key,
        {
            "names": distinct,
            **coded,
            **numbers,
            **conditions,
            "overhead": pack(columns["overhead"], "f4"),
            "cycles": pack(np.nan_to_num(columns["cycles"], nan=-1), "f4"),
            "disturbed": pack(columns["disturbed"], "u1"),
            "counts": pack(raw.counts, "i4"),
            "timings": pack(np.minimum(raw.timings, 2**31 - 1), "i4"),
        },
    )
    return (folder / "data" / f"{key}.js").stat().st_size


def _crossovers(operation: Operation, machine: str, lines_of: Mapping[str, Sequence[Line]]) -> dict[str, Any]:
    """Return measure -> first system -> second system -> [[length, low, high, faster below, faster above], ...]."""
    result: dict[str, Any] = {}
    for first, second in itertools.combinations(sorted(_fastest(lines_of)), 2):
        for ours, theirs in _comparable(lines_of[first], lines_of[second]):
            spread = operation.spreads.get((machine, ours.measure))
            crossovers = _crossovers_of(ours, theirs, spread.quiet if spread else 0.0)
            if crossovers:
                result.setdefault(ours.measure, {}).setdefault(first, {})[second] = crossovers
    return result


def _fastest(lines_of: Mapping[str, Sequence[Line]]) -> list[str]:
    """Return the systems whose pairs are compared: the fastest at their longest length, if there are many."""
    last = {name: float(lines[0].cycles[-1]) if lines else np.inf for name, lines in lines_of.items()}
    return sorted(lines_of, key=lambda name: (last[name], name))[:MOST_COMPARED]


def _comparable(ours: Sequence[Line], theirs: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    others = {(line.measure, line.ad_length, line.alignment): line for line in theirs}
    for line in ours:
        other = others.get((line.measure, line.ad_length, line.alignment))
        if other is not None and len(line.lengths) > 1 and line.ad_length == 0:
            yield line, other


def _crossovers_of(ours: Line, theirs: Line, spread: float) -> list[list[int]]:
    common, first, second = np.intersect1d(ours.lengths, theirs.lengths, return_indices=True)
    ahead = ours.cycles[first] < theirs.cycles[second]
    if not len(common) or ahead.all() or not ahead.any():
        return []  # without a change of order there is no crossover
    ordering = order(common, ours.rounds[first], theirs.rounds[second], spread)
    return [[each.length, each.low, each.high, each.faster_below, each.faster_above] for each in ordering.cutoffs]


def command_to_repeat(info: RunInfo, primitive: str, implementation: str) -> list[str]:
    """Return the command that measures a number again, with the same system, profile and seed."""
    options = info.plan.get("options", {}) if isinstance(info.plan.get("options"), dict) else {}
    command = ["cyclometer", "run", primitive, "--implementation", implementation, "--profile", info.profile]
    if "seed" in options:
        command += ["--seed", str(options["seed"])]
    return [*command, "--machine", info.machine]
