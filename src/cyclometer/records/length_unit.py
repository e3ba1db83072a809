# SPDX-License-Identifier: MIT OR Apache-2.0
"""The unit of the variable `length`, a plural that the operation declares: bytes, blocks, items."""

from __future__ import annotations

BYTES = "bytes"


def singular(unit: str) -> str:
    """Return one of the unit: byte."""
    return unit.removesuffix("s")


def quantity(number: int, unit: str) -> str:
    """Return a number with its unit: 1 byte, 64 blocks."""
    return f"{number} {singular(unit) if number == 1 else unit}"


def axis_label(unit: str) -> str:
    """Return the label of an axis of lengths."""
    return "length (bytes)" if unit == BYTES else f"number of {unit}"


def by_length(unit: str) -> str:
    """Return how a title says that lengths run across."""
    return "by length in bytes" if unit == BYTES else f"by the number of {unit}"
