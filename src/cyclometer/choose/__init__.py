# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 4: the fastest tuning of each primitive on a small work load.

Successive halving: a few timings for every candidate, then more for the
leaders; near ties are settled by the quick grid and a fixed order. These
timings choose and are never reported.
"""

from cyclometer.choose.candidates import DEFAULT, REDUCED, Budget, Timer, WantedTiming
from cyclometer.choose.halving import Selection, choose, choose_again, time_once, with_another_look
from cyclometer.choose.screening import (
    MAX_EXHAUSTIVE_BUILDS,
    MAX_EXHAUSTIVE_SYSTEMS,
    full_pass,
    leaders,
    screening_compiler,
    screening_pass,
    without_compiler,
    worth_composing,
)

__all__ = [
    "DEFAULT",
    "MAX_EXHAUSTIVE_BUILDS",
    "MAX_EXHAUSTIVE_SYSTEMS",
    "REDUCED",
    "Budget",
    "Selection",
    "Timer",
    "WantedTiming",
    "choose",
    "choose_again",
    "full_pass",
    "leaders",
    "screening_compiler",
    "screening_pass",
    "time_once",
    "with_another_look",
    "without_compiler",
    "worth_composing",
]
