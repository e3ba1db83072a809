# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order of measuring: every executable once a round, the order drawn anew for each round."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from cyclometer.measure.samples import timings
from cyclometer.model import Batch, Executable, Failure


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run measures and how; a resumed run follows the same plan."""

    seed: int
    rounds: int
    patience_ms: int  # how long a process may wait for quiet moments, in all
    grids: dict[str, tuple[str, ...]]  # operation -> grid lines
    seconds: float = 1800.0  # wall clock for one process


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
        return f"{s.operation}@{s.primitive}@{s.implementation}@{s.compiler}@{self.round}{twin}"


def turns(executables: Sequence[Executable], control: Executable | None, plan: Plan) -> list[Turn]:
    """All turns in the order in which they are to be taken. `control` is measured twice in every round,
    at two places of the order: the difference is what the machine and the layout do, not the code."""
    draw = random.Random(plan.seed)
    order = []
    for number in range(plan.rounds):
        pairs = [(executable, False) for executable in executables]
        pairs += [(control, True)] if control else []
        draw.shuffle(pairs)
        order += [Turn(executable=e, round=number, control=c, seed=draw.getrandbits(48)) for e, c in pairs]
    return order


def take(turn: Turn, plan: Plan, core: int | None) -> Batch | Failure:
    """Takes the samples of one turn."""
    subject = turn.executable.subject
    result = timings(
        turn.executable,
        plan.grids[subject.operation],
        seed=turn.seed,
        patience_ms=plan.patience_ms,
        core=core,
        seconds=plan.seconds,
    )
    if isinstance(result, Failure):
        return result
    table, chain_cycles = result
    return Batch(subject=subject, control=turn.control, round=turn.round, chain_cycles=chain_cycles, table=table)
