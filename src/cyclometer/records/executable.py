# SPDX-License-Identifier: MIT OR Apache-2.0
"""A built tuning."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclometer.records.catalogue import Compiler, Implementation
from cyclometer.records.tuning import Subject


@dataclass(frozen=True, kw_only=True)
class Executable:
    """A built (implementation, compiler), ready to be asked for its verbs."""

    subject: Subject
    path: Path
    compiler: Compiler
    code_bytes: int
    objects: tuple[Path, ...]  # of the implementation alone, for a composition or a dependent to link
    implementation: Implementation
