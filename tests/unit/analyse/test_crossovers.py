# SPDX-License-Identifier: MIT OR Apache-2.0
"""Crossovers, on synthetic systems whose order changes at a known length."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from cyclometer.analyse.comparison.crossovers import order
from cyclometer.records.curve import FIRST, SECOND, UNDECIDED, Crossover

Floats = npt.NDArray[np.float64]

EVERY = np.arange(2001)
SIX = np.array([0, 40, 402, 576, 1500, 8192])
FIVE_ROUNDS = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])  # a few cycles of noise, the same at every length


def line(lengths: npt.NDArray[np.int64], fixed: float, per_byte: float) -> Floats:
    """Make headlines of five rounds of a system with these cycles per packet and per byte."""
    return (fixed + per_byte * lengths)[:, None] + FIVE_ROUNDS


def test_two_lines_cross_where_arithmetic_says() -> None:
    # 100 + 3 n against 1100 + 2 n: equal at n = 1000. Rounds span 2 cycles on either side,
    # so at 999 .. 1001 neither is faster in 97.5 % of the resamples.
    found = order(EVERY, line(EVERY, 100, 3), line(EVERY, 1100, 2))
    (cutoff,) = found.cutoffs
    assert (cutoff.faster_below, cutoff.faster_above) == (FIRST, SECOND)
    assert cutoff.length in (1000, 1001)
    assert 995 <= cutoff.low < 1000 < cutoff.high <= 1005
    assert found.verdicts[500] == FIRST
    assert found.verdicts[1000] == UNDECIDED
    assert found.verdicts[1500] == SECOND


def test_swapping_the_systems_mirrors_the_crossover() -> None:
    one, other = line(EVERY, 100, 3), line(EVERY, 1100, 2)
    ahead, behind = order(EVERY, one, other), order(EVERY, other, one)
    assert np.array_equal(ahead.verdicts, -behind.verdicts)
    (a,), (b,) = ahead.cutoffs, behind.cutoffs
    assert (a.low, a.high) == (b.low, b.high)
    assert (a.faster_below, a.faster_above) == (-b.faster_below, -b.faster_above)


def test_on_few_lengths_the_interval_is_between_neighbours() -> None:
    # equal at n = 1000, which lies between 576 and 1500
    (cutoff,) = order(SIX, line(SIX, 100, 3), line(SIX, 1100, 2)).cutoffs
    assert cutoff == Crossover(length=1500, low=576, high=1500, faster_below=FIRST, faster_above=SECOND)


def test_a_single_short_length_of_few_counts() -> None:
    # equal at n = 20, between 0 and 40
    (cutoff,) = order(SIX, line(SIX, 100, 3), line(SIX, 120, 2)).cutoffs
    assert (cutoff.low, cutoff.high) == (0, 40)


def test_blocks_that_overtake_each_other_widen_the_interval() -> None:
    # 2 n against 60 + 120 ceil(n / 64). At n = 64 k the blocks are ahead when 8 k > 60, so first at 512;
    # at n = 64 k + 1 they are behind while 8 k < 178, so for the last time at 22 * 64 + 1 = 1409 and some
    # lengths after it. Halfway up a step the two are equal at 2 n = 120 + 1.875 n: n = 960.
    long = np.arange(8193)
    blocks = (60 + 120 * np.ceil(long / 64))[:, None] + FIVE_ROUNDS
    (cutoff,) = order(long, line(long, 0, 2), blocks).cutoffs
    assert (cutoff.faster_below, cutoff.faster_above) == (FIRST, SECOND)
    assert 512 - 8 <= cutoff.low <= 512 + 128  # one in ten may differ in the 128 bytes below
    assert 1409 - 128 <= cutoff.high <= 1409 + 72
    assert 960 - 64 <= cutoff.length <= 960 + 64


def test_two_changes_of_order_are_two_crossovers() -> None:
    # a parabola: faster below 400 and above 1600
    bent = (2.0 * EVERY - (EVERY - 400.0) * (EVERY - 1600.0) / 1000)[:, None] + FIVE_ROUNDS
    found = order(EVERY, line(EVERY, 0, 2), bent).cutoffs
    assert [(c.faster_below, c.faster_above) for c in found] == [(SECOND, FIRST), (FIRST, SECOND)]
    assert [c.low < truth < c.high for c, truth in zip(found, (400, 1600), strict=True)] == [True, True]


def test_a_burst_at_one_length_is_no_crossover() -> None:
    burst = line(EVERY, 100, 2)
    burst[700:703] *= 10
    found = order(EVERY, burst, line(EVERY, 200, 2))
    assert found.cutoffs == ()
    assert found.verdicts[701] == SECOND


def test_lengths_decided_by_chance_among_undecided_ones_are_no_crossover() -> None:
    # The same system twice: noise decides for the first at every 37th length, for the second at every 41st.
    one, other = line(EVERY, 1000, 2), line(EVERY, 1000, 2)
    one[10::37] -= 50
    other[::41] -= 50
    assert order(EVERY, one, other).cutoffs == ()


def test_differences_within_the_spread_are_no_crossover() -> None:
    one, other = line(EVERY, 1000, 2), line(EVERY, 1010, 2)
    assert np.all(order(EVERY, one, other).verdicts == FIRST)
    assert np.all(order(EVERY, one, other, spread=0.02).verdicts == UNDECIDED)
    only_long = order(EVERY, one, other, spread=np.where(EVERY < 1000, 0.0, 0.02))
    assert only_long.verdicts[[0, 999, 1000, 2000]].tolist() == [FIRST, FIRST, UNDECIDED, UNDECIDED]


def test_equal_systems_have_no_order() -> None:
    one = line(EVERY, 1000, 2)
    found = order(EVERY, one, one)
    assert found.cutoffs == ()
    assert not found.verdicts.any()


def test_rounds_that_overlap_decide_nothing() -> None:
    # two rounds each: a resample is (low, low), (low, high) twice, or (high, high)
    lengths = np.array([100, 200])
    first = np.array([[10.0, 20.0], [10.0, 20.0]])
    second = np.array([[15.0, 25.0], [21.0, 25.0]])
    assert order(lengths, first, second).verdicts.tolist() == [UNDECIDED, FIRST]


def test_three_rounds_that_do_not_overlap_decide_only_what_students_t_does() -> None:
    """Both lie 10 cycles apart: the ratio of their medians is known to 3.4 % at 100 bytes, to 1.7 % at 200."""
    lengths = np.array([100, 200])
    first, second = ([[middle - 10, middle, middle + 10] for middle in sides] for sides in ((1010, 2010), (1035, 2060)))
    assert order(lengths, first, second).verdicts.tolist() == [UNDECIDED, FIRST]
    assert order(lengths, second, first).verdicts.tolist() == [UNDECIDED, SECOND]


def test_rounds_missing_here_and_there_are_left_out() -> None:
    first, second = line(SIX, 100, 3), line(SIX, 1100, 2)
    first[1, :4] = np.nan
    second[2, :] = np.nan
    found = order(SIX, first, second)
    assert found.lengths.tolist() == [0, 40, 576, 1500, 8192]
    assert found.verdicts.tolist() == [FIRST, FIRST, FIRST, SECOND, SECOND]


def test_many_rounds_are_sampled_and_still_distinguished() -> None:
    noise = np.random.default_rng(1).normal(0, 30, (2, len(SIX), 60))
    found = order(SIX, 1000 + 2.0 * SIX[:, None] + noise[0], 1100 + 1.0 * SIX[:, None] + noise[1])
    assert found.verdicts.tolist() == [FIRST, FIRST, SECOND, SECOND, SECOND, SECOND]


@pytest.mark.parametrize("count", [0, 1])
def test_no_length_and_one_length_have_no_crossover(count: int) -> None:
    lengths = np.arange(count)
    assert order(lengths, line(lengths, 1, 1), line(lengths, 9, 1)).cutoffs == ()
