# SPDX-License-Identifier: MIT OR Apache-2.0
"""Times candidates on their operation's choose grid, and keeps the timings for later campaigns."""

from __future__ import annotations

import itertools
import math
import time
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from cyclometer.campaign.candidate_cycles import Cost, cycles_of_points
from cyclometer.campaign.environment import Environment
from cyclometer.campaign.independent import IndependentBuilder
from cyclometer.choose import REDUCED, Budget, Selection, WantedTiming, choose, choose_again, time_once
from cyclometer.choose.cache import ChoiceCache, PriorTimings
from cyclometer.execute.beside import Beside
from cyclometer.measure import (
    CONFIRM_SECONDS,
    REDUCED_CONFIRM_SECONDS,
    Confirmer,
    Doubt,
    Measured,
    NotTimed,
    Request,
    undisturbed,
)
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.grid import Point, has_keys, points_of
from cyclometer.records.run import EMPTY
from cyclometer.records.tuning import Timing, Tuning

PATIENCE_MS, QUICK_PATIENCE_MS = 10, 30  # the quick grid has five times as many cells, of which each may be disturbed
PROCESS_SECONDS = 60
NOISE_FLOOR_SECONDS = 0.5
WAITING = 30.0  # seconds that a winner may wait to be confirmed before the next one is chosen
LOOKS, AGAIN_RATIO, AGAIN_CYCLES = 5, 2.0, 500
"""A winner whose fastest timing shows more than twice the cycles with which it won, and some, is timed once more, and
must not in one of five looks.

A disturbed look, by when others have had the core, shows nothing; the kernel's clock has confirmed its timings.
"""


FastestOf = dict[Path, tuple[float, Measured]]
"""The cycles of the fastest timing of each program in one selection, and that timing."""


@dataclass(kw_only=True)
class _Choice:
    """The selection for a primitive, and what is found about its winner."""

    key: str
    candidates: Sequence[Executable]
    prior: PriorTimings
    budget: Budget
    selection: Selection
    confirmer: Confirmer
    fastest_of: FastestOf
    is_known: bool = False  # an earlier campaign chose this winner and confirmed its timings, and none are new
    fastest: Measured | None = None  # the winner's fastest timing of this campaign
    verdict: Failure | Doubt | None = None
    has_verdict: bool = False


