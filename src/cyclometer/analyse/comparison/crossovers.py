# SPDX-License-Identifier: MIT OR Apache-2.0
"""The packet lengths at which one of two systems becomes faster than the other.

Arrays in, records out. The verdict at a length is a bootstrap over rounds, like every interval
(docs/how-numbers-are-made.md). A crossover is a length at which the order changes for good: block ciphers of
different block sizes overtake each other many times before, which widens the interval around it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.estimators import (
    COVERAGE,
    RESAMPLING_SEED,
    Floats,
    few_rounds_ratio,
    resampled_middles,
)
from cyclometer.records.curve import FIRST, SECOND, UNDECIDED, Crossover, Integers, Ordering
from cyclometer.records.varying import by_students_t

__all__ = ["FIRST", "SECOND", "UNDECIDED", "Crossover", "Ordering", "order", "verdicts"]

Signs = npt.NDArray[np.int8]

DENSE_GAP = 32
"""Median gap between lengths, in bytes, up to which single lengths against the trend do not change the order."""

DECIDED_SHARE = 0.9
"""Share of the lengths next to a crossover's interval that must be decided the same way."""

_TAIL = (1 - COVERAGE) / 2
_MAX_PAIRS = 4096  # of resampled medians compared at each length; if there are more, a fixed-seed sample
_CHUNK = 1 << 22  # comparisons at a time


def order(lengths: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, spread: npt.ArrayLike = 0.0) -> Ordering:
    """Compare the headlines of rounds: `first` and `second` are (lengths, rounds) in cycles, NaN for a missing round.

    `spread` is that of the A/A control, as a ratio minus 1, for all lengths or for each; smaller differences are
    ties. The lengths ascend; FIRST and SECOND in the result mean these two.
    """
    ours, theirs = np.asarray(first, np.float64), np.asarray(second, np.float64)
    measured = ~(np.isnan(ours).all(axis=1) | np.isnan(theirs).all(axis=1))
    sampled, ours, theirs = np.asarray(lengths, np.int64)[measured], ours[measured], theirs[measured]
    signs = verdicts(ours, theirs, np.broadcast_to(np.asarray(spread, np.float64), measured.shape)[measured])
    if not len(sampled):
        return Ordering(lengths=sampled, verdicts=signs, cutoffs=())
    return Ordering(lengths=sampled, verdicts=signs, cutoffs=_crossovers(sampled, signs, _lead(ours, theirs)))


def verdicts(first: Floats, second: Floats, spread: Floats) -> Signs:
    """Return, at each length, which one is faster by more than `spread` in nearly all resamples of the rounds.

    If either has so few rounds that their interval is Student's t, it is faster by that of the ratio.
    """
    signs = np.zeros(len(first), np.int8)
    counts = np.stack([np.sum(~np.isnan(rounds), axis=1) for rounds in (first, second)], axis=1)
    for sizes in np.unique(counts, axis=0):
        rows = np.flatnonzero((counts == sizes).all(axis=1))
        a, b = (np.sort(rounds[rows], axis=1)[:, :n] for rounds, n in zip((first, second), sizes, strict=True))
        margin = 1 + spread[rows, None]
        few = by_students_t(*sizes)
        signs[rows] = _compare_few(a, b, margin[:, 0]) if few else _compare(_resamples(a), _resamples(b), margin)
    return signs


def _resamples(ordered: Floats) -> tuple[Floats, Floats]:
    """Return the medians of resamples at each length, (lengths, pairs), and the probability of each pair."""
    low, high, probability = resampled_middles(ordered.shape[-1])
    return (ordered[:, low] + ordered[:, high]) / 2, probability


