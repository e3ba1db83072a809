# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ranks with ties, and the security of the systems ranked."""

from __future__ import annotations

import dataclasses

import pytest

from cyclometer.analyse import Cell, Spread, is_unbroken, meets, no_difference_seen, ranks, remaining_bits
from support.synthetic import subject


def cell(cycles: float, interval: tuple[float, float] | None = None) -> Cell:
    """Make a cell with this headline and interval."""
    return Cell(
        machine="box",
        subject=subject("x"),
        control=False,
        measure="encrypt",
        variables={"length": 576},
        cycles=cycles,
        interval=interval,
        quartiles=(cycles, cycles),
        rounds=5,
        samples=5,
        disturbed=False,
    )


def printed_ranks(*column: Cell, spread: float | None = None) -> list[str]:
    """Format ranks as a table prints them."""
    spreads = None if spread is None else Spread(quiet=spread, every=10 * spread)
    return [f"{rank.position}{'=' if rank.shared else ''}" for rank in ranks(column, spreads)]


def test_clear_differences_make_a_ranking_in_any_order() -> None:
    assert printed_ranks(cell(300), cell(100), cell(200), spread=0.01) == ["3", "1", "2"]


def test_a_difference_within_the_spread_is_a_tie() -> None:
    assert printed_ranks(cell(1000), cell(1009), cell(1200), spread=0.01) == ["1=", "1=", "3"]


def test_overlapping_intervals_are_a_tie() -> None:
    assert printed_ranks(cell(1000, (990, 1025)), cell(1020, (1010, 1030)), cell(1050, (1040, 1060))) == [
        "1=",
        "1=",
        "3",
    ]


def test_without_spread_and_intervals_only_equal_numbers_tie() -> None:
    assert printed_ranks(cell(1000), cell(1000), cell(1001)) == ["1=", "1=", "3"]


def test_ties_do_not_run_through_the_whole_column() -> None:
    """Each cell is 1 % above the last: a tie is with the fastest of its group, so the third begins a new group."""
    assert printed_ranks(cell(1000), cell(1009), cell(1018), cell(1027), spread=0.01) == ["1=", "1=", "3=", "3="]


def test_a_disturbed_cell_ties_with_all_but_distant_cells() -> None:
    near, far = cell(1050), cell(1200)
    disturbed = dataclasses.replace(cell(1000), disturbed=True)
    assert printed_ranks(cell(1000), near, far, spread=0.01) == ["1", "2", "3"]
    assert printed_ranks(disturbed, near, far, spread=0.01) == ["1=", "1=", "3"]


def test_no_difference_is_seen_in_both_directions() -> None:
    spread = Spread(quiet=0.01, every=0.01)
    assert no_difference_seen(cell(1000), cell(1005), spread)
    assert no_difference_seen(cell(1005), cell(1000), spread)


BROKEN = {
    "security_bits": 128,
    "attacks": [{"remaining_bits": 100, "breaks": "a"}, {"remaining_bits": 20, "breaks": "b"}],
}
WHOLE = {"security_bits": 128, "attacks": [{"remaining_bits": 128, "breaks": "reduced rounds"}]}
SILENT: dict[str, object] = {"attacks": []}


def test_the_remaining_security_is_the_claim_less_the_best_attack() -> None:
    assert remaining_bits(BROKEN) == 20
    assert remaining_bits(WHOLE) == 128
    assert remaining_bits(SILENT) is None


def test_broken_means_below_the_claim() -> None:
    assert not is_unbroken(BROKEN)
    assert is_unbroken(WHOLE)
    assert is_unbroken(SILENT)
    assert not is_unbroken({"attacks": [{"remaining_bits": 60, "breaks": "all"}]})


@pytest.mark.parametrize(
    ("declaration", "unbroken", "least", "stays"),
    [
        (BROKEN, False, 0, True),
        (BROKEN, True, 0, False),
        (BROKEN, False, 20, True),
        (BROKEN, False, 21, False),
        (WHOLE, True, 128, True),
        (SILENT, True, 0, True),
        (SILENT, False, 80, False),
    ],
)
def test_a_system_stays_if_it_is_as_secure_as_requested(
    declaration: dict[str, object], unbroken: bool, least: int, stays: bool
) -> None:
    assert meets(declaration, unbroken=unbroken, least_bits=least) is stays


@pytest.mark.parametrize(
    ("cycles", "interval", "varies"),
    [
        (1000, (971, 1029), False),
        (1000, (960, 1010), True),  # 4 % below
        (1000, (990, 1040), True),  # 4 % above
        (30, (28, 33), False),  # 10 %, which is three cycles
        (30, (26, 33), True),
        (1000, None, False),  # a single round
    ],
)
def test_a_number_varies_if_its_interval_reaches_more_than_three_per_cent_from_it(
    cycles: float, interval: tuple[float, float] | None, varies: bool
) -> None:
    assert cell(cycles, interval).varies == varies
