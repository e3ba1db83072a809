# SPDX-License-Identifier: MIT OR Apache-2.0
"""The estimators: arrays in, arrays out. docs/how-numbers-are-made.md explains the choice."""

from __future__ import annotations

import functools
import itertools

import numpy as np
import numpy.typing as npt

from cyclometer.records.quartile import lower_quartile_index
from cyclometer.records.run import NEAR, STEPS
from cyclometer.records.several_values import SEVERAL_STEPS, SEVERAL_VALUES
from cyclometer.records.varying import FEW, by_students_t, students_reach

Floats = npt.NDArray[np.float64]

COVERAGE = 0.95
"""Coverage of the interval of a headline."""

ZERO_BELOW = 3.0
"""Cycles (or counter units) beyond an empty function up to which a function cannot be distinguished from it.

Calls of the same empty function differ by this much, depending on the surrounding code.
"""

MIDDLE, LEAST_MIDDLE = 0.5, 0.125
"""Where the quarter of sorted timings whose mean is StQ2 has its middle, and the least place that it may have."""

_EXACT_UP_TO = 6  # rounds; the 6^6 = 46656 resamples are enumerated
_RESAMPLES = 20_000
RESAMPLING_SEED = 20061121  # fixed, so that the same data give the same intervals and verdicts


def clamp_to_zero(cycles: npt.ArrayLike, call: npt.ArrayLike = 0.0) -> Floats:
    """Replace values that cannot be distinguished from an empty function's, which takes `call`, by 0; NaN stays."""
    values = np.asarray(cycles, dtype=np.float64)
    return np.where(values <= np.asarray(call, dtype=np.float64) + ZERO_BELOW, 0.0, values)


def stabilised_quartiles(timings: npt.ArrayLike) -> Floats:
    """Return StQ1, StQ2, StQ3 along the last axis: shape (..., n) to (..., 3), n >= 1.

    As in SUPERCOP: write each of the n timings down eight times and sort the 8n; StQ1 is the mean of elements n to
    3n, StQ2 of 3n to 5n, StQ3 of 5n to 7n.
    """
    ordered = np.sort(np.asarray(timings, dtype=np.float64), axis=-1)
    return ordered @ _weights(ordered.shape[-1])


@functools.cache
def _weights(n: int) -> Floats:
    """Return the weights (n, 3) of the i-th smallest of n timings in each quarter's mean."""
    copies = np.repeat(np.arange(n), 8)
    weights = np.zeros((n, 3))
    for quartile in range(3):
        chosen = copies[(1 + 2 * quartile) * n : (3 + 2 * quartile) * n]
        np.add.at(weights[:, quartile], chosen, 1 / (2 * n))
    return weights


def stq2_sql(series: str, middle: str = str(MIDDLE)) -> str:
    """Return StQ2 of a *sorted* list column as a DuckDB expression, or the mean of the quarter around another `middle`.

    Elements 3n to 5n of 8n are the timings from ceil(3n/8) to floor(5n/8) in full and the two at the ends in part:
    sum a slice and subtract the excess. `middle` is at least LEAST_MIDDLE and at most MIDDLE.
    """
    n = f"len({series})"
    begin, end = f"{n} * ({middle} - {LEAST_MIDDLE})", f"{n} * ({middle} + {LEAST_MIDDLE})"
    first, last = f"CAST(floor({begin}) AS INT)", f"CAST(ceil({end}) AS INT)"
    return (
        f"(list_sum({series}[{first} + 1 : {last}])"
        f" - ({begin} - {first}) * {series}[{first} + 1]"
        f" - ({last} - {end}) * {series}[{last}]) / ({n} * {2 * LEAST_MIDDLE})"
    )


def dithered_mean_sql(series: str, step: str) -> str:
    """Return the mean of a sorted list column's timings within a step of their median, as a DuckDB expression.

    Of timings that began at a random phase of a coarse counter's step, this is unbiased where any median jumps by a
    step. A neighbour within reach is one step away; what is farther was disturbed.
    """
    median = f"{series}[(len({series}) + 1) // 2]"  # never between two far apart
    return f"list_avg([x FOR x IN {series} IF abs(x - {median}) <= {STEPS} * {step} + {NEAR} * {median}])"


def has_several_values_sql(timings: str, step: str) -> str:
    """Return whether a sorted list column has several values (records/several_values.py), as a DuckDB expression."""
    least, most = (f"{timings}[{index}]" for index in _inner(timings))
    return f"({most} > {SEVERAL_VALUES} * {least} AND {most} - {least} > {SEVERAL_STEPS} * {step})"


