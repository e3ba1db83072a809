# SPDX-License-Identifier: MIT OR Apache-2.0
"""Estimators against values worked out by hand, and against simpler definitions."""

from __future__ import annotations

import itertools

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cyclometer.analyse.estimate.estimators import (
    has_several_values_sql,
    lower_quartile,
    mean_sql,
    median_interval,
    stabilised_quartiles,
    stq2_sql,
    trimmed_mean_sql,
)
from cyclometer.records.several_values import trimmed_mean_of_several

# StQ2 of 15 timings: positions 45 to 75 of 120, hence 3/8 of the 6th, the 7th to 9th whole, 3/8 of the 10th.
BY_HAND = [
    ([100] * 15, 100.0),
    (list(range(1, 16)), 8.0),
    ([0] * 5 + [8, 16, 24, 32, 40] + [10**9] * 5, (3 * 8 + 8 * 16 + 8 * 24 + 8 * 32 + 3 * 40) / 30),
    ([7], 7.0),
    ([1, 3], 2.0),  # positions 6 to 10 of 16: two of each
    ([1, 2, 9], (7 * 0 + 6 * 2) / 6),  # positions 9 to 15 of 24: all in the middle one
    ([1, 2, 4, 8], (4 * 2 + 4 * 4) / 8),
]


@pytest.mark.parametrize(("timings", "expected"), BY_HAND)
def test_stq2_is_the_mean_of_the_middle_quarter(timings: list[int], expected: float) -> None:
    assert stabilised_quartiles(timings)[1] == pytest.approx(expected)


@pytest.mark.parametrize(("timings", "expected"), BY_HAND)
def test_the_database_computes_the_same_stq2(timings: list[int], expected: float) -> None:
    rows = duckdb.connect().execute(f"SELECT {stq2_sql('s')} FROM (SELECT ? AS s)", [sorted(timings)]).fetchall()
    assert rows[0][0] == pytest.approx(expected)


def test_the_quarter_may_lie_elsewhere() -> None:
    """Where half of the calls are interrupted, the middle of the others is at a quarter of all."""
    query = f"SELECT {stq2_sql('s', '0.25')}, {stq2_sql('s', '0.125')} FROM (SELECT ? AS s)"
    [found] = duckdb.connect().execute(query, [[1, 2, 3, 4, 50, 60, 70, 80]]).fetchall()
    assert found == pytest.approx(((2 + 3) / 2, (1 + 2) / 2))


SEVERAL = [
    ([1000] * 7 + [9000] * 8, 26.0, (5 * 1000 + 6 * 9000) / 11),  # without two at each end
    ([1000] * 5 + [9000] * 1, 26.0, None),  # one slow call is left out
    ([1000, 1200, 1499, 2000], 26.0, None),
    ([1000, 1200, 1600, 2000], 26.0, None),  # 1600 is less than 1.5 times 1200
    ([20, 20, 20, 72, 72, 72], 26.0, None),  # a counter that advances by 26 may read 50 cycles so
    ([20, 20, 20, 72, 72, 72], 1.0, 46.0),
    ([1000, 9000], 26.0, None),  # nothing is left of two
]


@pytest.mark.parametrize(("timings", "step", "expected"), SEVERAL)
def test_the_mean_of_timings_with_several_values(timings: list[int], step: float, expected: float | None) -> None:
    """The same where candidates are compared and in the database."""
    several = has_several_values_sql("s", str(step))
    query = f"SELECT if({several}, {trimmed_mean_sql('s')}, NULL) FROM (SELECT CAST(? AS DOUBLE[]) AS s)"
    [(found,)] = duckdb.connect().execute(query, [timings]).fetchall()
    assert found == trimmed_mean_of_several(timings, step) == (expected and pytest.approx(expected))


def test_the_outer_quartiles_are_the_means_of_the_quarters_around_them() -> None:
    eight = [1, 2, 3, 4, 5, 6, 7, 8]  # StQ1 of positions 8 to 24 of 64: the 2nd and 3rd whole
    assert stabilised_quartiles(eight).tolist() == pytest.approx([2.5, 4.5, 6.5])


@settings(deadline=None, derandomize=True, database=None)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=40))
def test_the_definition_in_supercops_words(timings: list[int]) -> None:
    """Repeat each timing eight times, sort them, and take the means of positions n to 3n, 3n to 5n and 5n to 7n."""
    copies, n = sorted(timings * 8), len(timings)
    expected = [sum(copies[k * n : (k + 2) * n]) / (2 * n) for k in (1, 3, 5)]
    assert stabilised_quartiles(timings).tolist() == pytest.approx(expected)


def test_three_wild_timings_of_fifteen_do_not_move_the_headline() -> None:
    quiet = [1000, 1001, 1002, 1003] * 3
    assert stabilised_quartiles([*quiet, 10**8, 10**8, 10**8])[1] == pytest.approx(1002, abs=1)


def plain_bootstrap(values: list[float]) -> tuple[float, float]:
    """Return the 2.5 % and 97.5 % points of the medians of all resamples."""
    medians = sorted(float(np.median(sample)) for sample in itertools.product(values, repeat=len(values)))
    count = len(medians)
    low = next(m for index, m in enumerate(medians, 1) if index / count >= 0.025)
    high = next(m for index, m in enumerate(medians, 1) if index / count >= 0.975)
    return low, high


@pytest.mark.parametrize("values", [[5.0, 9.0], [1.0, 2.0, 4.0, 8.0, 16.0], [16.0, 3.0, 1.0, 2.0, 9.0, 2.0]])
def test_the_interval_is_that_of_the_plain_bootstrap(values: list[float]) -> None:
    low, high = median_interval([values])
    assert (low[0], high[0]) == pytest.approx(plain_bootstrap(values))


@pytest.mark.parametrize("rounds", range(3, 11))
def test_nine_of_ten_intervals_contain_the_true_median_however_few_the_rounds(rounds: int) -> None:
    """A bootstrap of three would contain it in three quarters of all cases."""
    drawn = np.random.default_rng(rounds).normal(1000, 10, (4000, rounds))
    low, high = median_interval(drawn)
    assert np.mean((low <= 1000) & (high >= 1000)) > (0.86 if rounds == 7 else 0.91)


def test_more_rounds_make_a_narrower_interval_and_the_same_one_every_time() -> None:
    sample = np.random.default_rng(1).normal(1000, 10, 41)
    few, many = median_interval([sample[:7]]), median_interval([sample])
    assert many[1][0] - many[0][0] < few[1][0] - few[0][0]
    assert many == median_interval([sample])


def test_cells_are_independent_of_each_other() -> None:
    both = median_interval([[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]])
    alone = median_interval([[10.0, 20.0, 30.0]])
    assert (both[0][1], both[1][1]) == (alone[0][0], alone[1][0])


@pytest.mark.parametrize(("count", "index"), [(1, 0), (2, 0), (4, 0), (5, 1), (8, 1), (9, 2)])
def test_the_lower_quartile_of_few_is_one_of_them(count: int, index: int) -> None:
    values = np.arange(count) * 10.0
    assert lower_quartile([values[::-1]]) == [values[index]]


def test_the_mean_of_a_group_does_not_depend_on_the_order_of_its_rows() -> None:
    orders = itertools.permutations([1e16, 1.0, 1.0, -1e16])  # the sum of these depends on their order
    means = {
        duckdb.connect().execute(f"SELECT {mean_sql('x', 'x < 2e16')} FROM unnest(?) AS t(x)", [list(order)]).fetchone()
        for order in orders
    }
    assert len(means) == 1
