# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order of measuring: every executable once a round, the order drawn anew for each round."""

from __future__ import annotations

import random
import re
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cyclometer.measure.noise_floor import QuietLevel
from cyclometer.measure.process import Untimed, timings
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.run import Batch
from cyclometer.records.tuning import Subject

# Of a campaign over many systems, so that a slow one cannot eat it:
FEW_ROUNDS = 3
LITTLE_PATIENCE_MS = 20
SHARE = 1.2  # seconds for each system
MORE = 0.15


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
        rounds = min(self.rounds, FEW_ROUNDS)
        return replace(self, rounds=rounds, patience_ms=LITTLE_PATIENCE_MS, share=SHARE, more=MORE)


@dataclass(frozen=True, kw_only=True)
class Turn:
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


def turns(executables: Sequence[Executable], controls: Sequence[Executable], plan: Plan) -> list[Turn]:
    """All turns in the order in which they are to be taken. `controls` are measured twice in every round,
    at two places of the order: the difference is what the machine and the layout do, not the code."""
    draw = random.Random(plan.seed)
    order = []
    for number in range(plan.rounds):
        pairs = [(executable, False) for executable in executables]
        pairs += [(control, True) for control in controls]
        draw.shuffle(pairs)
        order += [Turn(executable=e, round=number, control=c, seed=draw.getrandbits(48)) for e, c in pairs]
    return order


def once_more(turn: Turn) -> Turn:
    """The same in a round beyond those planned, under a seed of its own."""
    return replace(turn, round=turn.round + 1, seed=random.Random(turn.seed).getrandbits(48))


class Survivors:
    """Takes turns. A measure that an executable does not survive is left out of its later ones; one that has had its
    share of the time takes no more of them."""

    def __init__(self, plan: Plan, core: int | None, quiet: QuietLevel) -> None:
        self.plan, self.core, self.quiet = plan, core, quiet
        self._lost: dict[Subject, set[str]] = defaultdict(set)  # measures
        self._spent: dict[tuple[Subject, bool], float] = defaultdict(float)  # seconds, of itself or its twin

    def has_its_share(self, turn: Turn) -> bool:
        """Whether others should have the time that this turn would take."""
        share = self.plan.share
        return share is not None and self._spent[turn.executable.subject, turn.control] >= share

    def take(self, turn: Turn) -> tuple[Batch | None, list[Failure]]:
        """The samples of the measures survived, if any, and how the others failed."""
        start = time.monotonic()
        taken = self._take(turn)
        self._spent[turn.executable.subject, turn.control] += time.monotonic() - start
        return taken

    def _take(self, turn: Turn) -> tuple[Batch | None, list[Failure]]:
        subject = turn.executable.subject
        failures: list[Failure] = []
        lost = self._lost[subject]
        while grid := [line for line in self.plan.grids[subject.operation] if _measure(line) not in lost]:
            result = timings(
                turn.executable,
                grid,
                seed=turn.seed,
                patience_ms=self.plan.patience_ms,
                quiet=self.quiet,
                core=self.core,
                seconds=self.plan.seconds,
            )
            if not isinstance(result, Untimed):
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
