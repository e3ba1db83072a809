# SPDX-License-Identifier: MIT OR Apache-2.0
"""Fewer points that look the same: of every pixel the lowest, the middle and the highest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PIXELS = 512
"""Buckets across a graph; about one for two pixels of a wide screen."""


@dataclass(frozen=True, kw_only=True)
class Buckets:
    """One value each a bucket, left to right."""

    x: Floats  # its middle
    low: Floats
    middle: Floats
    high: Floats
    count: npt.NDArray[np.int64]


def thin(x: npt.ArrayLike, y: npt.ArrayLike, pixels: int = PIXELS) -> tuple[Floats, Floats]:
    """A line with at most three points a bucket, all of them points of the line: lowest, middle and highest."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if len(across) <= 3 * pixels:
        return across, up
    kept: list[int] = []
    for rows in np.array_split(np.arange(len(across)), pixels):
        ordered = rows[np.argsort(up[rows], kind="stable")]
        kept += sorted({int(ordered[0]), int(ordered[len(ordered) // 2]), int(ordered[-1])})
    return across[kept], up[kept]


def bucketed(x: npt.ArrayLike, y: npt.ArrayLike, pixels: int = PIXELS) -> Buckets:
    """A cloud as a band: the extremes and the median of all points above each of at most `pixels` pieces of x."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    places, inverse = np.unique(across, return_inverse=True)
    groups = np.minimum(np.arange(len(places)) * pixels // max(len(places), pixels), pixels - 1)
    group = groups[inverse]
    order = np.lexsort((up, group))
    counts = np.bincount(group)
    counts = counts[counts > 0]
    ends = np.cumsum(counts)
    starts = ends - counts
    sorted_up = up[order]
    middles = np.array([places[rows].mean() for rows in np.split(np.arange(len(places)), _edges(groups))])
    return Buckets(
        x=middles,
        low=sorted_up[starts],
        middle=sorted_up[(starts + ends - 1) // 2],
        high=sorted_up[ends - 1],
        count=counts,
    )


def _edges(groups: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    return np.flatnonzero(np.diff(groups)) + 1
