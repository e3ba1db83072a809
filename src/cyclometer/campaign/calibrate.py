# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures code of known cost, which shows how far this machine's numbers are off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cyclometer.campaign.environment import Environment
from cyclometer.campaign.measurement import Measurement
from cyclometer.campaign.options import Options, Progress
from cyclometer.campaign.plan import describe_run
from cyclometer.discover import read_calibration
from cyclometer.errors import MachineUnfit
from cyclometer.measure import LAYOUTS, Plan, plan_jobs
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.failure import Failure
from cyclometer.records.run import CALIBRATION
from cyclometer.store import RunWriter

PATIENCE_MS = 200


def calibration_executables(environment: Environment) -> list[Executable]:
    """Build the calibration, in all layouts; return none if it does not build here."""
    return _built(environment)[0]


def _built(environment: Environment) -> tuple[list[Executable], list[Failure]]:
    _, primitive, implementation = read_calibration(environment.tree)
    builder = environment.builder
    if not builder.compilers.native:
        return [], []
    request = BuildRequest(primitive=primitive, implementation=implementation, compiler=builder.compilers.native)
    executables, failures = builder.build([request])
    return [builder.with_layouts(each, LAYOUTS) for each in executables], failures


def calibrate(environment: Environment, results: Path, progress: Progress) -> Path:
    """Measure all code of known cost with the environment's counter; return the folder of the finished run.

    MachineUnfit if it does not build.
    """
    executables, failures = _built(environment)
    if failures:
        why, _, _ = failures[0].detail.partition("\n")
        raise MachineUnfit(f"harness/calibration: {failures[0].reason}: {why}")
    rounds, grid = environment.builder.catalogue.operations[CALIBRATION].profiles["full"]
    plan = Plan(seed=1, rounds=rounds, grids={CALIBRATION: grid}, patience_ms=PATIENCE_MS)
    info = replace(describe_run(environment, Options(machine="this-machine")), profile="calibration")
    with RunWriter.start_numbered(results, info) as writer:
        measurement = Measurement(environment, plan, writer, progress)
        measurement.planned_rounds(plan_jobs([], executables, plan))
        measurement.extra_rounds()
        return writer.finish()
