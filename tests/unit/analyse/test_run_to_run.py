# SPDX-License-Identifier: MIT OR Apache-2.0
"""Intervals and comparisons know how far earlier runs of the same program lie apart, not only the rounds of one run."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from cyclometer.analyse import Cell, cells, prepare, summarise
from cyclometer.analyse.comparison.ratios import CompareOptions, comparisons, sentences
from cyclometer.analyse.comparison.sides import MeasuredTunings, find, labelled
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.records.run import EarlierCost
from cyclometer.records.tuning_name import TuningName
from cyclometer.store import connect, select_runs
from support.synthetic import earlier_runs, process, run_info, write_run

T_4 = 2.776
"""Student's t for 95 %, two-sided, 4 degrees of freedom: of any table."""


def measured(tmp_path: Path, *cycles: float, earlier: list[EarlierCost]) -> Cell:
    """Return the cell of a run whose rounds took so many cycles."""
    rounds = [process("gcm", cycles={("encrypt", 576): each}, round=n) for n, each in enumerate(cycles)]
    write_run(tmp_path, run_info(), rounds, earlier=earlier)
    stored = select_runs(tmp_path)
    with connect(stored) as connection:
        prepare(connection, [entry.info for entry in stored if entry.info])
        (cell,) = cells(summarise(connection))
    return cell


def test_an_interval_reaches_as_far_as_runs_lie_apart(tmp_path: Path) -> None:
    """The rounds of this run agree; but five earlier ones have a standard deviation of 20 cycles."""
    cell = measured(tmp_path, 1000, 1000, 1000, earlier=earlier_runs("gcm", 980, 980, 1000, 1020, 1020))
    assert cell.cycles == 1000, "the number is that of this run"
    assert cell.interval == pytest.approx((1000 - T_4 * 20, 1000 + T_4 * 20))
    assert cell.varies, "another run may differ by more than 3 %"


def test_an_interval_of_rounds_that_vary_more_stays_as_it_is(tmp_path: Path) -> None:
    cell = measured(tmp_path, 1000, 1100, 900, 1000, 1000, earlier=earlier_runs("gcm", 999, 1000, 1001, 1000, 1000))
    assert cell.interval == pytest.approx((900, 1100))


def test_three_earlier_runs_say_too_little(tmp_path: Path) -> None:
    cell = measured(tmp_path, 1000, 1000, 1000, earlier=earlier_runs("gcm", 900, 1000, 1100))
    assert cell.interval == pytest.approx((1000, 1000))


def test_one_run_far_from_all_others_is_left_out(tmp_path: Path) -> None:
    """A neighbour may have met it without being noticed."""
    cell = measured(tmp_path, 1000, 1000, 1000, earlier=earlier_runs("gcm", 980, 980, 1000, 1020, 1020, 3000))
    assert cell.interval == pytest.approx((1000 - T_4 * 20, 1000 + T_4 * 20))


def test_a_number_that_is_none_says_nothing(tmp_path: Path) -> None:
    cell = measured(tmp_path, 1000, 1000, 1000, earlier=earlier_runs("gcm", 980, 980, math.inf, 1000, 1020, 1020))
    assert cell.interval == pytest.approx((1000 - T_4 * 20, 1000 + T_4 * 20))


def test_earlier_runs_of_other_lengths_and_systems_say_nothing(tmp_path: Path) -> None:
    others = [*earlier_runs("gcm", 500, 600, 700, 800, length=40), *earlier_runs("salsa20", 500, 600, 700, 800)]
    cell = measured(tmp_path, 1000, 1000, 1000, earlier=others)
    assert cell.interval == pytest.approx((1000, 1000))


@pytest.mark.parametrize(
    ("earlier", "verdict"),
    [
        ([], "gcm is 1.03 × faster"),
        (earlier_runs("gcm", 980, 980, 1000, 1020, 1020), "no difference seen"),
    ],
)
def test_two_runs_differ_if_they_lie_farther_apart_than_earlier_ones(
    tmp_path: Path, earlier: list[EarlierCost], verdict: str
) -> None:
    """A run that is 3 % slower than the one before says something only where runs agree to better than that."""
    later = run_info(run="2026-11-22T21-00-00-quick")
    for info, cycles in ((run_info(), 1000.0), (later, 1030.0)):
        rounds = [process("gcm", cycles={("encrypt", 576): cycles}, round=number, info=info) for number in range(3)]
        write_run(tmp_path, info, rounds, earlier=earlier)
    stored = select_runs(tmp_path, everything=True)
    infos = [entry.info for entry in stored if entry.info]
    with connect(stored) as connection:
        prepare(connection, infos)
        sides = labelled(*find(MeasuredTunings.read(connection), infos, TuningName.parse("gcm")).values())
        [line] = sentences(sides, next(comparisons(SampleSource(connection), [sides], CompareOptions())))[2:]
    assert verdict in line.replace(sides[0].label, "gcm")
