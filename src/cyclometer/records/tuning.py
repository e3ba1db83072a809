# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tuning (implementation and compiler of a primitive) and a timing of one."""

from __future__ import annotations

from dataclasses import dataclass


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
class Trial:
    """A tuning that was tried by the choose stage."""

    subject: Tuning
    cycles: float  # median for the choose grid, in core cycles or counter units
    timings: int  # the number of timings; 0: its cycles are from an earlier run
    chosen: bool
