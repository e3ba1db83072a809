# SPDX-License-Identifier: MIT OR Apache-2.0
"""Decimation: fewer points that look the same, the lowest, middle and highest per pixel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

PIXELS = 512
"""The number of buckets across a graph, about one per two pixels of a wide screen."""


@dataclass(frozen=True, kw_only=True)
class Buckets:
    """One value per bucket in each array, from left to right."""

    x: Floats  # the middle of the bucket
    low: Floats
    middle: Floats
    high: Floats
    count: npt.NDArray[np.int64]


def thin(x: npt.ArrayLike, y: npt.ArrayLike, pixels: int = PIXELS) -> tuple[Floats, Floats]:
    """Reduce a line to at most three of its points per bucket: the lowest, the middle and the highest."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if len(across) <= 3 * pixels:
        return across, up
    kept: list[int] = []
    for rows in np.array_split(np.arange(len(across)), pixels):
        ordered = rows[np.argsort(up[rows], kind="stable")]
        kept += sorted({int(ordered[0]), int(ordered[len(ordered) // 2]), int(ordered[-1])})
    return across[kept], up[kept]


def bucketed(x: npt.ArrayLike, y: npt.ArrayLike, pixels: int = PIXELS) -> Buckets:
    """Reduce a cloud to a band: the extremes and the median in each of at most `pixels` intervals of x."""
    across, up = np.asarray(x, np.float64), np.asarray(y, np.float64)
    positions, inverse = np.unique(across, return_inverse=True)
    groups = np.minimum(np.arange(len(positions)) * pixels // max(len(positions), pixels), pixels - 1)
    group = groups[inverse]
    order = np.lexsort((up, group))
    counts = np.bincount(group)
    counts = counts[counts > 0]
    ends = np.cumsum(counts)
    starts = ends - counts
    sorted_up = up[order]
    middles = np.array([positions[rows].mean() for rows in np.split(np.arange(len(positions)), _edges(groups))])
    return Buckets(
        x=middles,
        low=sorted_up[starts],
        middle=sorted_up[(starts + ends - 1) // 2],
        high=sorted_up[ends - 1],
        count=counts,
    )


def _edges(groups: npt.NDArray[np.int64]) -> npt.NDArray[np.intp]:
    return np.flatnonzero(np.diff(groups)) + 1
