# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times candidates on their operation's choose grid, and keeps the timings for later campaigns."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import replace

from cyclometer.campaign.candidate_cycles import Point, cycles_of_points
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.independent import IndependentBuilder
from cyclometer.choose import Budget, Selection, choose, time_once
from cyclometer.choose.cache import ChoiceCache
from cyclometer.measure import Confirmer, NotTimed, run_process, undisturbed
from cyclometer.records.columns import Columns
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.grid import has_keys, points_of
from cyclometer.records.tuning import Timing, Tuning

PATIENCE_MS = 10
PROCESS_SECONDS = 60
NOISE_FLOOR_SECONDS = 0.5
LOOKS, AGAIN_RATIO, AGAIN_CYCLES = 5, 2.0, 500
"""A winner is timed once more, and must take no more than twice its cycles and some in one of five looks.

A disturbed look, by when others have had the core, shows nothing; the kernel's clock has confirmed its timings.
"""


class CandidateTimer:
    """Times candidates in one environment. These timings choose tunings and are never reported."""

    def __init__(self, environment: Environment, seed: int) -> None:
        self.environment, self.seed = environment, seed
        self.independent = IndependentBuilder(environment)
        self.cache = ChoiceCache(environment.cache.folder, environment.builder.cpu)

    def select(self, key: str, candidates: Sequence[Executable], budget: Budget) -> Selection:
        """Choose the fastest candidate of the primitive `key` by successive halving.

        What wins by timings that another look does not confirm is left out, with the same code by other compilers.
        """
        prior = self.cache.get(key, self._grids(key))
        unconfirmed: list[Failure] = []
        while candidates:
            selection = choose(candidates, self._time, self.seed, prior, budget)
            failure = self._unconfirmed(selection) if selection.winner else None
            if not failure:
                return self._kept(key, replace(selection, failures=[*unconfirmed, *selection.failures]))
            unconfirmed.append(failure)
            code = failure.subject.implementation
            candidates = [one for one in candidates if one.subject.implementation != code]
        return Selection(winner=None, trials=[], failures=unconfirmed, quiet={})

    def screen(self, key: str, candidates: Sequence[Executable], budget: Budget) -> Selection:
        """Time once each candidate of the primitive `key` that has no earlier timing; choose nothing."""
        prior = self.cache.get(key, self._grids(key))
        return self._kept(key, time_once(candidates, self._time, self.seed, prior, budget))

    def incumbent(self, key: str) -> Tuning | None:
        """Return the tuning that an earlier campaign chose for the primitive `key`."""
        return self.cache.get(key, self._grids(key)).chosen

    def learn_noise_floor(self, executables: Sequence[Executable]) -> None:
        """Run empty calls until the noise floor is known or half a second has passed."""
        end = time.monotonic() + NOISE_FLOOR_SECONDS
        for executable in itertools.cycle(executables):
            if self.environment.noise_floor.value or time.monotonic() >= end:
                return
            self._run(executable, ["empty"], 0)

    def _unconfirmed(self, selection: Selection) -> Failure | None:
        """Return why the timings of a winner are not to be believed; None if another look confirms them."""
        assert selection.winner
        confirm = Confirmer(self.environment.ticks, self.independent.partner)
        won = next((trial.cycles for trial in selection.trials if trial.chosen), None)
        again = 0.0
        for _ in range(LOOKS):
            result = self._run(selection.winner, self._grid(selection.winner.subject.key), self.seed, confirm)
            if isinstance(result, NotTimed):
                return replace(result.failure, stage="choose")
            cells = self._cells(*result).values()
            again = sum(cycles for cycles, _ in cells)
            if won is None or not all(quiet for _, quiet in cells) or again <= AGAIN_RATIO * won + AGAIN_CYCLES:
                return None
        return Failure(
            stage="choose",
            subject=selection.winner.subject,
            kind=FailureKind.TIME_NOT_CONFIRMED,
            reason=f"takes {again:.0f} cycles when it is timed once more, and {won:.0f} when it was chosen",
        )

    def _kept(self, key: str, selection: Selection) -> Selection:
        chosen = selection.winner.subject if selection.winner else None
        self.cache.put(key, self._grids(key), chosen, selection.quiet)
        return selection

    def _grid(self, key: str) -> Sequence[str]:
        return self.environment.catalogue.operations[key.partition("/")[0]].choose_grid

    def _quick_grid(self, key: str) -> list[str]:
        """Return the lines of the quick profile that settle near ties: those with a single key."""
        profiles = self.environment.catalogue.operations[key.partition("/")[0]].profiles
        return [line for line in profiles["quick"][1] if not has_keys([line])] if "quick" in profiles else []

    def _grids(self, key: str) -> list[str]:
        return [*self._grid(key), *self._quick_grid(key)]

    def _time(self, executable: Executable, seed: int, *, quick: bool) -> Timing | Failure:
        """Return the cycles of the choose grid and, if asked for, the cells of the rest of the quick grid."""
        key = executable.subject.key
        result = self._run(executable, self._grids(key) if quick else self._grid(key), seed)
        if isinstance(result, NotTimed):
            return replace(result.failure, stage="choose")
        cells = self._cells(*result)
        chosen = {point for line in self._grid(key) for point in points_of(line)}
        work = [cell for point, cell in cells.items() if point in chosen]
        others = {_name(point): cycles for point, (cycles, quiet) in cells.items() if quiet and point not in chosen}
        return Timing(
            cycles=sum(cycles for cycles, _ in work),
            quiet=all(quiet for _, quiet in work),
            cells=others if quick else None,
        )

    def _cells(self, table: Columns, chain_cycles: int) -> dict[Point, tuple[float, bool]]:
        floor, counter = self.environment.noise_floor.value, self.environment.counter
        return cycles_of_points(table, counter, chain_cycles, undisturbed(table, floor).tolist())

    def _run(
        self, executable: Executable, grid: Sequence[str], seed: int, confirm: Confirmer | None = None
    ) -> tuple[Columns, int] | NotTimed:
        return run_process(
            executable,
            grid,
            seed=seed,
            input_seed=self.seed if self.environment.catalogue.origin else 0,
            patience_ms=PATIENCE_MS,
            noise_floor=self.environment.noise_floor,
            core=self.environment.core,
            dither_cycles=self.environment.counter.dither_cycles,
            seconds=PROCESS_SECONDS,
            confirm=confirm,
        )


def _name(point: Point) -> str:
    return " ".join(map(str, point))
