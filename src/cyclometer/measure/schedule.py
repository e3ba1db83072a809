# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order of measuring: each executable once per round, in a new random order for each round."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cyclometer.records.executable import Executable
from cyclometer.records.tuning import Tuning

LAYOUTS = 3
"""Ways to link each executable: an odd number, so that a median over layouts is that of one of them.

There are as many as rounds in a campaign over many systems.
"""

MOST_ROUNDS = 6
"""Rounds up to which what varies has more than planned, if there is time; what still varies then does so by itself."""

# Limits of a campaign over many systems, so that a slow one cannot use up its time:
MAX_ROUNDS = 3
REDUCED_PATIENCE_MS, REDUCED_VARYING_MS = 20, 5
BUDGET_SECONDS = 1.2  # seconds for each system, in MAX_ROUNDS processes
MOST_SECONDS = 3 * BUDGET_SECONDS  # after which a system has no further process even if it had fewer
EXTRA_SHARE = 0.1

CONFIRM_SECONDS = 4.0  # of CPU time, after which no further samples of a process are repeated to confirm them
REDUCED_CONFIRM_SECONDS = 1.0  # the same in a campaign over many systems, which would wait for the slow ones

LONGEST_NAME = 160  # characters of a stored part's name, before its digest


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run measures, and how. A resumed run follows the same plan."""

    seed: int  # of the order
    rounds: int
    grids: dict[str, tuple[str, ...]]  # operation, or operation/primitive if it differs -> grid lines
    input_seed: int = 0  # of the inputs, plus the number of the round: the same data for all systems and runs
    patience_ms: int = 50  # how long a process may wait for quiet moments, in all
    varying_ms: int = 6  # how long a process may take more samples of what varies
    layouts: int = LAYOUTS  # of each executable; the rounds take turns with them
    seconds: float = 60.0  # wall clock for one job; if a measure uses them up, the others have a quarter more
    share: float | None = None  # seconds of measuring that an executable should take, and
    most: float = 0.0  # after which it gets no further job even if it had fewer than MAX_ROUNDS
    most_rounds: int = 0  # up to which what varies has extra rounds; 0: it has none
    more: float = 0.4  # time for extra rounds, as a share of the time that the planned rounds took
    confirm_seconds: float = CONFIRM_SECONDS
    sessions: tuple[str, ...] = ()  # operations whose calls depend on those before: no other process can repeat one

    def grid_of(self, subject: Tuning) -> tuple[str, ...]:
        """Return the grid lines of an executable."""
        return self.grids.get(subject.key) or self.grids[subject.operation]

    def for_many_systems(self) -> Plan:
        """Return the plan within the limits of a campaign over many systems."""
        rounds = min(self.rounds, MAX_ROUNDS)
        return replace(
            self,
            rounds=rounds,
            patience_ms=REDUCED_PATIENCE_MS,
            varying_ms=REDUCED_VARYING_MS,
            share=BUDGET_SECONDS,
            most=MOST_SECONDS,
            more=EXTRA_SHARE,
            confirm_seconds=REDUCED_CONFIRM_SECONDS,
        )


@dataclass(frozen=True, kw_only=True)
class Job:
    """One process to run: an executable, as itself or as its A/A twin, in one round."""

    executable: Executable
    round: int
    control: bool
    seed: int

    @property
    def layout(self) -> int:
        """The layout of the executable that the process has: the rounds take turns with them."""
        return self.round % (1 + len(self.executable.layouts))

    @property
    def name(self) -> str:
        """The name of the stored part: unique in a run, the same when it is resumed."""
        s = self.executable.subject
        twin = "@control" if self.control else ""
        name = f"{s.operation}@{s.primitive}@{s.implementation}@{s.compiler}@{self.round}{twin}"
        # Names of foreign trees may hold any character, and be of any length.
        plain = re.sub(r"[^A-Za-z0-9_.+@,-]", lambda match: f"={ord(match[0]):x}=", name)
        if len(plain) <= LONGEST_NAME:
            return plain
        return f"{plain[:LONGEST_NAME]}@{hashlib.sha256(name.encode(errors='replace')).hexdigest()[:16]}"


def plan_jobs(executables: Sequence[Executable], controls: Sequence[Executable], plan: Plan) -> list[Job]:
    """Return the jobs of all rounds in the order to run them.

    `controls` run twice in each round, independently: what differs between the two is not the code's doing.
    """
    rng = random.Random(plan.seed)
    order = []
    for number in range(plan.rounds):
        pairs = [(executable, False) for executable in executables]
        pairs += [(control, True) for control in controls]
        rng.shuffle(pairs)
        order += [Job(executable=e, round=number, control=c, seed=rng.getrandbits(48)) for e, c in pairs]
    return order


def next_round(job: Job) -> Job:
    """Return the same job for the next round, with another seed."""
    return replace(job, round=job.round + 1, seed=random.Random(job.seed).getrandbits(48))


def interleaved_jobs(pair: Sequence[Executable], plan: Plan, calibration: Sequence[Executable] = ()) -> list[Job]:
    """Return jobs that alternate two executables A and B, and A's twin A': A B A' in even rounds, A' B A in odd ones.

    Two rounds together run the pair as A B B A and the twins as A A' A' A, so that a steady drift affects both
    sides alike. The calibration runs beside them.
    """
    rng = random.Random(plan.seed)
    first, second = pair
    jobs = []
    for number in range(plan.rounds):
        order = [(first, False), (second, False), (first, True), *((each, True) for each in calibration)]
        for executable, control in order if number % 2 == 0 else order[::-1]:
            jobs.append(Job(executable=executable, round=number, control=control, seed=rng.getrandbits(48)))
    return jobs
