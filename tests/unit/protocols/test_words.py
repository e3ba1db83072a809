# SPDX-License-Identifier: MIT OR Apache-2.0
"""The order in the call beside the isolated order."""

from __future__ import annotations

import math

from cyclometer.analyse import Cell, Spread
from cyclometer.protocols.words import kendall
from cyclometer.records.tuning import Tuning

SPREAD = Spread(quiet=0.01, every=0.01)


def cell(cycles: float) -> Cell:
    return Cell(
        machine="m",
        subject=Tuning(operation="protocol", primitive="p"),
        control=False,
        measure="call-queue",
        variables={},
        cycles=cycles,
        interval=None,
        quartiles=(cycles, cycles),
        rounds=5,
        samples=5,
        disturbed=False,
    )


def test_the_same_order_is_one_and_the_reverse_minus_one() -> None:
    assert kendall([(1, cell(100)), (2, cell(200)), (3, cell(300))], SPREAD) == (1.0, 0)
    assert kendall([(3, cell(100)), (2, cell(200)), (1, cell(300))], SPREAD) == (-1.0, 0)


def test_a_tie_in_the_call_neither_agrees_nor_differs() -> None:
    assert kendall([(1, cell(100)), (2, cell(100.5)), (3, cell(300))], SPREAD) == (1.0, 1)


def test_of_ties_alone_there_is_no_order() -> None:
    tau, ties = kendall([(1, cell(100)), (2, cell(100.5))], SPREAD)
    assert math.isnan(tau)
    assert ties == 1
