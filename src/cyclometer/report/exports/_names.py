# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names of measurements for formats that have one string for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from cyclometer.records.rounds import ExportSource, Rounds


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


def names(exported: ExportSource) -> Callable[[Rounds], str]:
    """Return the function that names a point: equal in two runs, whatever tuning each of them chose.

    Machine, tuning and run are part of a name only where several machines, or several points, would share it.
    """
    several = len({info.machine for info in exported.infos}) > 1

    def short(point: Rounds) -> str:
        return f"{point.machine}: {path(point)}" if several else path(point)

    used = Counter(short(point) for point in exported.rounds())

    def name(point: Rounds) -> str:
        return short(point) if used[short(point)] < 2 else f"{short(point)} ({tuning(point)}, {point.run})"

    return name
