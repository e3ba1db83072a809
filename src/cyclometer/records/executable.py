# SPDX-License-Identifier: MIT OR Apache-2.0
"""Build requests and the executables built from them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.records.catalogue import Compiler, Implementation, Primitive
from cyclometer.records.tuning import Tuning


@dataclass(frozen=True, kw_only=True)
class BuildRequest:
    """One executable to build; `objects` are those of dependencies, which are built and tuned first."""

    primitive: Primitive
    implementation: Implementation
    compiler: Compiler
    objects: tuple[Path, ...] = ()
    exported_headers: tuple[tuple[str, str], ...] = ()  # headers of the foreign primitives that it depends on
    dependencies: tuple[Implementation, ...] = ()  # implementations of those, whose libraries it needs as well

    @property
    def subject(self) -> Tuning:
        """The tuning that is built."""
        return Tuning(
            operation=self.implementation.operation,
            primitive=self.implementation.primitive,
            implementation=self.implementation.name,
            compiler=self.compiler.name,
        )


@dataclass(frozen=True, kw_only=True)
class Executable:
    """A built tuning, whose verbs can be called."""

    subject: Tuning
    path: Path
    compiler: Compiler
    code_bytes: int
    objects: tuple[Path, ...]  # of the implementation alone, to be linked into compositions and dependents
    implementation: Implementation
    counter: str = ""  # file of harness/counters, without .h
    request: BuildRequest | None = None  # what it was built for; None for what is assembled from other executables
    has_peer: bool = False  # starts another process and opens sockets, on the loopback interface only
    loads: tuple[Path, ...] = ()  # shared libraries that were built with it
    layouts: tuple[Path, ...] = ()  # the same program, linked so that its code lies elsewhere

    def in_layout(self, number: int) -> Executable:
        """Return the executable of one layout: 0 is the ordinary one, and so is any that it does not have."""
        return replace(self, path=self.layouts[number - 1]) if 0 < number <= len(self.layouts) else self
