# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a driver is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

SESSION_SECONDS = 30
"""The longest that one session may take, calls included."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One rung: what it is, how the driver is to make it, and whether calls follow once a session has begun."""

    name: str
    options: Mapping[str, str]
    calls: bool = True


@dataclass(frozen=True, kw_only=True)
class Orders:
    """Sessions in the order in which they are to be made, and how many calls with which payloads in each."""

    rungs: Sequence[Asked]
    order: Sequence[tuple[int, int, bool]]  # round, index of the rung, whether it is the A/A control
    payloads: Sequence[int]
    transports: Sequence[str]
    calls: int
    core: int | None  # where everything runs; None: anywhere


@dataclass(frozen=True, kw_only=True)
class Session:
    """What one session took, in nanoseconds; or why there was none."""

    round: int
    rung: int
    control: bool
    series: Mapping[str, Sequence[int]]  # "MEASURE:PAYLOAD" -> timings
    problem: str = ""
