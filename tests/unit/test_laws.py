# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is remembered of a check, and for how long it stands."""

from __future__ import annotations

from cyclometer.check.laws import had_less_time


def test_a_warning_that_time_was_short_stands_until_there_is_more() -> None:
    warning = "our laws: still running after 6 s (--time-limit gives it more)"
    assert had_less_time(warning, 7)
    assert not had_less_time(warning, 6.2)
    assert not had_less_time(warning, 1)


def test_any_other_warning_stands() -> None:
    assert not had_less_time("", 60)
    assert not had_less_time("length 300: reads or writes outside its buffers", 60)
