# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a level of a toggle costs beside its base: differences round by round, and when one counts as seen."""

from __future__ import annotations

import pytest

from cyclometer.protocols.effects import Effect, effect, level_names, plain_levels
from cyclometer.records.rounds import Rounds
from cyclometer.records.run import Size
from cyclometer.records.tuning import Tuning

SUBJECT = Tuning(operation="api", primitive="aes", implementation="ref", compiler="gcc-O2")


def rounds(measure: str, *headlines: float, first: int = 0) -> Rounds:
    return Rounds(
        run="r",
        machine="m",
        subject=SUBJECT,
        control=False,
        measure=measure,
        variables={"length": 45},
        numbers=tuple(range(first, first + len(headlines))),
        headlines=headlines,
        timings=(15,) * len(headlines),
        disturbed=False,
    )


def compared(*headlines: float, base: tuple[float, ...] = (100, 200, 300, 400), doubt: float = 3) -> Effect:
    return effect(rounds("memory-heap", *base), rounds("memory-per_packet", *headlines), doubt)


def test_a_level_is_compared_with_the_base_of_its_own_round() -> None:
    found = compared(110, 210, 310, 410)  # a machine that gets slower and slower
    assert (found.toggle, found.level, found.length) == ("memory", "per packet", 45)
    assert found.more == 10
    assert found.interval == (10, 10)
    assert found.share == pytest.approx(10 / 250)
    assert found.is_seen


def test_a_difference_that_changes_its_sign_is_not_seen() -> None:
    assert not compared(90, 220, 280, 430).is_seen


def test_a_difference_within_that_of_equal_calls_is_not_seen() -> None:
    assert compared(110, 210, 310, 410, doubt=9).is_seen
    assert not compared(110, 210, 310, 410, doubt=11).is_seen


def test_the_base_itself_costs_nothing_more() -> None:
    base = rounds("memory-heap", 100, 200)
    found = effect(base, base, 3)
    assert (found.is_base, found.more, found.interval, found.is_seen) == (True, 0.0, None, False)


def test_levels_are_listed_by_toggle_with_the_base_first() -> None:
    # As protocols/api/check.c prints them: the line, 1 000 000 more if not the base, 2 000 000 more if a plain call.
    records = {"call-table": 1_000_012, "call-direct": 2_000_030, "buffer-odd": 1_000_009, "buffer-apart": 2_000_020}
    sizes = [Size(subject=SUBJECT, name=f"level:{name}", value=value) for name, value in records.items()]
    sizes.append(Size(subject=SUBJECT, name="code_bytes", value=3_000_000))
    assert level_names(sizes) == ["buffer-apart", "buffer-odd", "call-direct", "call-table"]
    assert plain_levels(sizes) == ["call-direct", "buffer-apart"]
