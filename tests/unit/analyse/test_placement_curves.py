# SPDX-License-Identifier: MIT OR Apache-2.0
"""Curves of placement: what follows from known cells."""

from __future__ import annotations

from cyclometer.analyse.estimate.placement import PlacedCell
from cyclometer.analyse.placement_curves import placed_curves
from cyclometer.records.curve import BEST, BETWEEN, LENGTH, TIMING, WORST, System
from cyclometer.records.tuning import Tuning

SYSTEM = System(machine="box", operation="crypto_aead", primitive="x", implementation="ref", compiler="gcc", label="x")


def cell(cycles: float, *, length: int = 576, first: float = 0, **where: int | str) -> PlacedCell:
    """Make a cell of three timings, which settles at `cycles`."""
    usual = {name: 0 for name in ("alignment", "output_alignment", "key_alignment", "between", "link", "environment")}
    values = {**usual, "cold": "", "call_site": 1, "round": 0, **where}
    return PlacedCell(
        machine="box",
        subject=Tuning(operation="crypto_aead", primitive="x"),
        measure="encrypt",
        length=length,
        ad_length=0,
        first=first or cycles,
        settled=cycles,
        curve=(first or cycles, cycles, cycles),
        **values,  # type: ignore[arg-type]
    )


def curves(*cells: PlacedCell) -> dict[tuple[str, str], dict[int, float]]:
    """Return the points of each curve by variable and situation."""
    found = placed_curves(cells, lambda _: SYSTEM)
    return {(c.variable, c.situation): dict(zip(c.at.tolist(), c.cycles.tolist(), strict=True)) for c in found}


def test_a_call_settles_after_what_was_cold_and_from_the_beginning_where_all_was_warm() -> None:
    found = curves(cell(100), cell(100, first=900, cold="code"), cell(100, first=1100, cold="code", round=1))
    assert found[TIMING, "warm"] == {1: 100, 2: 100, 3: 100}
    assert found[TIMING, "code"] == {1: 1000, 2: 100, 3: 100}


def test_without_anything_cold_there_is_nothing_to_settle() -> None:
    assert not [key for key in curves(cell(100), cell(120, call_site=2)) if key[0] == TIMING]


def test_other_code_is_at_the_first_place_alone() -> None:
    found = curves(cell(100), cell(300, between=64), cell(90, call_site=2), cell(80, link=3))
    assert found[BETWEEN, "warm"] == {0: 100, 64: 300}


def test_each_length_has_its_best_and_worst_place() -> None:
    places = [
        cell(100),
        cell(110, call_site=2),
        cell(95, link=1),
        cell(200, length=1500),
        cell(260, length=1500, alignment=1),
    ]
    found = curves(*places, cell(100, first=700, cold="all"), cell(200, first=900, cold="all", length=1500))
    assert found[LENGTH, BEST] == {576: 95, 1500: 200}
    assert found[LENGTH, WORST] == {576: 110, 1500: 260}
    assert found[LENGTH, "all"] == {576: 700, 1500: 900}
