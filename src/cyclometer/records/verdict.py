# SPDX-License-Identifier: MIT OR Apache-2.0
"""The verdicts of a comparison, for programs: whether B is slower than A, by how much, and if that is allowed."""

from __future__ import annotations

from dataclasses import dataclass

FASTER, SLOWER, MIXED, NO_DIFFERENCE = "faster", "slower", "mixed", "no difference"
"""What B is beside A; a measure is MIXED if B is faster at some points and slower at others."""


@dataclass(frozen=True, kw_only=True)
class PointVerdict:
    """The verdict at one point. Ratios are cycles of B over those of A."""

    value: int  # of the variable that varies
    verdict: str  # FASTER | SLOWER | NO_DIFFERENCE
    ratio: float | None  # None if a cost cannot be distinguished from an empty call's
    interval: tuple[float, float] | None  # 95 % of the ratio; None with a single round
    limit: float | None  # the ratio above which B fails; None without a limit
    passed: bool


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict on one measure of one system: that of its worst point, and all points."""

    operation: str
    system: str  # of B
    measure: str
    by: str  # the variable that varies
    a: str  # the sides in full: tuning, machine and run
    b: str
    verdict: str  # FASTER | SLOWER | MIXED | NO_DIFFERENCE
    passed: bool
    at: int  # the value of the worst point: farthest beyond its limit, or if there is no limit the slowest
    ratio: float | None
    interval: tuple[float, float] | None
    limit: float | None
    points: tuple[PointVerdict, ...]
    reason: str = ""  # why it fails, or ''


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A system of A that B lacks; it fails if a limit was set."""

    system: str  # operation/primitive
    passed: bool
