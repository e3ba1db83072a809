# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measuring what a workload needs and no stored run has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer import campaign
from cyclometer.errors import NothingToDo
from cyclometer.records.grid import Point
from cyclometer.workload.model import OPERATION, choose_grid, grid
from cyclometer.workload.workload import Workload

PROFILE = "workload"
"""What the name of such a run ends in."""


def measure_missing(
    environment: campaign.Environment,
    options: campaign.Options,
    missing: Mapping[str, frozenset[Point]],
    workloads: Sequence[Workload],
    results: Path,
    progress: campaign.Progress,
) -> dict[str, str]:
    """Measure the missing points of each primitive; return why, for those of which nothing works here.

    Primitives that lack something share a run, except those without associated data, which are never given any.
    """
    groups: dict[bool, list[str]] = {}
    for primitive, points in missing.items():
        groups.setdefault(any(point[2] for point in points), []).append(primitive)
    failures: dict[str, str] = {}
    for primitives in groups.values():
        points = frozenset().union(*(missing[primitive] for primitive in primitives))
        own = replace(
            options,
            profile=PROFILE,
            systems=tuple(f"{OPERATION}/{primitive}" for primitive in primitives),
            grid=grid(points, workloads),
            choose_grid=choose_grid(workloads, with_ad=any(point[2] for point in points)),
        )
        try:
            campaign.run(environment, own, results, progress)
        except NothingToDo as error:
            failures |= dict.fromkeys(primitives, f"not measured: {error}")
    return failures
