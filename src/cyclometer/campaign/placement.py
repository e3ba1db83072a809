# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures the placement of chosen executables: builds each once more for every layout, and runs its processes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, replace

from cyclometer.campaign.environment import Environment
from cyclometer.campaign.options import Options, Progress
from cyclometer.campaign.shared_core import noting_other_processes
from cyclometer.execute.pool import on_all_cores
from cyclometer.measure import Job, Plan, layout_lines, layouts, placement_lines, run_placed
from cyclometer.records.columns import Columns, with_constants
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, Severity
from cyclometer.records.placement import Layout
from cyclometer.records.run import SAMPLES
from cyclometer.store import RunWriter

Build = tuple[Executable, int]  # of the ordinary build, and the number of the link


class Placement:
    """The placement of the executables of one run. Processes whose samples are stored are not run again."""

    def __init__(
        self, environment: Environment, options: Options, plan: Plan, writer: RunWriter, progress: Progress
    ) -> None:
        self.environment, self.options, self.plan = environment, options, plan
        self.writer, self.progress = writer, progress
        self.asked = options.placement

    def measure(self, executables: Sequence[Executable]) -> None:
        """Build for all layouts and measure, in random order."""
        processes = [
            (executable, layout, number) for executable in executables for layout, number in layouts(self.asked)
        ]
        random.Random(self.options.seed).shuffle(processes)
        built = self._built(executables)
        with (
            noting_other_processes(self.environment.core, self.writer),
            self.progress.stage("measuring placement", len(processes)) as step,
        ):
            for executable, layout, number in processes:
                if placed := built.get((executable.subject, layout.link)):
                    self._run(executable, placed, layout, number)
                step()

    def _built(self, executables: Sequence[Executable]) -> dict[tuple[object, int], Executable]:
        wanted = [(executable, link) for executable in executables for link in range(self.asked.layouts + 1)]
        with self.progress.stage("building for placement", len(wanted)) as step:
            results = on_all_cores(self._build, wanted, step)
        self.writer.add_failures(
            [replace(each, severity=Severity.WARNING) for each in results if isinstance(each, Failure)]
        )
        return {
            (executable.subject, link): result
            for (executable, link), result in zip(wanted, results, strict=True)
            if isinstance(result, Executable)
        }

    def _build(self, wanted: Build) -> Executable | Failure | None:
        executable, link = wanted
        return self.environment.builder.placed(executable.request, Layout(link=link)) if executable.request else None

    def _run(self, executable: Executable, placed: Executable, layout: Layout, number: int) -> None:
        job = Job(executable=executable, round=number, control=False, seed=self.options.seed)
        name = f"placed@{layout.link}@{layout.environment}@{job.name}"
        if self.writer.has(name):
            return
        grid = self.plan.grid_of(executable.subject)
        lines = layout_lines(grid, self.asked) if layout.link else placement_lines(grid, self.asked)
        result = run_placed(
            placed,
            lines,
            layout,
            seed=self.options.seed + number,
            core=self.environment.core,
            seconds=self.plan.seconds,
            dither=self.environment.counter.dither_cycles,
            copies=self.environment.page_copies,
            by_plan=self.asked.by_plan,
        )
        self.writer.add_failures(result.failures)
        self.writer.add_sizes(result.proofs)
        if result.table is not None:
            self.writer.add_samples(name, _with_run_columns(result.table, job, self.writer))


def _with_run_columns(table: Columns, job: Job, writer: RunWriter) -> Columns:
    constants = {
        "run": writer.info.run,
        "machine": writer.info.machine,
        **asdict(job.executable.subject),
        "control": False,
        "round": job.round,
    }
    return with_constants(table, constants, SAMPLES)
