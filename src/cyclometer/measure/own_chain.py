# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compares what a process says of the chain with what other processes and the machine say.

The chain converts ticks into core cycles, and its timings lie in memory of the process, too: code that doubles them
halves its cycles.
"""

from __future__ import annotations

import numpy as np

from cyclometer.measure.process import Measured
from cyclometer.measure.repeat import Ticks
from cyclometer.records.failure import FailureKind

MOST = 2.0  # times as long as in processes of trusted code: clocks of 2.5 GHz under load and 4.5 GHz without are usual


class ChainWatch:
    """Knows how long the chain takes in processes of our reference implementations and of libraries."""

    def __init__(self, ticks: Ticks) -> None:
        self.ticks = ticks
        self._longest = 0.0  # counter units

    def problem(self, measured: Measured) -> tuple[FailureKind, str] | None:
        """Return why the chain of a process is not believed, or None."""
        if measured.chain_cycles != self.ticks.chain_cycles:
            reason = f"says that the chain has {measured.chain_cycles} cycles; it has {self.ticks.chain_cycles}"
            return FailureKind.TIME_NOT_CONFIRMED, reason
        table = measured.samples
        chain = float(np.median(np.minimum(table["chain_before"], table["chain_after"])))
        implementation = measured.executable.implementation
        if not implementation.foreign and (implementation.is_reference or implementation.library):
            self._longest = max(self._longest, chain)
        elif self.ticks.steady and 0 < MOST * self._longest < chain:
            ratio = chain / self._longest
            reason = f"says that the chain beside its timings takes {ratio:.1f} times as long as beside those of others"
            return FailureKind.TIME_NOT_CONFIRMED, reason
        return None
