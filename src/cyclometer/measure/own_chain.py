# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares what a process says of the chain with what a program of ours sees on the same core.

The chain converts ticks into core cycles, and its timings lie in memory of the process, too: code that doubles them
halves its cycles.
"""

from __future__ import annotations

import numpy as np

from cyclometer.measure.process import Measured
from cyclometer.measure.repeat import Ticks
from cyclometer.records.failure import FailureKind

MOST = 1.9  # times as long as for our program: 512-bit vector units slow some clocks by a third, heat by as much


def chain_problem(measured: Measured, ticks: Ticks) -> tuple[FailureKind, str] | None:
    """Return why the chain of a process is not believed, or None. What seems slow is looked at again: clocks change."""
    if measured.chain_cycles != ticks.chain_cycles:
        reason = f"says that the chain has {measured.chain_cycles} cycles; it has {ticks.chain_cycles}"
        return FailureKind.TIME_NOT_CONFIRMED, reason
    implementation = measured.executable.implementation
    is_ours = not implementation.foreign and (implementation.is_reference or implementation.library)
    if is_ours or not ticks.steady or not ticks.chain:
        return None
    table = measured.samples
    chain = float(np.median(np.minimum(table["chain_before"], table["chain_after"])))
    if chain <= MOST * ticks.chain:
        return None
    now = max(ticks.chain, ticks.chain_now())
    if chain <= MOST * now:
        return None
    reason = f"says that the chain takes {chain / now:.1f} times as long beside its timings as it does"
    return FailureKind.TIME_NOT_CONFIRMED, reason
