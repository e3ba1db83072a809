# SPDX-License-Identifier: MIT OR Apache-2.0
"""From which packet length on which of two systems is faster, and where that cannot be said.

Arrays in, records out. A verdict on a length is a bootstrap over rounds, as
for every interval (docs/how-numbers-are-made.md). A cut-off is a length at which the order
of two systems turns for good: block ciphers of different block sizes overtake
each other many times before, which is part of the interval around it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cyclometer.analyse.estimate.estimators import COVERAGE, RESAMPLING_SEED, Floats, resampled_middles
from cyclometer.records.curve import FIRST, SECOND, UNDECIDED, Crossover, Integers, Ordering

__all__ = ["FIRST", "SECOND", "UNDECIDED", "Crossover", "Ordering", "order", "verdicts"]

Signs = npt.NDArray[np.int8]

DENSE = 32
"""Median distance of lengths, in bytes, up to which single lengths against the trend are no turn of the order."""

CLEAR = 0.9
"""Of the lengths next to the interval around a cut-off: the part that is decided the same way."""

_TAIL = (1 - COVERAGE) / 2
_MOST_PAIRS = 4096  # of resampled medians, compared at each length; a fixed sample of them beyond
_CHUNK = 1 << 22  # comparisons at a time


def order(lengths: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, spread: npt.ArrayLike = 0.0) -> Ordering:
    """Compare headlines of rounds: `first` and `second` are (lengths, rounds) in cycles, NaN where a round lacks.

    `spread` is that of the A/A control, as a ratio minus 1, for all lengths or
    for each: a difference within it is no difference. The lengths ascend.
    FIRST and SECOND in the result are these two.
    """
    ours, theirs = np.asarray(first, np.float64), np.asarray(second, np.float64)
    known = ~(np.isnan(ours).all(axis=1) | np.isnan(theirs).all(axis=1))
    places, ours, theirs = np.asarray(lengths, np.int64)[known], ours[known], theirs[known]
    found = verdicts(ours, theirs, np.broadcast_to(np.asarray(spread, np.float64), known.shape)[known])
    if not len(places):
        return Ordering(lengths=places, verdicts=found, cutoffs=())
    return Ordering(lengths=places, verdicts=found, cutoffs=_crossovers(places, found, _lead(ours, theirs)))


def verdicts(first: Floats, second: Floats, spread: Floats) -> Signs:
    """At each length the one that is faster by more than `spread` in all but a few resamples of the rounds."""
    found = np.zeros(len(first), np.int8)
    counts = np.stack([np.sum(~np.isnan(rounds), axis=1) for rounds in (first, second)], axis=1)
    for pair in np.unique(counts, axis=0):
        rows = np.flatnonzero((counts == pair).all(axis=1))
        ours, theirs = (_resamples(rounds[rows], int(n)) for rounds, n in zip((first, second), pair, strict=True))
        found[rows] = _compare(ours, theirs, 1 + spread[rows, None])
    return found


def _resamples(rounds: Floats, count: int) -> tuple[Floats, Floats]:
    """Medians of resamples at each length, (lengths, pairs), and how probable each pair is."""
    low, high, chance = resampled_middles(count)
    ordered = np.sort(rounds, axis=1)  # NaN last
    return (ordered[:, low] + ordered[:, high]) / 2, chance


def _compare(ours: tuple[Floats, Floats], theirs: tuple[Floats, Floats], margin: Floats) -> Signs:
    (a, chance_a), (b, chance_b) = ours, theirs
    if len(chance_a) * len(chance_b) <= _MOST_PAIRS:
        left, right = (grid.ravel() for grid in np.indices((len(chance_a), len(chance_b))))
        weight = chance_a[left] * chance_b[right]
    else:
        draw = np.random.default_rng(RESAMPLING_SEED)
        left = draw.choice(len(chance_a), _MOST_PAIRS, p=chance_a)
        right = draw.choice(len(chance_b), _MOST_PAIRS, p=chance_b)
        weight = np.full(_MOST_PAIRS, 1 / _MOST_PAIRS)
    found = np.zeros(len(a), np.int8)
    step = max(1, _CHUNK // len(weight))
    for start in range(0, len(a), step):
        rows = slice(start, start + step)
        x, y = a[rows][:, left], b[rows][:, right]
        found[rows] -= (x * margin[rows] < y) @ weight >= 1 - _TAIL
        found[rows] += (y * margin[rows] < x) @ weight >= 1 - _TAIL
    return found


def _lead(first: Floats, second: Floats) -> Floats:
    """By how much the second is ahead: log of the ratio of the headlines, 0 where there is none."""
    ours, theirs = np.nanmedian(first, axis=1), np.nanmedian(second, axis=1)
    positive = (ours > 0) & (theirs > 0)
    return np.log(np.where(positive, ours, 1.0) / np.where(positive, theirs, 1.0))


@dataclass(frozen=True, kw_only=True)
class _Segment:
    """Integers (by index, both ends included) that are decided one way, but for exceptions."""

    begin: int
    end: int
    sign: int


@dataclass(frozen=True, kw_only=True)
class _Grid:
    """The lengths sampled, in bytes, ascending."""

    lengths: Integers
    gaps: Integers  # to the next one; of the last, to the one before
    dense: bool

    @classmethod
    def of(cls, lengths: Integers) -> _Grid:
        gaps = np.diff(lengths, append=2 * lengths[-1] - lengths[-2]) if len(lengths) > 1 else np.ones(1, np.int64)
        return cls(lengths=lengths, gaps=gaps, dense=len(lengths) > 1 and bool(np.median(gaps) <= DENSE))

    def window(self, index: int) -> int:
        """How many bytes make a trend here: a quarter of the length, within 8..128; one on a sparse grid."""
        return min(max(int(self.lengths[index]) // 4, 8), 128) if self.dense else 1

    def strength(self, signs: Signs, stretch: _Segment) -> float:
        """The best run of lengths within a stretch, in bytes, as a multiple of what makes a trend.

        A length decided for the stretch counts in full, one against it is taken off, of one undecided half.
        """
        inside = slice(stretch.begin, stretch.end + 1)
        agree = signs[inside] * stretch.sign
        sums = np.concatenate(([0.0], np.cumsum(np.where(agree == 0, -0.5, agree) * self.gaps[inside])))
        return float(np.max(sums - np.minimum.accumulate(sums)) / self.window(stretch.begin))

    def below(self, index: int) -> slice:
        """The lengths that make a trend up to this one, which is among them."""
        start = np.searchsorted(self.lengths, self.lengths[index] - self.window(index), "right")
        return slice(int(start), index + 1)

    def above(self, index: int) -> slice:
        """The lengths that make a trend from this one on, which is among them."""
        stop = np.searchsorted(self.lengths, self.lengths[index] + self.window(index), "left")
        return slice(index, int(stop))


def _crossovers(lengths: Integers, signs: Signs, lead: Floats) -> tuple[Crossover, ...]:
    grid = _Grid.of(lengths)
    settled = _settled(grid, signs)
    return tuple(_crossover(grid, signs, lead, below, above) for below, above in itertools.pairwise(settled))


def _segments(signs: Signs) -> list[_Segment]:
    """The decided lengths in a row of alternating signs; undecided ones lie inside or between."""
    decided = np.flatnonzero(signs)
    if not len(decided):
        return []
    groups = np.split(decided, np.flatnonzero(np.diff(signs[decided])) + 1)
    return [_Segment(begin=int(g[0]), end=int(g[-1]), sign=int(signs[g[0]])) for g in groups]


def _settled(grid: _Grid, signs: Signs) -> list[_Segment]:
    """Those wide enough to matter: again and again the weakest of a neighbourhood gives way."""
    stretches = _segments(signs)
    while len(stretches) > 1:
        strengths = [float("inf"), *(grid.strength(signs, each) for each in stretches), float("inf")]
        kept = [
            each
            for each, left, own, right in zip(stretches, strengths, strengths[1:], strengths[2:], strict=False)
            if own >= 1 or own >= left or own > right
        ]
        if len(kept) == len(stretches):
            break
        stretches = _joined(kept)
    return stretches


def _joined(stretches: list[_Segment]) -> list[_Segment]:
    joined: list[_Segment] = []
    for each in stretches:
        if joined and joined[-1].sign == each.sign:
            joined[-1] = _Segment(begin=joined[-1].begin, end=each.end, sign=each.sign)
        else:
            joined.append(each)
    return joined


def _crossover(grid: _Grid, signs: Signs, lead: Floats, below: _Segment, above: _Segment) -> Crossover:
    low = _nearest_clear(signs, below.sign, range(below.end, below.begin, -1), grid.below, below.begin)
    high = _nearest_clear(signs, above.sign, range(above.begin, above.end), grid.above, above.end)
    # Split where the least lead stands on the wrong side; `high` itself belongs above.
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


def _nearest_clear(signs: Signs, sign: int, walk: Iterable[int], window: Callable[[int], slice], otherwise: int) -> int:
    """The first index of the walk away from the cut-off beyond which nearly all is decided one way."""
    for index in walk:
        if signs[index] == sign and np.mean(signs[window(index)] == sign) >= CLEAR:
            return index
    return otherwise
