# SPDX-License-Identifier: MIT OR Apache-2.0
"""Instructions that emulated programs execute, counted by a plugin of QEMU. They say nothing about time."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.campaign.environment import Environment
from cyclometer.campaign.options import Progress
from cyclometer.compile import Cache
from cyclometer.errors import MachineUnfit
from cyclometer.execute import sandbox
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import NoiseFloor, NotTimed, ProcessPipeline, Request
from cyclometer.records.columns import rows_of
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.run import EMPTY
from cyclometer.records.tuning import Tuning

SECONDS = 300.0  # for the counted calls of one executable


@dataclass(frozen=True, kw_only=True)
class InstructionCount:
    """The instructions of one call, the call itself included: the median over calls with different inputs."""

    subject: Tuning
    measure: str
    length: int
    ad_length: int
    instructions: int


def count_instructions(
    environment: Environment, executables: Sequence[Executable], progress: Progress
) -> tuple[list[InstructionCount], list[Failure]]:
    """Count the instructions of each executable's small work load, the one that implementations are chosen by.

    The executables must be emulated and built with the counter `environment.COUNTED`. `MachineUnfit` if the plugin
    cannot be built.
    """
    plugin = _plugin(environment)

    def counted(executable: Executable) -> list[InstructionCount] | Failure:
        grid = environment.catalogue.operations[executable.subject.operation].choose_grid
        return _counted(_with_plugin(executable, plugin), grid)

    with progress.stage("counting instructions", len(executables)) as step:
        results = on_all_cores(counted, executables, step)
    failures = [result for result in results if isinstance(result, Failure)]
    return [count for result in results if not isinstance(result, Failure) for count in result], failures


def _counted(executable: Executable, grid: Sequence[str]) -> list[InstructionCount] | Failure:
    request = Request(executable=executable, grid=tuple(grid), seed=0, input_seed=0, patience_ms=0, seconds=SECONDS)
    result = ProcessPipeline(None, NoiseFloor()).run(request)
    if isinstance(result, NotTimed):
        return result.failure
    rows = rows_of(result.samples)
    # A short chain has as many instructions as its length says.
    short_chains = [row for row in rows if row["measure"] == EMPTY and row["keys"] == 0]
    counter_alone = min(min(row["series"]) - row["length"] for row in short_chains)
    calls: dict[tuple[str, int, int], list[int]] = {}
    for row in rows:
        if row["measure"] != EMPTY:
            calls.setdefault((row["measure"], row["length"], row["ad_length"]), []).extend(row["series"])
    return [
        InstructionCount(
            subject=executable.subject,
            measure=measure,
            length=length,
            ad_length=ad_length,
            instructions=round(statistics.median(series)) - counter_alone,
        )
        for (measure, length, ad_length), series in sorted(calls.items())
    ]


def _with_plugin(executable: Executable, plugin: Path) -> Executable:
    emulator, *options = executable.compiler.emulator
    line = (emulator, "-plugin", str(plugin), *options)
    return replace(executable, compiler=replace(executable.compiler, emulator=line))


def _plugin(environment: Environment) -> Path:
    """Return the plugin, built for this machine once."""
    source = environment.tree / "harness" / "counters" / "emulated" / "plugin.c"

    def builder(out: Path) -> str:
        outcome = sandbox.run_tool(["cc", "-shared", "-fPIC", "-O2", "-o", str(out), str(source)])
        if outcome.problem:
            raise MachineUnfit(f"the plugin that counts instructions does not compile: {outcome.first_error(200)}")
        return ""

    key = Cache.key("plugin", source.read_text(encoding="utf-8"), os.uname().machine)
    made = environment.cache.make(key, ".so", builder)
    assert isinstance(made, Path)
    return made
