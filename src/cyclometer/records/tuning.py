# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tuning (implementation and compiler of a primitive) and a timing of one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

NOISE = "noise"  # puts a tuning behind the chosen one if one of the two was never timed in a quiet moment
UNCLEAR = "unclear: disturbed"  # what tables and pages say of it


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """The tuning that a record is about; parts that do not apply are empty."""

    operation: str
    primitive: str
    implementation: str = ""
    compiler: str = ""

    @property
    def key(self) -> str:
        """The key of its primitive: `operation/primitive`."""
        return f"{self.operation}/{self.primitive}"

    def __str__(self) -> str:
        parts = (self.operation, self.primitive, self.implementation, self.compiler)
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, kw_only=True)
class Timing:
    """One process's timing of a candidate, in core cycles or counter units, overhead subtracted.

    `quiet` tells whether nothing disturbed its cycles on the work load, `least` is what the fastest of its calls takes;
    `cells` are the undisturbed cells of the rest of the quick grid, None if that was not timed or all were disturbed,
    and `disturbed_cells` the number of the others.
    """

    cycles: float
    quiet: bool = True
    least: float = math.inf
    cells: Mapping[str, float] | None = None
    disturbed_cells: int = 0


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A tuning that was tried by the choose stage."""

    subject: Tuning
    cycles: float  # median for the choose grid, in core cycles or counter units
    timings: int  # the number of new timings; 0: its cycles are from an earlier run
    chosen: bool
    place: int = 0  # among the finalists, 1 is the chosen one; 0: not a finalist, or from a version that stored none
    decided_by: str = ""  # what put it behind the chosen one; docs/formats.md lists the values
    quick_ratio: float | None = None  # its score on the quick grid (choose/ties.py) by the chosen one's; None: no tie
    parts: str = ""  # the tunings of the parts that it was built with: "poly1305 avx2 gcc-O3, ..."
