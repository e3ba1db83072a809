# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order of measuring: every executable once a round, the order drawn anew for each round."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cyclometer.records.executable import Executable

# Of a campaign over many systems, so that a slow one cannot eat it:
MAX_ROUNDS = 3
REDUCED_PATIENCE_MS = 20
BUDGET_SECONDS = 1.2  # seconds for each system
EXTRA_SHARE = 0.15


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run measures and how; a resumed run follows the same plan."""

    seed: int
    rounds: int
    grids: dict[str, tuple[str, ...]]  # operation -> grid lines
    patience_ms: int = 50  # how long a process may wait for quiet moments, in all
    seconds: float = 1800.0  # wall clock for one process
    share: float | None = None  # seconds of measuring after which an executable takes no further turn
    more: float = 0.4  # of the time that the planned rounds took may go into others, for what had no quiet moment

    def for_many(self) -> Plan:
        """The same for a campaign over many systems."""
        rounds = min(self.rounds, MAX_ROUNDS)
        return replace(self, rounds=rounds, patience_ms=REDUCED_PATIENCE_MS, share=BUDGET_SECONDS, more=EXTRA_SHARE)


@dataclass(frozen=True, kw_only=True)
class Job:
    """One process to come: which executable, in which round, as itself or as its A/A twin."""

    executable: Executable
    round: int
    control: bool
    seed: int

    @property
    def name(self) -> str:
        """Names the stored part: unique in a run, the same when it is resumed."""
        s = self.executable.subject
        twin = "@control" if self.control else ""
        name = f"{s.operation}@{s.primitive}@{s.implementation}@{s.compiler}@{self.round}{twin}"
        return re.sub(r"[^A-Za-z0-9_.+@,-]", lambda odd: f"={ord(odd[0]):x}=", name)  # a foreign tree's names


def plan_jobs(executables: Sequence[Executable], controls: Sequence[Executable], plan: Plan) -> list[Job]:
    """All turns in the order in which they are to be taken. `controls` are measured twice in every round,
    at two places of the order: the difference is what the machine and the layout do, not the code."""
    draw = random.Random(plan.seed)
    order = []
    for number in range(plan.rounds):
        pairs = [(executable, False) for executable in executables]
        pairs += [(control, True) for control in controls]
        draw.shuffle(pairs)
        order += [Job(executable=e, round=number, control=c, seed=draw.getrandbits(48)) for e, c in pairs]
    return order


def next_round(turn: Job) -> Job:
    """The same in a round beyond those planned, under a seed of its own."""
    return replace(turn, round=turn.round + 1, seed=random.Random(turn.seed).getrandbits(48))


def interleaved_jobs(pair: Sequence[Executable], plan: Plan) -> list[Job]:
    """Rounds of the first, the second and the first's A/A twin: A B A' and A' B A in turn.

    Over two rounds the pair runs A B B A and the twins A A' A' A, so that a
    drift that is steady over them meets both sides alike.
    """
    draw = random.Random(plan.seed)
    first, second = pair
    order = []
    for number in range(plan.rounds):
        turns = [(first, False), (second, False), (first, True)]
        for executable, control in turns if number % 2 == 0 else turns[::-1]:
            order.append(Job(executable=executable, round=number, control=control, seed=draw.getrandbits(48)))
    return order
