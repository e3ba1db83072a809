# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tuning (implementation and compiler of a primitive) and a timing of one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """What a record is about; an empty string where a part does not apply."""

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
    """One tuning tried by the choose stage."""

    subject: Tuning
    cycles: float  # median of the choose work load, in core cycles or counter units
    timings: int  # how many it was given before it fell out of the race; 0: its cycles are an earlier race's
    chosen: bool
