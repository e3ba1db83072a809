# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tuning to be built, and a built one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclometer.records.catalogue import Compiler, Implementation, Primitive
from cyclometer.records.tuning import Tuning


@dataclass(frozen=True, kw_only=True)
class BuildRequest:
    """One executable to build; `objects` are finished ones of what is tuned first."""

    primitive: Primitive
    implementation: Implementation
    compiler: Compiler
    objects: tuple[Path, ...] = ()
    exported_headers: tuple[tuple[str, str], ...] = ()  # headers of the foreign primitives it stands on
    dependencies: tuple[Implementation, ...] = ()  # ... and their implementations, whose libraries it needs as well

    @property
    def subject(self) -> Tuning:
        """What the executable, or the failure, is about."""
        return Tuning(
            operation=self.implementation.operation,
            primitive=self.implementation.primitive,
            implementation=self.implementation.name,
            compiler=self.compiler.name,
        )


@dataclass(frozen=True, kw_only=True)
class Executable:
    """A built (implementation, compiler), ready to be asked for its verbs."""

    subject: Tuning
    path: Path
    compiler: Compiler
    code_bytes: int
    objects: tuple[Path, ...]  # of the implementation alone, for a composition or a dependent to link
    implementation: Implementation
