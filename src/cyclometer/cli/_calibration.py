# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer machine --calibrate`: code of known cost, measured with every counter that works here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import rich.box
from rich.table import Table

from cyclometer import campaign, paths
from cyclometer.analyse import CalibrationPoint, calibration_points, calibration_summary, prepare
from cyclometer.cli._output import console, say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.store import connect, list_runs

Calibrations = Mapping[str, Sequence[CalibrationPoint]]


def calibrations() -> dict[str, list[CalibrationPoint]]:
    """Measure the calibration with each working counter, the best first."""
    reporter = ProgressReporter()
    best = campaign.prepare_environment(paths.root())
    found: dict[str, list[CalibrationPoint]] = {}
    for score in best.scores:
        if not score.absent:
            environment = campaign.prepare_environment(paths.root(), counter=score.file)
            with paths.temporary_folder("calibration") as results:
                campaign.calibrate(environment, results, reporter)
                stored = list_runs(results)
                with connect(stored) as connection:
                    prepare(connection, [run.info for run in stored if run.info])
                    found[score.name] = calibration_points(connection)
    return found


def content(found: Calibrations) -> list[dict[str, Any]]:
    """Return the calibrations as JSON values."""
    return [
        {
            "counter": name,
            "points": [{**asdict(point), "error": point.error} for point in points],
            "worst": asdict(worst) if (worst := calibration_summary(points)) else None,
        }
        for name, points in found.items()
    ]


def show(found: Calibrations) -> None:
    """Print true value, measured value and error for each counter, and what they say in a line."""
    chains = {name: {p.true: p for p in points if p.measure == "chain"} for name, points in found.items()}
    table = Table(
        "true", box=rich.box.SIMPLE, title="Calibration: core cycles measured of chains of known cost",
        title_justify="left",
    )  # fmt: skip
    for name in chains:
        table.add_column(name, justify="right")
        table.add_column("error", justify="right")
    for true in sorted({true for points in chains.values() for true in points}):
        table.add_row(str(true), *(text for points in chains.values() for text in _texts(points.get(true))))
    console().print(table)
    for name, points in found.items():
        say(_verdict(name, points))


def _texts(point: CalibrationPoint | None) -> tuple[str, str]:
    if not point:
        return "", ""
    return f"{point.measured:.1f}{'~' if point.disturbed else ''}", f"{point.error:+.1f}"


def _verdict(name: str, points: Sequence[CalibrationPoint]) -> str:
    """Return the worst error and what a call adds, in one line."""
    worst = calibration_summary(points)
    if not worst:
        return f"{name}: no code of known cost is written for this architecture"
    verdict = "FAILED: " if worst.fails else ""
    note = "; all samples were disturbed" if worst.disturbed else ""
    calls = ", ".join(f"{p.error:.1f} cycles at {p.true}" for p in points if p.measure == "call")
    return f"{name}: {verdict}{worst.error:+.1f} of {worst.true} cycles at worst{note}; a call and return add {calls}"
