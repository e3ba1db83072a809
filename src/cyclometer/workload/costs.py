# SPDX-License-Identifier: MIT OR Apache-2.0
"""Costs with intervals: sums of headlines, resampled by round, with the same draws for all systems."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import duckdb
import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.cells import Cell
from cyclometer.analyse.estimate.comparability import one_of, quoted
from cyclometer.analyse.estimate.core_cycles import VARIABLES
from cyclometer.analyse.estimate.estimators import COVERAGE, RESAMPLING_SEED, center
from cyclometer.analyse.estimate.rounds import roundwise
from cyclometer.records.grid import Point
from cyclometer.records.rounds import Rounds, RunKey
from cyclometer.records.table import Value
from cyclometer.records.tuning import Tuning
from cyclometer.workload.coverage import Coverage
from cyclometer.workload.model import TERMS, Term, model_terms
from cyclometer.workload.workload import Workload

RESAMPLES = 2000

NO_TUNING = Tuning(operation="", primitive="", implementation="", compiler="")
"""That of a cost whose owner does not matter."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a packet of the workload costs a system, in core cycles or counter units."""

    value: float
    interval: tuple[float, float] | None  # None with a single round
    shares: Mapping[str, float]  # of each of TERMS
    rounds: int  # the fewest behind a term that has a hundredth of the largest weight or more
    disturbed: bool
    unclear: bool  # disturbed timings chose the tuning, so another may be faster

    def as_value(self) -> Value:
        """Return the cost as a figure of a table, with its marks."""
        return Value(
            value=self.value,
            interval=self.interval,
            rounds=self.rounds,
            disturbed=self.disturbed,
            varies=self.as_cell(NO_TUNING).varies,
            unclear=self.unclear,
        )

    def as_cell(self, tuning: Tuning) -> Cell:
        """Return the cost as a cell, so that it ties by the rule of tables."""
        return Cell(
            machine="",
            subject=tuning,
            control=False,
            measure="cost",
            variables={},
            cycles=self.value,
            interval=self.interval,
            quartiles=(self.value, self.value),
            rounds=self.rounds,
            samples=0,
            disturbed=self.disturbed,
            unclear=self.unclear,
        )


@dataclass(frozen=True, kw_only=True)
class Headlines:
    """One point of one tuning: the headlines of its rounds."""

    values: Floats
    disturbed: bool
    unclear: bool = False  # disturbed timings chose the tuning, so another may be faster

    @property
    def center(self) -> float:
        """The number that stands for the rounds."""
        return float(center(self.values, self.disturbed))


Measured = Mapping[Point, Headlines]


def read_headlines(
    connection: duckdb.DuckDBPyConnection, coverage: Iterable[Coverage], points: Iterable[Point]
) -> dict[Tuning, Measured]:
    """Return the headlines of each covered tuning at these points. Needs `prepare`.

    Where one run has undisturbed rounds of a point, those of disturbed runs are left out. The rounds of the oldest run
    come first, as in the web report: which resamples are drawn depends on the order.
    """
    wanted = {(each.tuning, run): -place for each in coverage for place, run in enumerate(each.runs)}
    if not wanted:
        return {}
    found: dict[Tuning, dict[Point, list[Rounds]]] = {}
    for rounds in roundwise(connection, _where(wanted, list(points))):
        if _key(rounds) in wanted:
            point: Point = (rounds.measure, *rounds.variables.values())
            found.setdefault(rounds.subject, {}).setdefault(point, []).append(rounds)
    return {
        tuning: {point: _pooled(sorted(each, key=lambda one: wanted[_key(one)])) for point, each in own.items()}
        for tuning, own in found.items()
    }


def cost_of(measured: Measured, terms: Sequence[Term]) -> Cost:
    """Return the weighted sum of the terms and its bootstrap interval."""
    parts = [(term, measured[term.point]) for term in terms]
    centers = [(term, term.weight * each.center) for term, each in parts]
    total = sum(cost for _, cost in centers)
    heaviest = max(term.weight for term in terms)
    counted = [each for term, each in parts if term.weight * 100 >= heaviest]
    rounds = min(len(each.values) for each in counted)
    interval = None
    if rounds > 1:
        low, high = np.quantile(resampled_cost(measured, terms), [(1 - COVERAGE) / 2, (1 + COVERAGE) / 2])
        interval = (min(float(low), total), max(float(high), total))
    shares = {name: sum(cost for term, cost in centers if term.name == name) / (total or 1) for name in TERMS}
    return Cost(
        value=total,
        interval=interval,
        shares=shares,
        rounds=rounds,
        disturbed=any(each.disturbed for each in counted),
        unclear=any(each.unclear for _, each in parts),
    )


def cost_for(loads: Sequence[Workload]) -> Callable[[Measured], float]:
    """Return what orders tunings by the geometric mean of the costs of these workloads, without their replays.

    Workloads of which a tuning lacks a point are left out.
    """
    sums = [model_terms(load) for load in loads]

    def log_cost(measured: Measured) -> float:
        own = [terms for terms in sums if all(term.point in measured for term in terms)]
        costs = [sum(term.weight * measured[term.point].center for term in terms) for terms in own]
        return sum(math.log(max(cost, 1.0)) for cost in costs)

    return log_cost


def resampled_cost(measured: Measured, terms: Sequence[Term]) -> Floats:
    """Return the weighted sum of each resample; costs of two systems are resampled with the same draws."""
    return sum((term.weight * _resampled(measured[term.point]) for term in terms), np.zeros(RESAMPLES))


def _resampled(each: Headlines) -> Floats:
    """Return the centers of RESAMPLES resamples; the draws depend only on the number of rounds."""
    return center(each.values[_draws(len(each.values))], each.disturbed)


@functools.cache
def _draws(rounds: int) -> npt.NDArray[np.int64]:
    return np.random.default_rng(RESAMPLING_SEED).integers(0, rounds, (RESAMPLES, rounds))


def _key(rounds: Rounds) -> tuple[Tuning, RunKey]:
    return rounds.subject, (rounds.run, rounds.machine)


def _pooled(several: Sequence[Rounds]) -> Headlines:
    quiet = [rounds for rounds in several if not rounds.disturbed]
    values = np.array([headline for rounds in quiet or several for headline in rounds.headlines])
    return Headlines(values=values, disturbed=not quiet, unclear=all(rounds.unclear for rounds in several))


def _where(wanted: Collection[tuple[Tuning, RunKey]], points: Sequence[Point]) -> str:
    runs = ", ".join(f"({quoted(run)}, {quoted(machine)})" for run, machine in sorted({key for _, key in wanted}))
    names = ("measure", *VARIABLES)
    columns = zip(names, zip(*points, strict=True), strict=True)
    conditions = [one_of(name, sorted(set(values))) for name, values in columns]
    primitives = sorted({tuning.primitive for tuning, _ in wanted})
    exact = ", ".join(f"({quoted(str(measure))}, {', '.join(map(str, rest))})" for measure, *rest in points)
    return " AND ".join(
        [
            "NOT control",
            one_of("operation", sorted({tuning.operation for tuning, _ in wanted})),
            f"(run, machine) IN ({runs})",
            one_of("primitive", primitives),
            *conditions,
            f"({', '.join(names)}) IN ({exact})",
        ]
    )
