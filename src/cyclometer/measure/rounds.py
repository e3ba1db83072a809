# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order of measuring: every executable once a round, the order drawn anew for each round."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from cyclometer.measure.quiet import QuietLevel
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


def take(
    turn: Turn, plan: Plan, core: int | None, quiet: QuietLevel, without: Collection[str] = ()
) -> Batch | Failure:
    """Takes the samples of one turn, but for the measures named."""
    subject = turn.executable.subject
    result = timings(
        turn.executable,
        [line for line in plan.grids[subject.operation] if line.split()[0] not in without],
        seed=turn.seed,
        patience_ms=plan.patience_ms,
        quiet=quiet,
        core=core,
        seconds=plan.seconds,
    )
    if isinstance(result, Failure):
        return result
    table, chain_cycles = result
    return Batch(subject=subject, control=turn.control, round=turn.round, chain_cycles=chain_cycles, table=table)


def not_survived(failure: Failure, plan: Plan) -> set[str]:
    """The measure in which the executable failed; all of them where it does not say which."""
    measures = {line.split()[0] for line in plan.grids[failure.subject.operation]}
    return {name for name in measures if failure.reason.startswith(f"measure {name} ")} or measures
