# SPDX-License-Identifier: MIT OR Apache-2.0
"""What placement does to a system's times: which cause is named, and how often two systems change places."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from cyclometer.analyse.estimate.placement import PlacedCell
from cyclometer.analyse.estimate.variation import largest_share, order_turns, shares
from cyclometer.records.tuning import Tuning


def cells(cycles: Callable[[dict[str, int]], float]) -> list[PlacedCell]:
    """Make the cells of the default plan, with settled times that follow from where things are."""
    ordinary = [
        {"call_site": site, "alignment": alignment, "link": 0, "environment": 0, "round": number}
        for site, alignment, number in itertools.product(range(1, 9), (0, 1, 63), range(3))
    ]
    layouts = [
        {"call_site": 1, "alignment": 0, "link": link, "environment": 2 * link + which, "round": 0}
        for link, which in itertools.product(range(1, 9), (0, 1))
    ]
    return [
        PlacedCell(
            machine="box",
            subject=Tuning(operation="crypto_aead", primitive="made-up"),
            measure="encrypt",
            length=576,
            ad_length=0,
            output_alignment=where["alignment"],
            key_alignment=0,
            cold="",
            between=0,
            first=cycles(where),
            settled=cycles(where),
            curve=(cycles(where),),
            **where,
        )
        for where in [*ordinary, *layouts]
    ]


def test_loads_that_are_slow_unless_aligned_name_the_alignment() -> None:
    slow = cells(lambda where: 1000.0 if where["alignment"] == 0 else 1400.0)
    assert largest_share(slow, 0.01) == "alignment 100 %"
    assert shares(slow)["alignment"] == 1


def test_code_that_depends_on_its_link_names_the_link() -> None:
    moved = cells(lambda where: 1000.0 + 50 * (where["link"] % 4))
    assert largest_share(moved, 0.01).startswith("link ")


def test_additions_in_registers_name_nothing() -> None:
    same = cells(lambda where: 1000.0 + where["round"])
    assert largest_share(same, 0.01) == ""


def test_the_order_of_two_systems_turns_in_half_of_the_layouts() -> None:
    steady = cells(lambda _: 1000.0)
    other = cells(lambda where: 990.0 if where["link"] in range(1, 5) else 1010.0)
    assert order_turns(steady, other) == 8 / 17  # of the ordinary layout and sixteen others


def test_systems_far_apart_never_turn() -> None:
    assert order_turns(cells(lambda _: 1000.0), cells(lambda _: 2000.0)) == 0
