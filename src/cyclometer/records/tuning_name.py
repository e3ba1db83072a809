# SPDX-License-Identifier: MIT OR Apache-2.0
"""Names of tunings on the command line: SYSTEM[:IMPLEMENTATION[:COMPILER]]."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass, replace

from cyclometer.errors import CyclometerError
from cyclometer.records.tuning import Tuning

SYNTAX = "SYSTEM[:IMPLEMENTATION[:COMPILER]]"


def is_pattern(name: str) -> bool:
    """Return whether a part of a name has wildcards."""
    return any(mark in name for mark in "*?[")


@dataclass(frozen=True, kw_only=True)
class TuningName:
    """The name of one or more tunings; each part is a name or a pattern, and omitted parts match anything."""

    system: str  # a primitive, or operation/primitive
    implementation: str = "*"
    compiler: str = "*"

    @classmethod
    def parse(cls, text: str) -> TuningName:
        """Parse a name such as `salsa20-poly1305:avx2` or `crypto_aead/salsa20-poly1305:avx2:gcc-O3`.

        `salsa20-poly1305/avx2` is accepted, too, because the names of operations begin with crypto_.
        """
        parts = text.split(":", 2)
        if len(parts) == 1 and "/" in text and not text.startswith("crypto_"):
            parts = text.split("/", 2)
        if not all(parts):
            raise CyclometerError(f"{text!r} is not the name of a tuning; write {SYNTAX}")
        return cls(**dict(zip(("system", "implementation", "compiler"), parts, strict=False)))

    @classmethod
    def of(cls, subject: Tuning) -> TuningName:
        """Return the name that fits only this tuning."""
        system = f"{subject.operation}/{subject.primitive}"
        return cls(system=system, implementation=subject.implementation, compiler=subject.compiler)

    def __str__(self) -> str:
        """Return the shortest text that `parse` reads as this name."""
        parts = [self.system, self.implementation, self.compiler]
        while parts[-1] == "*":
            parts.pop()
        return ":".join(parts)

    def without_compiler(self) -> TuningName:
        """Return the name for whatever compiler."""
        return replace(self, compiler="*")

    def fits(self, subject: Tuning) -> bool:
        """Return whether the name fits the tuning."""
        return self.fits_system(subject.operation, subject.primitive) and all(
            fits_pattern(name, pattern)
            for name, pattern in ((subject.implementation, self.implementation), (subject.compiler, self.compiler))
        )

    def fits_system(self, operation: str, primitive: str) -> bool:
        """Return whether the name fits the system."""
        return any(fnmatch.fnmatchcase(name, self.system) for name in (primitive, f"{operation}/{primitive}"))


def fits_pattern(name: str, pattern: str) -> bool:
    """Return whether a pattern matches a name; one with a bracket, such as a machine in a mode, matches itself."""
    return name == pattern or fnmatch.fnmatchcase(name, pattern)
