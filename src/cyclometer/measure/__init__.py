# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 5: runs the timed executables, round by round in random order, and reads their samples."""

from cyclometer.measure.extra_rounds import Quietness
from cyclometer.measure.interleaved import interleaved
from cyclometer.measure.noise_floor import QuietLevel, calm
from cyclometer.measure.process import Untimed, labelled, timings
from cyclometer.measure.schedule import Plan, Survivors, Turn, once_more, turns
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
