# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 4: the fastest tuning of each primitive on a small work load.

Successive halving: every candidate is timed a little, those still in the race
more. These timings choose and are never reported.
"""

from cyclometer.choose.candidates import HASTY, USUAL, Pace, Timed, Timer
from cyclometer.choose.halving import Race, choose, heat
from cyclometer.choose.screening import MANY_PAIRS, MAX_EXHAUSTIVE_SYSTEMS, ahead, first_heat, second_heat, uncompiled

__all__ = [
    "HASTY",
    "MANY_PAIRS",
    "MAX_EXHAUSTIVE_SYSTEMS",
    "USUAL",
    "Pace",
    "Race",
    "Timed",
    "Timer",
    "ahead",
    "choose",
    "first_heat",
    "heat",
    "second_heat",
    "uncompiled",
]
