# SPDX-License-Identifier: MIT OR Apache-2.0
"""Limits from the A/A control: how large a difference between two copies of one program can seem.

Each round of an interleaved comparison times A, B and A's twin A'. If B is no slower than A, the three are
interchangeable, so which of them is called B is arbitrary. Relabelling them at random in each round, many times, shows
what differences arise by chance; the largest of all points in each relabelling is what a gate over all points must
expect. This is the step-down max-T method without its steps (P. H. Westfall, S. S. Young: Resampling-Based Multiple
Testing, Wiley 1993): exact for any distribution of the noise and any dependence between the points.

Arrays in, arrays out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cyclometer.analyse.estimate.estimators import COVERAGE, RESAMPLING_SEED, Floats

FALSE_ALARMS = 0.01
"""Share of gates without any change that may fail, over all their points together."""

RELABELLINGS = 4000
"""Random relabellings; their 99 % quantile is exact to about 0.2 %."""

MIN_ROUNDS = 8
"""Complete rounds below which a point is judged by the A/A spread instead: there are too few relabellings."""

CLIP_QUANTILE, CLIP = 0.8, 3.0
"""Deviations within a round are limited to CLIP times this quantile of their sizes, the same for all three."""


_CHUNK = 1024  # points at a time


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What each point shows and may show, as logarithms of the ratio B / A; NaN where there are too few rounds."""

    estimate: Floats
    limit: Floats  # chance exceeds it at any point in FALSE_ALARMS of the gates
    half_width: Floats  # of the interval (COVERAGE) of the estimate


def limits(first: Floats, second: Floats, twin: Floats) -> Limits:
    """Return the limits from the cycles of A, B and A': (points, rounds) each, NaN where a round was not used."""
    logs = np.log(np.stack([first, second, twin]))  # labels, points, rounds
    complete = np.isfinite(logs).all(axis=0)
    rounds = complete.sum(axis=1)
    enough = rounds >= MIN_ROUNDS
    deviations = _clipped(np.where(complete, logs - np.median(logs, axis=0), np.nan))
    totals = np.nansum(deviations, axis=0)
    # B less the mean of A and A', were each of the three the one called B.
    contrasts = np.where(complete, 1.5 * deviations - 0.5 * totals, 0.0)
    mean, error = _moments(contrasts[1].sum(axis=1), (contrasts[1] ** 2).sum(axis=1), rounds)
    largest, single = _chance(contrasts, rounds, enough)
    keep = np.where(enough, 1.0, np.nan)
    return Limits(estimate=mean * keep, limit=largest * error * keep, half_width=single * error * keep)


def _clipped(deviations: Floats) -> Floats:
    """Limit what a disturbed process can do, alike for all labels, so that they stay interchangeable."""
    sizes = np.abs(deviations).transpose(1, 0, 2).reshape(deviations.shape[1], -1)
    with np.errstate(all="ignore"):
        some = np.isfinite(sizes).any(axis=1)
        bound = np.full(len(sizes), np.inf)
        bound[some] = CLIP * np.nanquantile(sizes[some], CLIP_QUANTILE, axis=1)
    return np.asarray(np.clip(deviations, -bound[:, None], bound[:, None]))


def _moments(sums: Floats, squares: Floats, rounds: Floats | np.typing.NDArray[np.int_]) -> tuple[Floats, Floats]:
    """Return the mean and its standard error from sums over rounds."""
    count = np.maximum(rounds, 2)
    mean = sums / count
    variance = np.maximum(squares / count - mean**2, 0.0) * count / (count - 1)
    return mean, np.sqrt(variance / count)


def _chance(
    contrasts: Floats, rounds: np.typing.NDArray[np.int_], enough: np.typing.NDArray[np.bool_]
) -> tuple[float, Floats]:
    """Return two multiples of the standard error: the largest of all points by chance, and of each in an interval."""
    labels, points, count = contrasts.shape
    if not enough.any():
        return float("nan"), np.full(points, np.nan)
    chosen = np.random.default_rng(RESAMPLING_SEED).integers(0, labels, (RELABELLINGS, count))
    picked = np.concatenate([chosen == label for label in range(labels)], axis=1).astype(np.float64)
    columns = contrasts.transpose(0, 2, 1).reshape(labels * count, points)
    largest, single = np.full(RELABELLINGS, -np.inf), np.full(points, np.nan)
    for start in range(0, points, _CHUNK):
        part = slice(start, start + _CHUNK)
        mean, error = _moments(picked @ columns[:, part], picked @ columns[:, part] ** 2, rounds[part])
        ratios = np.divide(mean, error, out=np.zeros_like(mean), where=error > 0)
        largest = np.maximum(largest, ratios.max(axis=1, where=enough[part], initial=-np.inf))
        single[part] = np.quantile(np.abs(ratios), COVERAGE, axis=0)
    return float(np.quantile(largest, 1 - FALSE_ALARMS, method="higher")), single