def _compare(ours: tuple[Floats, Floats], theirs: tuple[Floats, Floats], margin: Floats) -> Signs:
    (a, probability_a), (b, probability_b) = ours, theirs
    if len(probability_a) * len(probability_b) <= _MAX_PAIRS:
        left, right = (grid.ravel() for grid in np.indices((len(probability_a), len(probability_b))))
        weight = probability_a[left] * probability_b[right]
    else:
        rng = np.random.default_rng(RESAMPLING_SEED)
        left = rng.choice(len(probability_a), _MAX_PAIRS, p=probability_a)
        right = rng.choice(len(probability_b), _MAX_PAIRS, p=probability_b)
        weight = np.full(_MAX_PAIRS, 1 / _MAX_PAIRS)
    signs = np.zeros(len(a), np.int8)
    step = max(1, _CHUNK // len(weight))
    for start in range(0, len(a), step):
        rows = slice(start, start + step)
        x, y = a[rows][:, left], b[rows][:, right]
        signs[rows] -= (x * margin[rows] < y) @ weight >= 1 - _TAIL
        signs[rows] += (y * margin[rows] < x) @ weight >= 1 - _TAIL
    return signs


def _compare_few(ours: Floats, theirs: Floats, margin: Floats) -> Signs:
    low, high = few_rounds_ratio(ours, theirs)
    return np.asarray((high * margin < 1).astype(np.int8) - (low > margin).astype(np.int8))


def _lead(first: Floats, second: Floats) -> Floats:
    """Return the lead of the second: the log of the ratio of the headlines, 0 if there is none."""
    ours, theirs = _medians(first), _medians(second)
    positive = (ours > 0) & (theirs > 0)
    return np.log(np.where(positive, ours, 1.0) / np.where(positive, theirs, 1.0))


def _medians(rounds: Floats) -> Floats:
    """Return the median of each row without its NaNs, of which numpy's own nanmedian needs ten times as long."""
    ordered = np.sort(rounds, axis=1)  # NaN last
    count = np.sum(~np.isnan(ordered), axis=1)
    rows = np.arange(len(ordered))
    return np.asarray((ordered[rows, (count - 1) // 2] + ordered[rows, count // 2]) / 2)


@dataclass(frozen=True, kw_only=True)
class _Segment:
    """Lengths (by index, both ends included) that are decided one way, apart from exceptions."""

    begin: int
    end: int
    sign: int


@dataclass(frozen=True, kw_only=True)
class _Grid:
    """The lengths sampled, in bytes, ascending."""

    lengths: Integers
    gaps: Integers  # to the next length; the last repeats the gap before it
    dense: bool

    @classmethod
    def of(cls, lengths: Integers) -> _Grid:
        gaps = np.diff(lengths, append=2 * lengths[-1] - lengths[-2]) if len(lengths) > 1 else np.ones(1, np.int64)
        return cls(lengths=lengths, gaps=gaps, dense=len(lengths) > 1 and bool(np.median(gaps) <= DENSE_GAP))

    def window(self, index: int) -> int:
        """Return how many bytes make a trend: a quarter of the length, within 8..128; 1 on a sparse grid."""
        return min(max(int(self.lengths[index]) // 4, 8), 128) if self.dense else 1

    def strength(self, signs: Signs, segment: _Segment) -> float:
        """Return the strongest run of lengths within a segment, in bytes, relative to what makes a trend.

        A length decided for the segment counts fully, one against it negatively, an undecided one minus half.
        """
        inside = slice(segment.begin, segment.end + 1)
        agree = signs[inside] * segment.sign
        sums = np.concatenate(([0.0], np.cumsum(np.where(agree == 0, -0.5, agree) * self.gaps[inside])))
        return float(np.max(sums - np.minimum.accumulate(sums)) / self.window(segment.begin))

    def below(self, index: int) -> slice:
        """Return the lengths that make a trend up to and including this one."""
        start = np.searchsorted(self.lengths, self.lengths[index] - self.window(index), "right")
        return slice(int(start), index + 1)

    def above(self, index: int) -> slice:
        """Return the lengths that make a trend from this one on, including it."""
        stop = np.searchsorted(self.lengths, self.lengths[index] + self.window(index), "left")
        return slice(index, int(stop))


def _crossovers(lengths: Integers, signs: Signs, lead: Floats) -> tuple[Crossover, ...]:
    grid = _Grid.of(lengths)
    segments = _significant(grid, signs)
    return tuple(_crossover(grid, signs, lead, below, above) for below, above in itertools.pairwise(segments))


def _segments(signs: Signs) -> list[_Segment]:
    """Return the runs of decided lengths, with alternating signs; undecided lengths lie inside or between them."""
    decided = np.flatnonzero(signs)
    if not len(decided):
        return []
    groups = np.split(decided, np.flatnonzero(np.diff(signs[decided])) + 1)
    return [_Segment(begin=int(g[0]), end=int(g[-1]), sign=int(signs[g[0]])) for g in groups]


def _significant(grid: _Grid, signs: Signs) -> list[_Segment]:
    """Return the segments wide enough to matter, repeatedly dropping those weaker than their neighbours."""
    segments = _segments(signs)
    while len(segments) > 1:
        strengths = [float("inf"), *(grid.strength(signs, segment) for segment in segments), float("inf")]
        kept = [
            segment
            for segment, left, own, right in zip(segments, strengths, strengths[1:], strengths[2:], strict=False)
            if own >= 1 or own >= left or own > right
        ]
        if len(kept) == len(segments):
            break
        segments = _merged(kept)
    return segments


def _merged(segments: list[_Segment]) -> list[_Segment]:
    merged: list[_Segment] = []
    for segment in segments:
        if merged and merged[-1].sign == segment.sign:
            merged[-1] = _Segment(begin=merged[-1].begin, end=segment.end, sign=segment.sign)
        else:
            merged.append(segment)
    return merged


def _crossover(grid: _Grid, signs: Signs, lead: Floats, below: _Segment, above: _Segment) -> Crossover:
    low = _nearest_decided(signs, below.sign, range(below.end, below.begin, -1), grid.below, below.begin)
    high = _nearest_decided(signs, above.sign, range(above.begin, above.end), grid.above, above.end)
    # Split so that the least lead is on the wrong side; `high` itself belongs above.
    ahead = lead[low + 1 : high] * above.sign
    wrong_below = np.concatenate(([0.0], np.cumsum(np.maximum(ahead, 0))))
    wrong_above = np.concatenate((np.cumsum(np.maximum(-ahead, 0)[::-1])[::-1], [0.0]))
    split = low + 1 + int(np.argmin(wrong_below + wrong_above))
    return Crossover(
        length=int(grid.lengths[split]),
        low=int(grid.lengths[low]),
        high=int(grid.lengths[high]),
        faster_below=below.sign,
        faster_above=above.sign,
    )


def _nearest_decided(
    signs: Signs, sign: int, indices: Iterable[int], window: Callable[[int], slice], default: int
) -> int:
    """Return the first of `indices` beyond which nearly all lengths are decided one way."""
    for index in indices:
        if signs[index] == sign and np.mean(signs[window(index)] == sign) >= DECIDED_SHARE:
            return index
    return default
