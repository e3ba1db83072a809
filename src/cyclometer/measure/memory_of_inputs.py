# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds code that remembers what it made itself: a packet's plaintext, a signature that it need not verify.

In a measurement the same process seals packets and opens them. Here the executable opens packets that the same process
has sealed before, and others that another process of it has sealed, which it cannot remember; they must cost no more.
"""

from __future__ import annotations

import random
import time

from cyclometer.measure.own_clock import LIMIT, SLACK_COUNTS, typical, under_one_key
from cyclometer.measure.repeat import FRESH, FRESH_END, Repetition, Row, Ticks, request

CALLS, FEW_CALLS, FEWEST_CALLS = 9, 3, 2
LONG_SECONDS = 0.005  # of a call, of which fewer are made
SLOWLY_MADE, BARELY_COLD = 0.02, 0.001  # seconds: of making an input, and of a call that cold caches hardly lengthen
TOO_LONG_SECONDS = 0.3
ATTEMPTS, FEW_ATTEMPTS = 4, 2  # few where inputs are made slowly: another look follows


def remembers(own: Repetition, maker: Repetition, row: Row, ticks: Ticks, rng: random.Random) -> str:
    """Return how much longer inputs of another process take than the process's own; '' if they do not.

    Nothing is known if the two do not make the same input, because their key pairs differ.
    """
    row = under_one_key(row)  # of many, what seals a packet brings its own key into the caches
    seconds = typical(row) / ticks.per_second if ticks.per_second else 0.0
    if seconds > TOO_LONG_SECONDS:
        return ""
    line = request(row, FRESH, 1, "made", rng.randrange(FRESH, FRESH_END))
    begun = time.monotonic()
    made = own.made([line])
    slowly = time.monotonic() - begun > SLOWLY_MADE
    if made != maker.made([line]):
        return ""
    warm = not slowly or seconds <= BARELY_COLD
    count = FEWEST_CALLS if not warm else FEW_CALLS if slowly or seconds > LONG_SECONDS else CALLS
    ours = theirs = 0
    for _ in range(FEW_ATTEMPTS if slowly else ATTEMPTS):
        pairs = _pairs(own, maker, row, rng, count, warm=warm)
        ours, theirs = (sorted(counts)[1] for counts in zip(*pairs, strict=True))  # few are undisturbed
        if theirs <= LIMIT * ours + SLACK_COUNTS + 2 * ticks.step:
            return ""
    return f"remembers what it made: {ours} counts for inputs of its own, {theirs} for those of another process"


def _pairs(
    own: Repetition, maker: Repetition, row: Row, rng: random.Random, count: int, *, warm: bool
) -> list[tuple[int, int]]:
    """Return the counts of calls with inputs that the process has made a moment ago, and with those of the maker.

    If `warm`, both follow upon the making of others, which brings code and key into the caches.
    """

    def made(process: Repetition, count: int) -> list[tuple[int, str]]:
        numbers = [rng.randrange(FRESH, FRESH_END) for _ in range(count)]
        packets = process.made([request(row, FRESH, 1, "made", number) for number in numbers])
        return list(zip(numbers, packets, strict=True))

    def given(number: int, packet: str) -> int:
        return own.ask([f"{request(row, FRESH, 1, 'given', number)} {packet}"])[0].counts[0]

    pairs = []
    for other in made(maker, count):
        ours = given(*made(own, 2 if warm else 1)[-1])
        made(own, 2 if warm else 0)
        pairs.append((ours, given(*other)))
    return pairs
