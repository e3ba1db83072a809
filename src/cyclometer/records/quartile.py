# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which of a few ascending values is their lower quartile: the rule that choosing and analysing share."""

from __future__ import annotations


def lower_quartile_index(count: int) -> int:
    """Return its index: the smallest of up to four values, the second of up to eight, and so on.

    It suits numbers that a disturbance can increase but not decrease.
    """
    return (count - 1) // 4
