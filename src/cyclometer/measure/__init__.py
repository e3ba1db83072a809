# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 5: runs the timed executables, round by round in random order, and reads their samples."""

from cyclometer.measure.rounds import Plan, Turn, take, turns
from cyclometer.measure.samples import timings

__all__ = ["Plan", "Turn", "take", "timings", "turns"]
