# SPDX-License-Identifier: MIT OR Apache-2.0
"""How a tuning is named on the command line: SYSTEM[:IMPLEMENTATION[:COMPILER]]."""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass

from cyclometer.errors import CyclometerError
from cyclometer.records.tuning import Tuning

SYNTAX = "SYSTEM[:IMPLEMENTATION[:COMPILER]]"


@dataclass(frozen=True, kw_only=True)
class TuningName:
    """Each part a name or a pattern; what is not said may be anything."""

    system: str  # a primitive, or operation/primitive
    implementation: str = "*"
    compiler: str = "*"

    @classmethod
    def parse(cls, text: str) -> TuningName:
        """`salsa20-poly1305`, `salsa20-poly1305:avx2`, `crypto_aead/salsa20-poly1305:avx2:gcc-O3`.

        `salsa20-poly1305/avx2` is understood too: an operation's name begins with crypto_.
        """
        parts = text.split(":", 2)
        if len(parts) == 1 and "/" in text and not text.startswith("crypto_"):
            parts = text.split("/", 2)
        if not all(parts):
            raise CyclometerError(f"{text!r} names no tuning; write {SYNTAX}")
        return cls(**dict(zip(("system", "implementation", "compiler"), parts, strict=False)))

    @classmethod
    def of(cls, subject: Tuning) -> TuningName:
        """The name that fits this tuning alone."""
        system = f"{subject.operation}/{subject.primitive}"
        return cls(system=system, implementation=subject.implementation, compiler=subject.compiler)

    def __str__(self) -> str:
        """As it is written; parse gives it back."""
        parts = [self.system, self.implementation, self.compiler]
        while parts[-1] == "*":
            parts.pop()
        return ":".join(parts)

    def fits(self, subject: Tuning) -> bool:
        """Whether the tuning is one of those named."""
        return self.fits_system(subject.operation, subject.primitive) and all(
            name == pattern or fnmatch.fnmatchcase(name, pattern)
            for name, pattern in ((subject.implementation, self.implementation), (subject.compiler, self.compiler))
        )

    def fits_system(self, operation: str, primitive: str) -> bool:
        """Whether the system is one of those named."""
        return any(fnmatch.fnmatchcase(name, self.system) for name in (primitive, f"{operation}/{primitive}"))
