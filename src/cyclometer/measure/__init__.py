# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 5: runs the timed executables, round by round in random order, and reads their samples."""

from cyclometer.measure.interleaved import interleaved
from cyclometer.measure.rounds import Plan, Turn, take, turns
from cyclometer.measure.samples import labelled, timings
from cyclometer.measure.sizes import sizes

__all__ = ["Plan", "Turn", "interleaved", "labelled", "sizes", "take", "timings", "turns"]
