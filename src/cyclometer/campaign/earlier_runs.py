# SPDX-License-Identifier: MIT OR Apache-2.0
"""What earlier runs on this machine measured of the same programs: it shows how far runs lie apart.

The rounds of one run do not: a processor may take one of several times for seconds, and a run then sees one of them.
"""

from __future__ import annotations

import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from cyclometer.campaign.candidate_cycles import Cost, cycles_of_points
from cyclometer.campaign.environment import Environment
from cyclometer.host.counters import CounterScore
from cyclometer.kept import keep, kept, kept_file, kept_folder
from cyclometer.measure import Measured, undisturbed
from cyclometer.records.columns import count_of
from cyclometer.records.executable import Executable
from cyclometer.records.grid import POINT, Point
from cyclometer.records.run import EarlierCost
from cyclometer.records.tuning import Tuning
from cyclometer.records.varying import FEW, is_wide, students_reach

MAX_RUNS = 15
"""Runs of a program that are kept; the latest are."""

MAX_PROGRAMS = 20
"""Programs of a primitive that are kept; the latest are."""

MAX_SAMPLES = 5000
"""A process that takes more, for a curve of all lengths, is not kept: nobody looks at single points of it."""

Costs = Mapping[Point, float]


class EarlierRuns:
    """One small file per primitive below `folder`; `identity` names the CPU and the counter."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder = kept_folder(folder, "earlier", identity)

    def costs(self, executable: Executable) -> list[EarlierCost]:
        """Return what earlier runs measured of the executable's program."""
        runs = self._read(executable.subject.key).get(executable.path.stem, [])
        return [
            EarlierCost(subject=executable.subject, runs_ago=len(runs) - number, cycles=cycles, **_named(point))
            for number, run in enumerate(runs)
            for point, cycles in run.items()
        ]

    def fastest(self, executable: Executable) -> Costs:
        """Return the least that each point took in an earlier run."""
        fastest: dict[Point, float] = {}
        for run in self._read(executable.subject.key).get(executable.path.stem, []):
            fastest |= {point: min(cycles, fastest.get(point, cycles)) for point, cycles in run.items()}
        return fastest

    def add(self, executable: Executable, costs: Costs) -> None:
        """Keep what a run has measured of the executable's program."""
        if not costs:
            return
        key, program = executable.subject.key, executable.path.stem
        programs = self._read(key)
        programs[program] = [*programs.pop(program, []), costs][-MAX_RUNS:]  # the latest program comes last
        latest = {
            name: [[[*point, cycles] for point, cycles in run.items()] for run in runs]
            for name, runs in list(programs.items())[-MAX_PROGRAMS:]
        }
        with suppress(OSError):  # without it, intervals know less
            keep(kept_file(self.folder, key), json.dumps(latest))

    def _read(self, key: str) -> dict[str, list[Costs]]:
        try:
            programs = json.loads(kept(kept_file(self.folder, key)))
            return {name: [_costs(run) for run in runs] for name, runs in programs.items()}
        except (ValueError, TypeError, AttributeError):  # there is none, or one of another version
            return {}


def earlier_runs(environment: Environment) -> EarlierRuns:
    """Return what is kept of earlier runs in this environment."""
    identity = f"{environment.builder.cpu} {environment.counter.name}"
    return EarlierRuns(environment.cache.folder, identity)


class RunCosts:
    """What a run measures, process by process."""

    def __init__(self, counter: CounterScore) -> None:
        self._counter = counter
        self._rounds: dict[Tuning, dict[Point, list[Cost]]] = {}

    def add(self, measured: Measured, noise_floor: float) -> None:
        """Add a process."""
        samples = measured.samples
        if count_of(samples) > MAX_SAMPLES:
            return
        quiet = undisturbed(samples, noise_floor).tolist()
        cells = cycles_of_points(samples, self._counter, measured.chain_cycles, quiet)
        rounds = self._rounds.setdefault(measured.executable.subject, defaultdict(list))
        for point, cell in cells.items():
            rounds[point].append(cell)

    def forget(self, subject: Tuning) -> None:
        """Forget a tuning whose timings are not true."""
        self._rounds.pop(subject, None)

    def varying(self, subject: Tuning, most_rounds: int) -> int:
        """Count the points whose interval is wide, or that have too few undisturbed rounds to know.

        None does if they had `most_rounds`: what still varies then does so by itself.
        """
        return sum(
            len(rounds) < most_rounds and _varies([cost.cycles for cost in rounds if cost.quiet])
            for rounds in self._rounds.get(subject, {}).values()
        )

    def of(self, subject: Tuning) -> Costs:
        """Return the median of the undisturbed rounds of each point that has enough of them."""
        cells = {point: _median_if_quiet(rounds) for point, rounds in self._rounds.get(subject, {}).items()}
        return {point: cycles for point, cycles in cells.items() if cycles}


def _median_if_quiet(rounds: Sequence[Cost]) -> float:
    """Return the median of the quiet rounds; 0 if there are too few."""
    quiet = [cost.cycles for cost in rounds if cost.quiet]
    return statistics.median(quiet) if len(quiet) >= max(FEW, len(rounds) / 2) else 0.0


def _varies(rounds: Sequence[float]) -> bool:
    """Return whether another run may well measure something else."""
    if len(rounds) < FEW:
        return True
    middle, reach = statistics.median(rounds), float(students_reach(np.array(rounds)))
    return is_wide(middle, middle - reach, middle + reach)


def _costs(run: Iterable[Sequence[object]]) -> Costs:
    """Return the costs of a run as they were stored: the values of POINT and the cycles."""
    costs: dict[Point, float] = {}
    for measure, *values, cycles in run:
        numbers = [value for value in values if isinstance(value, int)]
        if not isinstance(measure, str) or not isinstance(cycles, int | float) or len(numbers) != len(POINT) - 1:
            raise ValueError(run)
        costs[measure, *numbers] = float(cycles)
    return costs


def _named(point: Point) -> dict[str, Any]:
    return dict(zip(POINT, point, strict=True))
