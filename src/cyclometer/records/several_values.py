# SPDX-License-Identifier: MIT OR Apache-2.0
"""When timings have several values rather than one with noise: the rule that choosing and analysing share.

A forgery is noticed at once or at the end; RSA draws primes until one fits. The median of such timings is one value or
another by chance; their mean is what many calls cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

SEVERAL_VALUES, SEVERAL_STEPS = 1.5, 3
"""Timings have several values if the largest of them, without a tenth and at least one at each end, is more than so
many times the smallest, and more than so many steps of the counter above it."""


def trimmed_mean_of_several(timings: Sequence[float], step: float) -> float | None:
    """Return the mean of ascending timings without a tenth at each end; None if they do not have several values.

    `step` is that of the counter, in the unit of the timings.
    """
    left_out = (len(timings) + 9) // 10
    inner = timings[left_out : len(timings) - left_out]
    if not len(inner) or not inner[-1] > max(SEVERAL_VALUES * inner[0], inner[0] + SEVERAL_STEPS * step):
        return None
    return fmean(inner)
