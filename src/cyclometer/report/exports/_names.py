# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names of measurements for formats that have one string for them."""

from __future__ import annotations

from cyclometer.records.rounds import Rounds


def path(point: Rounds) -> str:
    """Return operation/system/measure/length, and every other variable that has not its usual value."""
    variables = point.variables
    parts = [point.subject.operation, point.subject.primitive, point.measure]
    if variables["length"] or point.measure != "expandkey":
        parts.append(str(variables["length"]))
    if variables["keys"] != 1:
        parts.append(f"keys:{variables['keys']}")
    if variables["ad_length"]:
        parts.append(f"ad:{variables['ad_length']}")
    if variables["alignment"]:
        parts.append(f"align:{variables['alignment']}")
    return "/".join(parts)


def tuning(point: Rounds) -> str:
    """Return implementation and compiler, separated by a blank."""
    return f"{point.subject.implementation} {point.subject.compiler}".strip()
