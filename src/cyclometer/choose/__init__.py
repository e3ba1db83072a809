# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 4: the fastest tuning of each primitive on a small work load.

Successive halving: every candidate is timed a little, those still in the race
more. These timings choose and are never reported.
"""

from cyclometer.choose.candidates import HASTY, USUAL, Timed, Timer
from cyclometer.choose.halving import Race, choose, heat

__all__ = ["HASTY", "USUAL", "Race", "Timed", "Timer", "choose", "heat"]
