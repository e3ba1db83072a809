# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stacked bars on a page: parts beside each other, and where the measured whole is."""

from __future__ import annotations

import pytest

from cyclometer.records.bars import Bar, Bars
from cyclometer.report.site.stacked import stacked


def picture(*bars: Bar) -> Bars:
    return Bars(title="queue, 45 bytes", unit="cycles a call", parts=("plain", "null"), bars=bars, caption="")


def test_the_longest_reaches_almost_to_the_end_and_parts_follow_each_other() -> None:
    short = Bar(label="a", parts=(100.0, 50.0), measured=200.0)
    long = Bar(label="b", parts=(100.0, 300.0), measured=390.0)
    first, second = stacked(picture(short, long))
    assert second.parts[1].left == pytest.approx(second.parts[0].width)
    assert second.parts[1].left + second.parts[1].width == pytest.approx(1000 / 1.02)
    assert first.mark == pytest.approx(second.parts[1].width * 200 / 300)
    assert (first.measured, first.predicted, second.predicted) == (200.0, 150.0, 400.0)


def test_a_part_that_costs_less_than_nothing_takes_no_room() -> None:
    [bar] = stacked(picture(Bar(label="a", parts=(100.0, -5.0), measured=90.0)))
    assert bar.parts[1].width == 0
    assert bar.predicted == 95.0


def test_without_bars_there_is_nothing() -> None:
    assert stacked(picture()) == []
