# SPDX-License-Identifier: MIT OR Apache-2.0
"""The headlines of single rounds, by tuning, run and point: what rankings by traffic are computed from."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.aa_control import control_spreads
from cyclometer.analyse.estimate.comparability import Scope, core_cycles_a_second, quoted
from cyclometer.analyse.estimate.core_cycles import figure_unit
from cyclometer.analyse.estimate.estimators import RESAMPLING_SEED
from cyclometer.analyse.estimate.ranking import Spread
from cyclometer.analyse.estimate.rounds import roundwise
from cyclometer.records.run import RunInfo

MOST_LENGTHS = 96
"""Lengths that are kept of a run with every length, besides those that are asked for."""


@dataclass(frozen=True, kw_only=True)
class Traffic:
    """What the tree knows of workloads, for a report that ranks by them."""

    operation: str
    presets: Mapping[str, str] = field(default_factory=dict)  # name -> content of the workload file
    lengths: Collection[int] = ()  # that the presets have
    systems: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # primitive -> declaration, with its sizes
    resamples: int = 2000


@dataclass(frozen=True, kw_only=True)
class TrafficRows:
    """Everything measured of one operation on one machine; the columns have one row per tuning, run and point."""

    machine: str
    unit: str
    hertz: float | None
    runs: tuple[str, ...]  # the oldest first
    spreads: tuple[Mapping[str, Spread], ...]  # of each run by itself: A/A spreads by measure; empty for one run
    tunings: tuple[tuple[str, str, str], ...]  # primitive, implementation, compiler
    points: tuple[tuple[str, int, int, int], ...]  # measure, length, associated data, keys
    columns: Mapping[str, Sequence[int]]  # tuning, run, point: indices; count: rounds; disturbed, unclear
    headlines: Sequence[float]  # of all rows, one after the other
    draws: Mapping[int, npt.NDArray[np.int64]]  # number of rounds -> (resamples, rounds)


def traffic_rows(connection: duckdb.DuckDBPyConnection, scope: Scope, machine: str, traffic: Traffic) -> TrafficRows:
    """Return what the runs of a scope measured on a machine. Needs `prepare`."""
    infos = [info for info in scope.infos if info.machine == machine]
    runs = {info.run: number for number, info in enumerate(infos)}
    tunings: dict[tuple[str, str, str], int] = {}
    points: dict[tuple[str, int, int, int], int] = {}
    columns: dict[str, list[int]] = {name: [] for name in ("tuning", "run", "point", "count", "disturbed", "unclear")}
    headlines: list[float] = []
    pools: dict[tuple[int, int], dict[int, int]] = {}
    for rounds in roundwise(connection, _where(connection, scope, machine, traffic.lengths)):
        subject, variables = rounds.subject, rounds.variables
        if rounds.run not in runs or variables["alignment"]:
            continue
        point = (rounds.measure, variables["length"], variables["ad_length"], variables["keys"])
        tuning = (subject.primitive, subject.implementation, subject.compiler)
        row = (
            tunings.setdefault(tuning, len(tunings)),
            runs[rounds.run],
            points.setdefault(point, len(points)),
            len(rounds.headlines),
            int(rounds.disturbed),
            int(rounds.unclear),
        )
        for name, value in zip(columns, row, strict=True):
            columns[name].append(value)
        headlines += rounds.headlines
        pools.setdefault((row[0], row[2]), {})[row[1]] = row[3]
    return TrafficRows(
        machine=machine,
        unit=figure_unit(scope.latest(machine)),
        hertz=core_cycles_a_second(connection, scope.latest(machine)),
        runs=tuple(runs),
        spreads=tuple(_spreads(connection, scope, info) for info in infos) if len(infos) > 1 else (),
        tunings=tuple(tunings),
        points=tuple(points),
        columns=columns,
        headlines=headlines,
        draws={rounds: _draws(rounds, traffic.resamples) for rounds in _counts(pools.values())},
    )


def _spreads(connection: duckdb.DuckDBPyConnection, scope: Scope, info: RunInfo) -> dict[str, Spread]:
    found = control_spreads(connection, replace(scope, infos=(info,)))
    return {measure: spread for (_, measure), spread in found.items()}


def _where(connection: duckdb.DuckDBPyConnection, scope: Scope, machine: str, wanted: Collection[int]) -> str:
    """Return the condition for the samples of a scope; of a run with every length only some are read."""
    own = f"NOT control AND operation = {quoted(scope.operation)} AND machine = {quoted(machine)}"
    found = connection.execute(f"SELECT DISTINCT length FROM points WHERE {own} ORDER BY length").fetchall()
    lengths = [int(length) for (length,) in found]
    if len(lengths) <= MOST_LENGTHS:
        return own
    spread = {lengths[index] for index in np.geomspace(1, len(lengths), MOST_LENGTHS).astype(int) - 1}
    kept = sorted(spread | set(lengths) & set(wanted))
    return f"{own} AND length IN ({', '.join(map(str, kept))})"


def _counts(pools: Collection[Mapping[int, int]]) -> set[int]:
    """Return the numbers of rounds that a ranking may resample: of one run, or of the newest ones together."""
    counts: set[int] = set()
    for by_run in pools:
        newest_first = [by_run[run] for run in sorted(by_run, reverse=True)]
        counts |= {*newest_first, *np.cumsum(newest_first).tolist()}
    return {count for count in counts if count > 1}


def _draws(rounds: int, resamples: int) -> npt.NDArray[np.int64]:
    return np.random.default_rng(RESAMPLING_SEED).integers(0, rounds, (resamples, rounds))
