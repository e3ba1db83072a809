# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order of measuring two executables against each other."""

from __future__ import annotations

import random
from collections.abc import Sequence

from cyclometer.measure.schedule import Plan, Turn
from cyclometer.records.executable import Executable


def interleaved(pair: Sequence[Executable], plan: Plan) -> list[Turn]:
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
            order.append(Turn(executable=executable, round=number, control=control, seed=draw.getrandbits(48)))
    return order
