# SPDX-License-Identifier: MIT OR Apache-2.0
"""When a number varies so much that another run may say something else: the rule that measuring and analysing share."""

from __future__ import annotations

from typing import Final, overload

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

FAR, NEAR = 0.03, 3.0
"""An interval that reaches farther from the number than this part of it is wide, but never below so many cycles."""

FEW = 3
"""Fewer rounds than this do not show how far another one may lie: a neighbour disturbs a process as a whole."""

BY_STUDENTS_T = (3, 4)
"""Numbers of rounds whose interval is Student's t; from five on, a bootstrap covers what it should.

The true median lies between the smallest and the largest of three rounds in 75 % of all cases, of four in 87 %. Two
rounds say too little for any interval, and theirs spans them.
"""

_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145)


def students_t(degrees: int) -> float:
    """Return Student's t of 95 %, two-sided; above 14 degrees of freedom that of 14."""
    return _STUDENT[min(degrees, len(_STUDENT)) - 1]


def students_reach(rounds: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return how far Student's t interval reaches from the middle of two rounds and more, along the last axis."""
    count = rounds.shape[-1]
    return np.asarray(students_t(count - 1) * np.std(rounds, axis=-1, ddof=1) / np.sqrt(count))


def by_students_t(*counts: int) -> bool:
    """Return whether one of two sides, or a number by itself, has so few rounds that its interval is Student's t."""
    return any(count in BY_STUDENTS_T for count in counts)


@overload
def is_wide(cycles: float, low: float, high: float) -> bool: ...
@overload
def is_wide(cycles: Floats, low: Floats, high: Floats) -> npt.NDArray[np.bool_]: ...
def is_wide(
    cycles: float | Floats, low: float | Floats, high: float | Floats
) -> bool | npt.NDArray[np.bool_] | np.bool_:
    """Return whether an interval of a number of cycles is wide; where there is none, its ends are NaN, it is not."""
    below, above, far = cycles - low, high - cycles, FAR * cycles
    return ((below > far) & (below > NEAR)) | ((above > far) & (above > NEAR))