def trimmed_mean_sql(timings: str) -> str:
    """Return the mean of a sorted list column without a tenth at each end, as a DuckDB expression."""
    first, last = _inner(timings)
    return f"list_avg({timings}[{first} : {last}])"


def _inner(timings: str) -> tuple[str, str]:
    """Return the first and the last index of a list column without a tenth at each end, and at least one."""
    tenth = f"(len({timings}) + 9) // 10"
    return f"{tenth} + 1", f"len({timings}) - {tenth}"


def mean_sql(values: str, where: str = "true") -> str:
    """Return the mean of those rows of a group that meet `where`, as a DuckDB aggregate.

    Its digits do not depend on the order of the rows; those of `avg` do, and threads change that order.
    """
    return f"list_avg(list_sort(list({values}) FILTER ({where})))"


def lower_quartile(values: npt.ArrayLike) -> Floats:
    """Return the lower quartile of a few numbers along the last axis, which is one of them."""
    ordered = np.sort(np.asarray(values, dtype=np.float64), axis=-1)
    return np.asarray(ordered[..., lower_quartile_index(ordered.shape[-1])])


def center(rounds: npt.ArrayLike, disturbed: npt.ArrayLike = False) -> Floats:
    """Return the headline of rounds along the last axis, disturbed or not: shapes (..., rounds) and (...) to (...).

    It is the median, or the lower quartile of disturbed rounds and of fewer than FEW: two cannot outvote one that was
    disturbed unseen.
    """
    values = np.asarray(rounds, dtype=np.float64)
    if values.shape[-1] < FEW:
        return lower_quartile(values)
    return np.where(disturbed, lower_quartile(values), np.median(values, axis=-1))


def median_interval(values: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Return the interval (COVERAGE) of the median: shape (cells, rounds) to two of (cells,).

    It is the bootstrap interval (percentile); of three and four rounds, of which no resample reaches far enough, it is
    Student's t. A resample's median depends only on which order statistics it hits, so the resamples are drawn once for
    all cells: all of them up to six rounds, a fixed-seed sample beyond.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64), axis=-1)
    if by_students_t(ordered.shape[-1]):
        middle, reach = np.median(ordered, axis=-1), students_reach(ordered)
        return middle - reach, middle + reach
    low_indices, high_indices, probability = resampled_middles(ordered.shape[-1])
    medians = (ordered[:, low_indices] + ordered[:, high_indices]) / 2
    order = np.argsort(medians, axis=1, kind="stable")
    reached = np.cumsum(probability[order], axis=1)
    tail = (1 - COVERAGE) / 2
    low = order[np.arange(len(order)), np.argmax(reached >= tail - 1e-12, axis=1)]
    high = order[np.arange(len(order)), np.argmax(reached >= 1 - tail - 1e-12, axis=1)]
    rows = np.arange(len(medians))
    return medians[rows, low], medians[rows, high]


def few_rounds_ratio(ours: Floats, theirs: Floats) -> tuple[Floats, Floats]:
    """Return Student's t interval of the ratio of two medians, theirs over ours, along the last axis.

    Either has three or four rounds, the other may have any number; one round counts as known exactly. The interval is
    NaN unless both medians are positive.
    """
    a, b = np.median(ours, axis=-1), np.median(theirs, axis=-1)
    with np.errstate(all="ignore"):
        parts = [
            students_reach(each) / median if each.shape[-1] > 1 else np.zeros_like(median)
            for each, median in ((ours, a), (theirs, b))
        ]
        factor = np.exp(np.hypot(*parts))
        ratio = np.where((a > 0) & (b > 0), b / a, np.nan)
    return ratio / factor, ratio * factor


@functools.cache
def resampled_middles(rounds: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Floats]:
    """Return the pairs of indices whose mean is a resample's median, and the probability of each pair."""
    if rounds <= _EXACT_UP_TO:
        resamples = np.array(list(itertools.product(range(rounds), repeat=rounds)))
    else:
        resamples = np.random.default_rng(RESAMPLING_SEED).integers(0, rounds, (_RESAMPLES, rounds))
    resamples.sort(axis=1)
    middles = resamples[:, [(rounds - 1) // 2, rounds // 2]]
    pairs, counts = np.unique(middles, axis=0, return_counts=True)
    return pairs[:, 0], pairs[:, 1], counts / len(resamples)
