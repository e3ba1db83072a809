# SPDX-License-Identifier: MIT OR Apache-2.0
"""What primitives cost when nothing of them is in the caches, from stored runs of the profile `placement`."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np

from cyclometer.analyse import prepare
from cyclometer.analyse.estimate.comparability import Scope
from cyclometer.analyse.estimate.placement import placed_cells
from cyclometer.records.placement import ALL
from cyclometer.store import StoredRun, connect, list_runs

PROFILE = "placement"

ColdCosts = Mapping[tuple[str, str], Mapping[int, float]]
"""Key of a primitive and measure -> length -> cycles of the first call after everything was evicted."""


def cold_costs(results: Path, machine: str, keys: Collection[str]) -> ColdCosts:
    """Return the cold costs of primitives (`operation/primitive`) from each machine's newest runs that have them."""
    found: dict[tuple[str, str], dict[int, float]] = {}
    for run in _placement_runs(results, machine):
        for point, costs in _of_run(run, [key for key in keys if key not in {known for known, _ in found}]).items():
            found[point] = costs
    return found


def cold_cost(costs: ColdCosts, key: str, measure: str, length: int) -> float | None:
    """Return the cost of one cold call, on a straight line between the lengths measured; None if there are none."""
    known = costs.get((key, measure))
    if not known:
        return None
    lengths = sorted(known)
    return float(np.interp(length, lengths, [known[each] for each in lengths]))


def _placement_runs(results: Path, machine: str) -> list[StoredRun]:
    """Return the machine's finished runs of placement, the newest first."""
    runs = [run for run in list_runs(results) if run.info and run.state == "complete" and run.machine == machine]
    own = [run for run in runs if run.info and run.info.profile == PROFILE]
    return sorted(own, key=lambda run: run.info.started.timestamp() if run.info else 0.0, reverse=True)


def _of_run(run: StoredRun, keys: Collection[str]) -> dict[tuple[str, str], dict[int, float]]:
    if not keys or not run.info:
        return {}
    firsts: dict[tuple[str, str], dict[int, list[float]]] = {}
    with connect([run], thorough=False) as connection:
        connection.execute("SET threads = 2")
        prepare(connection, [run.info])
        for operation in {key.partition("/")[0] for key in keys}:
            names = {key.partition("/")[2] for key in keys if key.startswith(f"{operation}/")}
            for cell in placed_cells(connection, Scope(operation=operation, infos=(run.info,)), names):
                if cell.cold == ALL and not cell.between:
                    point = (cell.subject.key, cell.measure)
                    firsts.setdefault(point, {}).setdefault(cell.length, []).append(cell.first)
    return {
        point: {length: statistics.median(values) for length, values in by_length.items()}
        for point, by_length in firsts.items()
    }
