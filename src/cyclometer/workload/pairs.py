# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which pairs of cipher and authenticator are worth measuring: those whose parts cost least for a workload."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer import campaign, paths
from cyclometer.discover import PART_MEASURES, first_answer, pairs, same_as_declared
from cyclometer.errors import NothingToDo
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.grid import Point
from cyclometer.records.table import BITS, RATIO, Column, Context, Row, Table, Value
from cyclometer.store import StoredRun, list_runs
from cyclometer.workload.model import OPERATION, grid
from cyclometer.workload.ranking import Ranking, bits_left, insecure, unfit, use_of
from cyclometer.workload.stored import Needs, read_costs, survey
from cyclometer.workload.workload import Workload

LEADING = 12
"""Pairs that are measured for each workload: those with the lowest estimates."""

ROUNDS = 3
"""Rounds of the parts, which only choose."""

PROFILE = "parts"
"""What the name of a run of parts ends in."""

PartCosts = Mapping[str, Mapping[str, Mapping[Point, float]]]
"""Operation -> primitive -> point -> cycles."""


@dataclass(frozen=True, kw_only=True)
class PairEstimate:
    """What a packet of a workload should cost a pair: the sum over its parts, without what joins them."""

    pair: Primitive
    cycles: float


def candidates(
    catalogue: Catalogue, loads: Sequence[Workload], date: datetime.date | None
) -> dict[str, list[Primitive]]:
    """Return, by workload, the pairs that it admits by what they declare and that no file declares as a system."""
    declared = list(catalogue.primitives.values())
    made = [p for p in pairs(catalogue) if p.operation == OPERATION and not same_as_declared(p, declared)]
    return {load.name: [p for p in made if not unfit(load, p) and not insecure(load, p, date)] for load in loads}


def parts_needed(admitted: Mapping[str, Sequence[Primitive]], loads: Sequence[Workload]) -> dict[str, Needs]:
    """Return, by operation, the points that each part needs."""
    needs: dict[str, dict[str, frozenset[Point]]] = {}
    for load in loads:
        for pair in admitted[load.name]:
            for operation, name, measure in _parts(pair):
                own = needs.setdefault(operation, {})
                own[name] = own.get(name, frozenset()) | {_point(measure, n) for n, _ in load.packets}
    return dict(needs)


def measure_parts(
    needs: Mapping[str, Needs],
    options: campaign.Options,
    contracts: Mapping[str, str],
    results: Path,
    progress: campaign.Progress | None,
) -> PartCosts:
    """Return what the parts cost, after measuring those that no run has, if `progress` is given."""
    costs: dict[str, Mapping[str, Mapping[Point, float]]] = {}
    for operation, own in needs.items():
        found = survey(_complete(results), own, options.machine, contracts[operation], operation)
        if progress and (missing := found.missing(own)):
            keys = tuple(f"{operation}/{name}" for name in missing)
            environment = campaign.prepare_environment(paths.root(), systems=keys, time_limit=options.check_seconds)
            environment = replace(environment, catalogue=first_answer(environment.catalogue))
            points = frozenset().union(*missing.values())
            asked = replace(options, profile=PROFILE, systems=keys, grid=grid(points, ()), rounds=ROUNDS)
            try:
                campaign.run(environment, asked, results, progress)
            except NothingToDo:  # none of these parts works here
                continue
            found = survey(_complete(results), own, options.machine, contracts[operation], operation)
        costs[operation] = read_costs(found, own)
    return costs


def estimates(load: Workload, admitted: Iterable[Primitive], costs: PartCosts) -> list[PairEstimate]:
    """Return the estimates for a workload, the lowest first; pairs with a part that has no cost are left out."""
    result = []
    for pair in admitted:
        parts = [(measure, costs.get(operation, {}).get(name)) for operation, name, measure in _parts(pair)]
        known = [(measure, each) for measure, each in parts if each]
        if len(known) == len(parts):
            packets = [(length, share) for (length, _), share in load.packets.items()]
            cycles = sum(share * each[_point(measure, n)] for n, share in packets for measure, each in known)
            result.append(PairEstimate(pair=pair, cycles=cycles))
    return sorted(result, key=lambda each: (each.cycles, each.pair.name))


def pairs_table(
    ranking: Ranking, estimated: Sequence[PairEstimate], context: Context, date: datetime.date | None, most: int
) -> Table:
    """Return the pairs with the lowest estimates, with their measured cost if they have one."""
    load = ranking.workload
    best = min((entry.counts.value for entry in ranking.entries), default=0.0)
    measured = {entry.primitive.name: entry.counts for entry in ranking.entries}
    use = use_of(load, date)
    rows = []
    for each in estimated[:most]:
        cost = measured.get(each.pair.name)
        bits = bits_left({**each.pair.facts, **each.pair.sizes}, use)
        figures = (
            Value(value=each.cycles),
            Value(value=cost.value, interval=cost.interval, rounds=cost.rounds) if cost else None,
            Value(value=(cost.value if cost else each.cycles) / best) if best else None,
            None if bits is None else Value(value=bits),
        )
        rows.append(_row(each.pair, figures))
    return Table(
        view="rank-pairs",
        operation=OPERATION,
        measure="",
        title=f"{load.title}: pairs of cipher and authenticator, ≈ estimated from their parts "
        f"({len(rows)} of {len(estimated)})",
        variable="estimate",
        columns=(
            Column(label="≈ cost", unit=context.unit),
            Column(label="measured", unit=context.unit),
            Column(label="/best", unit=RATIO),
            Column(label="bits left", unit=BITS),
        ),
        rows=tuple(rows),
        contexts=(context,),
    )


def _row(pair: Primitive, figures: tuple[Value | None, ...]) -> Row:
    return Row(
        operation=OPERATION, primitive=pair.name, implementation="", compiler="", label=pair.name, figures=figures
    )


def _parts(pair: Primitive) -> list[tuple[str, str, str]]:
    """Return the operation, the name and the measure of each part whose cost counts."""
    assert pair.composed
    measures = pair.facts[PART_MEASURES]
    return [(*pair.composed.parts[part], measure) for part, measure in measures.items()]


def _point(measure: str, length: int) -> Point:
    return (measure, length, 0, 1, 0)


def _complete(results: Path) -> list[StoredRun]:
    return [run for run in list_runs(results) if run.state == "complete"]
