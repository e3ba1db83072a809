# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times candidates on their operation's choose grid, and keeps the timings for later campaigns."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cyclometer.campaign.environment import Environment
from cyclometer.choose import Budget, Selection, Timing, choose, time_once
from cyclometer.choose.cache import ChoiceCache
from cyclometer.measure import NotTimed, run_process, undisturbed
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.run import NEAR, STEPS
from cyclometer.records.tuning import Tuning

PATIENCE_MS = 10
PROCESS_SECONDS = 60
NOISE_FLOOR_SECONDS = 0.5


class CandidateTimer:
    """Times candidates in one environment. These timings choose tunings and are never reported."""

    def __init__(self, environment: Environment, seed: int) -> None:
        self.environment, self.seed = environment, seed
        self.cache = ChoiceCache(environment.cache.folder, environment.builder.cpu)

    def select(self, key: str, candidates: Sequence[Executable], budget: Budget) -> Selection:
        """Choose the fastest candidate of the primitive `key` by successive halving."""
        prior = self.cache.get(key, self._grid(key))
        return self._kept(key, candidates, choose(candidates, self._time, self.seed, prior, budget))

    def screen(self, key: str, candidates: Sequence[Executable], budget: Budget) -> Selection:
        """Time once each candidate of the primitive `key` that has no earlier timing; choose nothing."""
        prior = self.cache.get(key, self._grid(key))
        return self._kept(key, candidates, time_once(candidates, self._time, self.seed, prior, budget))

    def incumbent(self, key: str) -> Tuning | None:
        """Return the tuning that an earlier campaign chose for the primitive `key`."""
        return self.cache.get(key, self._grid(key)).chosen

    def learn_noise_floor(self, executables: Sequence[Executable]) -> None:
        """Run empty calls until the noise floor is known or half a second has passed."""
        end = time.monotonic() + NOISE_FLOOR_SECONDS
        for executable in itertools.cycle(executables):
            if self.environment.noise_floor.value or time.monotonic() >= end:
                return
            self._run(executable, ["empty"], 0)

    def _kept(self, key: str, candidates: Sequence[Executable], selection: Selection) -> Selection:
        self.cache.put(key, self._grid(key), candidates, selection.trials, selection.confirmed)
        return selection

    def _grid(self, key: str) -> Sequence[str]:
        return self.environment.catalogue.operations[key.partition("/")[0]].choose_grid

    def _time(self, executable: Executable, seed: int) -> Timing | Failure:
        """Return the cycles of the choose grid: its series' typical timings, converted by the process's own chains."""
        result = self._run(executable, self._grid(executable.subject.key), seed)
        if isinstance(result, NotTimed):
            return replace(result.failure, stage="choose")
        table, chain_cycles = result
        chains: list[int] = np.minimum(table["chain_before"].to_numpy(), table["chain_after"].to_numpy()).tolist()
        converts = self.environment.counter.unit != "core cycles" and chain_cycles
        scale = chain_cycles / statistics.median(chains) if converts else 1.0
        work = table.filter(pc.field("measure") != "empty")
        ticks = sum(self._typical(series or ()) for series in work["series"].to_pylist())
        quiet = bool(undisturbed(work, self.environment.noise_floor.value).all())
        return Timing(scale * ticks, quiet=quiet)

    def _typical(self, series: Sequence[float]) -> float:
        """Return the median timing; of dithered ones the mean of those within a step of it."""
        median, step = statistics.median_low(series), self.environment.counter.resolution
        if not self.environment.counter.dither_cycles:
            return median
        return statistics.fmean(timing for timing in series if abs(timing - median) <= STEPS * step + NEAR * median)

    def _run(self, executable: Executable, grid: Sequence[str], seed: int) -> tuple[pa.Table, int] | NotTimed:
        return run_process(
            executable,
            grid,
            seed=seed,
            patience_ms=PATIENCE_MS,
            noise_floor=self.environment.noise_floor,
            core=self.environment.core,
            dither_cycles=self.environment.counter.dither_cycles,
            seconds=PROCESS_SECONDS,
        )
