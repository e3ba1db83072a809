# SPDX-License-Identifier: MIT OR Apache-2.0
"""Values of C expressions, as in headers of other projects."""

from __future__ import annotations

import pytest

from cyclometer.discover.arithmetic import arithmetic


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("128", 128),
        ("(128 + (i)*32)", 224),
        ("(1<<(7+i))", 1024),
        ("80U+(i)*32UL", 176),
        ("256 / 8 % 7 - 1", 3),
        ("sizeof(long)", None),
        ("i ** 2", None),
        ("", None),
        ("j", None),
        ("1 / (i - 3)", None),
        ("((", None),
    ],
)
def test_value(text: str, value: int | None) -> None:
    assert arithmetic(text, {"i": 3}) == value


def test_a_hostile_shift_is_bounded() -> None:
    value = arithmetic("1 << 99999999999999", {})
    assert value is not None
    assert value.bit_length() < 100_000
