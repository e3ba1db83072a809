# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs jobs: one process each, whose samples it returns."""

from __future__ import annotations

import time
from collections import defaultdict

from cyclometer.measure.noise_floor import NoiseFloor
from cyclometer.measure.process import NotTimed, run_process
from cyclometer.measure.schedule import Job, Plan
from cyclometer.records.failure import Failure
from cyclometer.records.run import Batch
from cyclometer.records.tuning import Tuning


class Runner:
    """Takes turns. A measure that an executable does not survive is left out of its later ones; one that has had its
    share of the time takes no more of them."""

    def __init__(self, plan: Plan, core: int | None, quiet: NoiseFloor) -> None:
        self.plan, self.core, self.quiet = plan, core, quiet
        self._lost: dict[Tuning, set[str]] = defaultdict(set)  # measures
        self._spent: dict[tuple[Tuning, bool], float] = defaultdict(float)  # seconds, of itself or its twin

    def over_budget(self, turn: Job) -> bool:
        """Whether others should have the time that this turn would take."""
        share = self.plan.share
        return share is not None and self._spent[turn.executable.subject, turn.control] >= share

    def run(self, turn: Job) -> tuple[Batch | None, list[Failure]]:
        """The samples of the measures survived, if any, and how the others failed."""
        start = time.monotonic()
        taken = self._run(turn)
        self._spent[turn.executable.subject, turn.control] += time.monotonic() - start
        return taken

    def _run(self, turn: Job) -> tuple[Batch | None, list[Failure]]:
        subject = turn.executable.subject
        failures: list[Failure] = []
        lost = self._lost[subject]
        while grid := [line for line in self.plan.grids[subject.operation] if _measure(line) not in lost]:
            result = run_process(
                turn.executable,
                grid,
                seed=turn.seed,
                patience_ms=self.plan.patience_ms,
                quiet=self.quiet,
                core=self.core,
                seconds=self.plan.seconds,
            )
            if not isinstance(result, NotTimed):
                table, chain_cycles = result
                batch = Batch(
                    subject=subject, control=turn.control, round=turn.round, chain_cycles=chain_cycles, table=table
                )
                return batch, failures
            failures.append(result.failure)
            measures = {_measure(line) for line in grid}
            lost |= {result.measure} & measures or measures
        return None, failures


def _measure(line: str) -> str:
    """What a grid line measures."""
    return line.split(maxsplit=1)[0]