class CandidateTimer:
    """Times candidates in one environment. These timings choose tunings and are never reported."""

    def __init__(
        self,
        environment: Environment,
        seed: int,
        time_limit: float = PROCESS_SECONDS,
        work_loads: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """`time_limit` is that of one process, in seconds; it has no more than PROCESS_SECONDS.

        `work_loads` has the grid lines that choose in an operation, instead of its own; such choices are kept apart.
        """
        self.environment, self.seed, self.seconds = environment, seed, min(PROCESS_SECONDS, time_limit)
        self.independent = IndependentBuilder(environment)
        self.work_loads = work_loads

    def select(
        self,
        groups: Mapping[str, Sequence[Executable]],
        budget: Budget,
        selected: Callable[[str, Selection], None],
    ) -> None:
        """Choose the fastest candidate of each primitive by successive halving, and call `selected` with its selection.

        A winner is confirmed while the next one is chosen, on a core that does not disturb that; slow ones come first,
        because they take longest. What wins by timings that another look does not confirm is left out, with the same
        code by other compilers.
        """
        choices: deque[_Choice] = deque()
        with Beside(self.environment.beside, WAITING) as beside:
            for one in self._choices(groups, budget):
                choices.append(one)
                beside.begin(lambda one=one: self._look(one, alone=not beside.is_apart))  # type: ignore[misc]
                while choices and choices[0].has_verdict:
                    selected(choices[0].key, self._settled(choices.popleft(), beside))
            beside.wait()
            for one in choices:
                selected(one.key, self._settled(one, beside))

    def _choices(self, groups: Mapping[str, Sequence[Executable]], budget: Budget) -> Iterator[_Choice]:
        """Yield the selections; at the end those that disturbances left open, as a neighbour may have gone since."""
        priors, unclear = {key: self._prior(key) for key in groups}, list[_Choice]()
        for key in sorted(groups, key=lambda key: _fewest_cycles(priors[key]), reverse=True):
            one = self._choice(key, groups[key], priors[key], budget)
            if one.selection.is_settled:
                yield self._with_timing(one)
            else:
                unclear.append(one)
        end = time.monotonic() + budget.again_seconds
        for one in unclear:
            if time.monotonic() < end:
                one.selection = choose_again(one.selection, budget)
            yield self._with_timing(one)

    def _choice(self, key: str, candidates: Sequence[Executable], prior: PriorTimings, budget: Budget) -> _Choice:
        fastest_of: FastestOf = {}
        return _Choice(
            key=key,
            candidates=candidates,
            prior=prior,
            budget=budget,
            selection=choose(candidates, partial(self._time, fastest_of), self.seed, prior, budget),
            confirmer=self._confirmer(budget),
            fastest_of=fastest_of,
        )

    def _with_timing(self, one: _Choice) -> _Choice:
        """Return the choice with the winner's fastest timing, if that is to be confirmed."""
        winner = one.selection.winner
        if winner and winner.path in one.fastest_of:
            _, one.fastest = one.fastest_of[winner.path]
        elif winner and one.prior.has_confirmed(winner):
            one.is_known = True
        elif winner:  # by the timings of earlier campaigns alone
            result = self._run(winner, self._grid(one.key), self.seed)
            if isinstance(result, NotTimed):
                one.verdict = result.failure
            else:
                one.fastest = result
        return one

    def _look(self, one: _Choice, *, alone: bool) -> None:
        """Try to confirm the winner's fastest timing."""
        if one.fastest:
            one.verdict = one.confirmer(one.fastest, alone=alone)
        one.has_verdict = True

    def _settled(self, one: _Choice, beside: Beside) -> Selection:
        """Return the selection with the fastest candidate whose timings are confirmed, and the failures of others."""
        failures: list[Failure] = []
        while one.selection.winner:
            failure = self._failure(one, beside)
            if not failure:
                break
            failures.append(failure)
            code = failure.subject.implementation
            candidates = [each for each in one.candidates if each.subject.implementation != code]
            if not candidates:
                return Selection(winner=None, trials=[], failures=failures, quiet={})
            one = self._with_timing(self._choice(one.key, candidates, one.prior, one.budget))
            self._look(one, alone=True)
        return self._kept(one.key, replace(one.selection, failures=[*failures, *one.selection.failures]))

    def _failure(self, one: _Choice, beside: Beside) -> Failure | None:
        """Return why the timings of a winner are not to be believed; None if they are confirmed."""
        failure = one.verdict
        if isinstance(failure, Doubt):
            with beside.paused():
                failure = one.confirmer.settle(failure)
        if failure:
            return replace(failure, stage="choose")
        if one.is_known or (one.fastest and self._is_as_fast(one.selection, one.fastest)):
            return None
        return self._unconfirmed(one.selection, one.budget)

    def _confirmer(self, budget: Budget) -> Confirmer:
        enough = REDUCED_CONFIRM_SECONDS if budget == REDUCED else CONFIRM_SECONDS
        return Confirmer(self.environment.ticks, self.independent.partner, enough_seconds=enough)

    def screen(self, key: str, candidates: Sequence[Executable], budget: Budget, *, again: bool) -> Selection:
        """Time once each candidate of the primitive `key` without a quiet timing, and `again` those that may lead."""
        selection = time_once(candidates, partial(self._time, {}), self.seed, self._prior(key), budget, again=again)
        return self._kept(key, selection)

    def incumbent(self, key: str) -> Tuning | None:
        """Return the tuning that an earlier campaign chose for the primitive `key`."""
        return self._prior(key).chosen

    def learn_noise_floor(self, executables: Sequence[Executable]) -> None:
        """Run empty calls until the noise floor is known or half a second has passed."""
        end = time.monotonic() + NOISE_FLOOR_SECONDS
        for executable in itertools.cycle(executables):
            if self.environment.noise_floor.value or time.monotonic() >= end:
                return
            self._run(executable, [EMPTY], 0)

    def _unconfirmed(self, selection: Selection, budget: Budget) -> Failure | None:
        """Time a winner once more; return why its timings are not to be believed, None if these confirm them."""
        assert selection.winner
        confirm, again = self._confirmer(budget), 0.0
        for _ in range(LOOKS):
            result = self._run(selection.winner, self._grid(selection.winner.subject.key), self.seed)
            if isinstance(result, NotTimed):
                return replace(result.failure, stage="choose")
            if failure := confirm.alone(result):
                return replace(failure, stage="choose")
            if self._is_as_fast(selection, result):
                return None
            again = self._cost(result).cycles
        return Failure(
            stage="choose",
            subject=selection.winner.subject,
            kind=FailureKind.TIME_NOT_CONFIRMED,
            reason=f"takes {again:.0f} cycles when it is timed once more, and {_won(selection):.0f} when it was chosen",
        )

    def _is_as_fast(self, selection: Selection, measured: Measured) -> bool:
        """Return whether confirmed timings are those with which a winner was chosen, as far as they can tell."""
        cost, won = self._cost(measured), _won(selection)
        return won is None or not cost.quiet or cost.cycles <= AGAIN_RATIO * won + AGAIN_CYCLES

    def _kept(self, key: str, selection: Selection) -> Selection:
        winner = selection.winner
        chosen, program = (winner.subject, winner.path.stem) if winner else (None, "")
        settled = selection.is_settled
        self._cache(key).put(key, self._grids(key), chosen, selection.quiet, program, is_settled=settled)
        return selection

    def _prior(self, key: str) -> PriorTimings:
        return self._cache(key).get(key, self._grids(key))

    def _cache(self, key: str) -> ChoiceCache:
        own = self.work_loads.get(key.partition("/")[0], ())
        return ChoiceCache(self.environment.cache.folder, " ".join([self.environment.builder.cpu, *own]))

    def _grid(self, key: str) -> Sequence[str]:
        operation = key.partition("/")[0]
        return self.work_loads.get(operation) or self.environment.catalogue.operations[operation].choose_grid

    def _quick_grid(self, key: str) -> list[str]:
        """Return the lines of the quick profile that settle near ties: those with a single key."""
        profiles = self.environment.catalogue.operations[key.partition("/")[0]].profiles
        return [line for line in profiles["quick"][1] if not has_keys([line])] if "quick" in profiles else []

    def _grids(self, key: str) -> list[str]:
        return [*self._grid(key), *self._quick_grid(key)]

    def _time(self, fastest_of: FastestOf, wanted: Iterable[WantedTiming]) -> Iterator[Timing | Failure]:
        """Yield the cycles of the choose grid of each, with the cells of the rest of the quick grid if asked for.

        The fastest timing of each program goes into `fastest_of`.
        """
        waiting = iter(wanted)
        one = next(waiting, None)
        try:
            while one:
                following = next(waiting, None)
                then = self._wanted(following) if following else None
                yield self._timing(fastest_of, one, self.environment.pipeline.run(self._wanted(one), then))
                one = following
        finally:
            self.environment.pipeline.drop()

    def _timing(self, fastest_of: FastestOf, wanted: WantedTiming, result: Measured | NotTimed) -> Timing | Failure:
        if isinstance(result, NotTimed):
            return replace(result.failure, stage="choose")
        cells, chosen = self._cells(result), self._work(wanted.executable.subject.key)
        others = {_name(point): cost for point, cost in cells.items() if point not in chosen}
        work = _together(cells, chosen)
        if work.cycles < fastest_of.get(wanted.executable.path, (math.inf, result))[0]:
            fastest_of[wanted.executable.path] = work.cycles, result
        quiet = {name: cost.cycles for name, cost in others.items() if cost.quiet}
        return Timing(
            cycles=work.cycles,
            quiet=work.quiet,
            least=work.least,
            cells=quiet if wanted.quick and (quiet or not others) else None,
            disturbed_cells=len(others) - len(quiet),
        )

    def _work(self, key: str) -> set[Point]:
        return {point for line in self._grid(key) for point in points_of(line)}

    def _cost(self, measured: Measured) -> Cost:
        """Return the cost of the work load that chooses."""
        return _together(self._cells(measured), self._work(measured.executable.subject.key))

    def _cells(self, measured: Measured) -> dict[Point, Cost]:
        floor, counter = self.environment.noise_floor.value, self.environment.counter
        quiet = undisturbed(measured.samples, floor).tolist()
        return cycles_of_points(measured.samples, counter, measured.chain_cycles, quiet)

    def _run(self, executable: Executable, grid: Sequence[str], seed: int) -> Measured | NotTimed:
        return self.environment.pipeline.run(self._request(executable, grid, seed))

    def _wanted(self, wanted: WantedTiming) -> Request:
        key = wanted.executable.subject.key
        if wanted.quick:
            return self._request(wanted.executable, self._grids(key), wanted.seed, QUICK_PATIENCE_MS)
        return self._request(wanted.executable, self._grid(key), wanted.seed)

    def _request(
        self, executable: Executable, grid: Sequence[str], seed: int, patience_ms: int = PATIENCE_MS
    ) -> Request:
        return Request(
            executable=executable,
            grid=tuple(grid),
            seed=seed,
            input_seed=self.seed if self.environment.catalogue.origin else 0,
            patience_ms=patience_ms,
            seconds=self.seconds,
        )


def _together(cells: Mapping[Point, Cost], points: Container[Point]) -> Cost:
    """Return the cost of these points together."""
    work = [cost for point, cost in cells.items() if point in points]
    return Cost(
        cycles=sum(cost.cycles for cost in work),
        quiet=all(cost.quiet for cost in work),
        least=sum(cost.least for cost in work),
    )


def _name(point: Point) -> str:
    return " ".join(map(str, point))


def _fewest_cycles(prior: PriorTimings) -> float:
    """Return the smallest cycles that are known of a primitive; 0 if none are."""
    return min((timing.cycles for timings in prior.timings.values() for timing in timings), default=0.0)


def _won(selection: Selection) -> float | None:
    """Return the cycles with which the winner was chosen."""
    return next((trial.cycles for trial in selection.trials if trial.chosen), None)
