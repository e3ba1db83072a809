# SPDX-License-Identifier: MIT OR Apache-2.0
"""Change points of a series: where its mean changes for good.

Optimal partitioning with a penalty for each change: the segmentation that minimises the sum of squares within segments
(B. Jackson and others, IEEE Signal Processing Letters 12, 2005), which PELT finds, too (R. Killick, P. Fearnhead, I. A.
Eckley, Journal of the American Statistical Association 107, 2012), pruning what a few hundred runs do not need pruned.
The penalty is the modified BIC of N. R. Zhang and D. O. Siegmund (Biometrics 63, 2007): 3 log n for each change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

LEAST_NOISE = 0.0025
"""Least standard deviation of logarithms between runs: changes of less than about 0.5 % are none."""

_MAD_TO_DEVIATION = 1.4826  # of a normal distribution


def change_points(values: Sequence[float]) -> list[int]:
    """Return the indices at which another level begins, ascending; `values` are positive, in the order of time."""
    logs = np.log(np.asarray(values, np.float64))
    count = len(logs)
    if count < 3:
        return []
    scale = 1 / noise(logs) ** 2
    penalty = 3 * math.log(count)
    sums, squares = (np.concatenate(([0.0], np.cumsum(each))) for each in (logs, logs**2))
    best, previous = np.zeros(count + 1), np.zeros(count + 1, np.int64)
    for end in range(1, count + 1):
        start = np.arange(end)
        inside = squares[end] - squares[start] - (sums[end] - sums[start]) ** 2 / (end - start)
        cost = best[start] + scale * inside + np.where(start > 0, penalty, 0.0)
        previous[end] = int(np.argmin(cost))
        best[end] = cost[previous[end]]
    found, end = [], count
    while (end := int(previous[end])) > 0:
        found.append(end)
    return found[::-1]


def noise(logs: np.typing.NDArray[np.float64]) -> float:
    """Return the standard deviation between neighbours, which few changes do not move."""
    differences = np.abs(np.diff(logs))
    return max(_MAD_TO_DEVIATION * float(np.median(differences)) / math.sqrt(2), LEAST_NOISE)
