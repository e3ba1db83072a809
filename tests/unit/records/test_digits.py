# SPDX-License-Identifier: MIT OR Apache-2.0
"""Numbers of tables show the digits that their error allows, and no noise."""

from __future__ import annotations

import pytest

from cyclometer.records.digits import error_of, number_text
from cyclometer.records.table import RATIO, Value


@pytest.mark.parametrize(
    ("value", "unit", "error", "shown"),
    [
        (71.64, "core cycles", None, "71.6"),  # a single round has no error to show
        (71.64, "core cycles", 0.2, "71.6"),
        (71.64, "core cycles", 3.0, "72"),
        (1234.4, "core cycles", 0.01, "1234"),  # never more than the usual digits
        (1234.4, "core cycles", 30.0, "1230"),
        (36397.0, "core cycles", 258.0, "36400"),
        (140.0, "core cycles", 900.0, "100"),  # one digit remains
        (5.2, "core cycles", 30.0, "5"),
        (0.853, "core cycles/byte", 0.02, "0.85"),
        (0.853, "core cycles/byte", 0.2, "0.9"),
        (1.2346, RATIO, 0.0004, "1.235"),
        (1.2346, RATIO, 0.05, "1.23"),
        (-20.9, "core cycles", 4.0, "-21"),
        (176, "bytes", 12.0, "176"),  # counted, not measured
        (0.0, "core cycles", 1.0, "0"),
    ],
)
def test_the_last_digit_is_the_first_one_of_the_error(value: float, unit: str, error: float | None, shown: str) -> None:
    assert number_text(value, unit, error) == shown


def test_the_error_is_half_of_the_interval_unless_it_is_stated() -> None:
    assert error_of(Value(value=100.0, interval=(98.0, 104.0))) == 3.0
    assert error_of(Value(value=100.0, interval=(98.0, 104.0), error=7.0)) == 7.0
    assert error_of(Value(value=100.0)) is None
