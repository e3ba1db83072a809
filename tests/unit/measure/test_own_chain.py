# SPDX-License-Identifier: MIT OR Apache-2.0
"""A process cannot halve its cycles by doubling the timings of the chain that converts ticks into core cycles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cyclometer.measure.own_chain import chain_problem
from cyclometer.measure.process import Measured
from cyclometer.measure.repeat import Repeater, Ticks
from support.fakes import executable

CYCLES, CHAIN = 8192, 5000.0  # of the chain, and its ticks while the machine is at full speed


def problem(chain: float, *, cycles: int = CYCLES, now: float = CHAIN, name: str = "mine", steady: bool = True) -> str:
    table = {column: np.array([chain, 9 * chain, chain]) for column in ("chain_before", "chain_after")}
    repeater = Repeater(arguments=(), core=None, seconds=1.0)
    measured = Measured(executable=executable(name), samples=table, chain_cycles=cycles, repeater=repeater)
    ticks = Ticks(per_second=1e9, chain_cycles=CYCLES, chain=CHAIN, chain_now=lambda: now)
    found = chain_problem(measured, replace(ticks, steady=steady))
    return found[1] if found else ""


def test_the_chain_has_as_many_cycles_as_ours() -> None:
    assert problem(CHAIN, cycles=CYCLES // 2) == "says that the chain has 4096 cycles; it has 8192"


def test_a_chain_that_takes_twice_as_long_is_not_believed() -> None:
    assert problem(2 * CHAIN) == "says that the chain takes 2.0 times as long beside its timings as it does"


@pytest.mark.parametrize("chain", [CHAIN / 2, CHAIN, 1.4 * CHAIN])
def test_clocks_differ(chain: float) -> None:
    assert problem(chain) == ""


def test_the_clock_may_have_become_slower_since_the_counter_was_tried() -> None:
    assert problem(2 * CHAIN, now=1.8 * CHAIN) == ""


def test_a_counter_of_core_cycles_needs_no_chain() -> None:
    assert problem(2 * CHAIN, steady=False) == ""


def test_our_own_code_tells_the_truth() -> None:
    assert problem(2 * CHAIN, name="ref") == ""
