# SPDX-License-Identifier: MIT OR Apache-2.0
"""Results of machines that do not exist, as large as real ones: every system of the tree, for benchmarks of readers."""

from __future__ import annotations

import datetime
import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from cyclometer.compile import contracts
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.columns import Columns, array_of, joined
from cyclometer.records.grid import POINT, points_of
from cyclometer.records.run import SAMPLES
from cyclometer.store.runfile import read_run_info, write_run_info
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY
from support.synthetic import CHAIN_CYCLES, QUIET_LOAD, TIMINGS, run_info, write_run

ROUNDS = 3


def write_machines(results: Path, machines: int, runs: int = 1) -> None:
    """Store `runs` runs of the quick profile over all systems for each of `machines` machines."""
    catalogue = our_catalogue()
    known = contracts(REPOSITORY, list(catalogue.operations.values()))
    for machine in range(machines):
        for number in range(runs):
            started = datetime.datetime(2026, 1, 1 + number, 12, tzinfo=datetime.UTC)
            info = run_info(
                run=f"{started:%Y-%m-%dT%H-%M-%S}-quick",
                machine=f"machine-{machine}",
                id=f"{machine:016x}{number:016x}",
                started=started,
                contracts=known,
                facts={"cpu": f"Example CPU {machine}"},
                primitives={p.key: {**p.facts, **p.sizes} for p in catalogue.primitives.values()},
            )
            rng = np.random.default_rng([machine, number])
            tables = list(_processes(catalogue, info.run, info.machine, rng))
            write_run(results, info, [joined(tables)])


def clone_run(folder: Path, run: str, machine: str, started: datetime.datetime) -> None:
    """Store a run again as that of another machine or day, its samples linked: a thousand runs are quickly made."""
    info = read_run_info(folder / "run.json")
    target = folder.parent.parent / machine / run
    target.mkdir(parents=True)
    for path in folder.glob("*.parquet"):
        os.link(path, target / path.name)
    shutil.copyfile(folder / "SHA256SUMS", target / "SHA256SUMS")
    identity = hashlib.sha256(f"{machine}/{run}".encode()).hexdigest()[:32]
    facts = {**info.facts, "cpu": f"Example CPU {machine.rpartition('-')[2]}"}
    changes = {"run": run, "machine": machine, "id": identity, "started": started, "facts": facts}
    changed = replace(info, finished=started, recorded_as=(info.run, info.machine), **changes)
    write_run_info(target / "run.json", changed)


def _processes(catalogue: Catalogue, run: str, machine: str, rng: np.random.Generator) -> Iterator[Columns]:
    first = set[str]()
    for primitive in catalogue.primitives.values():
        profiles = catalogue.operations[primitive.operation].profiles
        if "quick" not in profiles:
            continue
        points = sorted(set().union(*(points_of(line) for line in profiles["quick"][1])), key=str)
        seed = sum(map(ord, primitive.key)) % 100
        costs = np.array([(50 + seed) * (10 + int(point[1]) / 8) for point in points]) * rng.uniform(0.8, 1.3)
        for control in (False, True)[: 1 + (primitive.operation not in first)]:
            for number in range(ROUNDS):
                yield _process(primitive, points, costs, number, control, rng, run, machine)
        first.add(primitive.operation)


def _process(
    primitive: Primitive,
    points: list[tuple[str | int, ...]],
    costs: np.ndarray,
    number: int,
    control: bool,
    rng: np.random.Generator,
    run: str,
    machine: str,
) -> Columns:
    """Make the samples of one process: the overhead and each point, about a per cent apart from round to round."""
    rows = [("empty", 0, 0, 0, 0), *points]
    cycles = np.concatenate([[0], costs * rng.normal(1, 0.005, len(costs))])
    series = (24 + cycles[:, None] * (1 + 0.002 * rng.standard_normal((len(rows), TIMINGS)))).round().astype(np.int64)
    count = len(rows)
    fixed: dict[str, object] = {
        "run": run,
        "machine": machine,
        "operation": primitive.operation,
        "primitive": primitive.name,
        "implementation": "ref",
        "compiler": "gcc-O3",
        "control": control,
        "round": number,
        "counter": "perf-rdpmc",
        "context_switches": 0,
        "retakes": 0,
        "tsc": 0,
        **dict.fromkeys(("chain_before", "chain_after"), CHAIN_CYCLES + 24),
        **dict.fromkeys(("load_before", "load_after"), QUIET_LOAD),
    }
    columns: dict[str, Sequence[Any]] = {name: [value] * count for name, value in fixed.items()}
    columns |= {name: [row[index] for row in rows] for index, name in enumerate(POINT)}
    columns["series"] = list(series)
    return {name: array_of(kind, columns[name]) for name, kind in SAMPLES.items()}
