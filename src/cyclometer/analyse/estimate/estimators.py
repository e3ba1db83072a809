# SPDX-License-Identifier: MIT OR Apache-2.0
"""The estimators: arrays in, arrays out. docs/how-numbers-are-made.md says why these."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

COVERAGE = 0.95
"""Of the interval given beside a headline."""

ZERO_BELOW = 3.0
"""Cycles (or counter units) up to which a thing cannot be told from an empty function: calls of one and the same empty
function differ by so much, with what stands around them."""

_EXACT_UP_TO = 6  # rounds; 6 of 6 give 46656 resamples, which are enumerated
_RESAMPLES = 20_000
RESAMPLING_SEED = 20061121  # the same data give the same intervals and verdicts


def clamp_to_zero(cycles: npt.ArrayLike) -> Floats:
    """The same; 0 where it cannot be told from nothing, as what is below zero never can. NaN stays."""
    values = np.asarray(cycles, dtype=np.float64)
    return np.where(values <= ZERO_BELOW, 0.0, values)


def stabilised_quartiles(timings: npt.ArrayLike) -> Floats:
    """StQ1, StQ2, StQ3 along the last axis: shape (..., n) to (..., 3), n >= 1.

    As in SUPERCOP: write each of the n timings down eight times, sort the 8n;
    StQ1 is the mean of places n to 3n, StQ2 of 3n to 5n, StQ3 of 5n to 7n.
    """
    ordered = np.sort(np.asarray(timings, dtype=np.float64), axis=-1)
    return ordered @ _weights(ordered.shape[-1])


@functools.cache
def _weights(n: int) -> Floats:
    """(n, 3): how much of each quarter's mean the i-th smallest of n timings is."""
    copies = np.repeat(np.arange(n), 8)
    weights = np.zeros((n, 3))
    for quartile in range(3):
        chosen = copies[(1 + 2 * quartile) * n : (3 + 2 * quartile) * n]
        np.add.at(weights[:, quartile], chosen, 1 / (2 * n))
    return weights


def stq2_sql(series: str) -> str:
    """StQ2 of a *sorted* list column as a DuckDB expression.

    The places 3n to 5n of 8n are the timings from ceil(3n/8) to floor(5n/8)
    in full and the two at the ends in part: sum a slice, take away what is too much.
    """
    n = f"len({series})"
    first, last = f"CAST(floor({n} * 0.375) AS INT)", f"CAST(ceil({n} * 0.625) AS INT)"
    return (
        f"(list_sum({series}[{first} + 1 : {last}])"
        f" - ({n} * 0.375 - {first}) * {series}[{first} + 1]"
        f" - ({last} - {n} * 0.625) * {series}[{last}]) / ({n} * 0.25)"
    )


def lower_quartile(values: npt.ArrayLike) -> Floats:
    """Of few numbers, some of which a disturbance may have made larger and none smaller: the smallest of up to
    four, the second of up to eight, ... along the last axis."""
    ordered = np.sort(np.asarray(values, dtype=np.float64), axis=-1)
    return np.asarray(ordered[..., (ordered.shape[-1] - 1) // 4])


def median_interval(values: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Bootstrap interval (COVERAGE, percentile) of the median: shape (cells, rounds) to two of (cells,).

    A resample's median depends only on which order statistics it hits, so the
    resamples are drawn once for all cells: all of them up to six rounds, a
    fixed-seed sample beyond.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64), axis=-1)
    low_places, high_places, chance = resampled_middles(ordered.shape[-1])
    medians = (ordered[:, low_places] + ordered[:, high_places]) / 2
    order = np.argsort(medians, axis=1, kind="stable")
    reached = np.cumsum(chance[order], axis=1)
    tail = (1 - COVERAGE) / 2
    low = order[np.arange(len(order)), np.argmax(reached >= tail - 1e-12, axis=1)]
    high = order[np.arange(len(order)), np.argmax(reached >= 1 - tail - 1e-12, axis=1)]
    rows = np.arange(len(medians))
    return medians[rows, low], medians[rows, high]


@functools.cache
def resampled_middles(rounds: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats]:
    """The pairs of places whose mean is a resample's median, and how probable each pair is."""
    if rounds <= _EXACT_UP_TO:
        draws = np.array(list(itertools.product(range(rounds), repeat=rounds)))
    else:
        draws = np.random.default_rng(RESAMPLING_SEED).integers(0, rounds, (_RESAMPLES, rounds))
    draws.sort(axis=1)
    middles = draws[:, [(rounds - 1) // 2, rounds // 2]]
    pairs, counts = np.unique(middles, axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], counts / len(draws)
