# SPDX-License-Identifier: MIT OR Apache-2.0
"""How a thing measured is called where a format has one string for it."""

from __future__ import annotations

from cyclometer.records.rounds import Rounds


def path(point: Rounds) -> str:
    """operation/system/measure/length, and every variable that is not what it usually is."""
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
    """implementation and compiler."""
    return f"{point.subject.implementation} {point.subject.compiler}".strip()
