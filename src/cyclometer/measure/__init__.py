# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 5: runs the timed executables, round by round in random order, and reads their samples."""

from cyclometer.measure.extra import Quietness
from cyclometer.measure.interleaved import interleaved
from cyclometer.measure.quiet import QuietLevel, calm
from cyclometer.measure.rounds import Plan, Survivors, Turn, once_more, turns
from cyclometer.measure.samples import Untimed, labelled, timings
from cyclometer.measure.sizes import all_sizes

__all__ = [
    "Plan",
    "QuietLevel",
    "Quietness",
    "Survivors",
    "Turn",
    "Untimed",
    "all_sizes",
    "calm",
    "interleaved",
    "labelled",
    "once_more",
    "timings",
    "turns",
]
