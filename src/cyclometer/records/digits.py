# SPDX-License-Identifier: MIT OR Apache-2.0
"""How many digits of a number mean anything: the one place where tables round."""

from __future__ import annotations

from math import floor, log10

from cyclometer.records.table import RATES, RATIO, Value


def number_text(value: float, unit: str, error: float | None = None) -> str:
    """Return a number with at most three decimals if it is a ratio or a rate, two per byte, else one below 100.

    With an `error`, in the same unit, the last digit is the first one of the error, but at least one digit remains:
    1234 ± 30 is 1230, and 12.3 ± 4 is 12. An int is exact.
    """
    if isinstance(value, int) or not value:
        return str(int(value))
    decimals = _most_decimals(value, unit)
    if error:
        decimals = min(decimals, max(-floor(log10(error)), -floor(log10(abs(value)))))
    return f"{round(value, decimals):.{max(decimals, 0)}f}"


def error_of(figure: Value) -> float | None:
    """Return the error of a table's number: the one it states, or half of its interval; None if it has neither."""
    if figure.error is not None:
        return figure.error
    return (figure.interval[1] - figure.interval[0]) / 2 if figure.interval else None


def _most_decimals(value: float, unit: str) -> int:
    if unit == RATIO:
        return 3
    if unit in RATES:
        return 3 if abs(value) < 99.95 else 0
    if "/" in unit and unit != "MB/s":
        return 2
    return 1 if abs(value) < 99.95 else 0
