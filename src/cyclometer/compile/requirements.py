# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an implementation needs of this machine: features of the CPU, libraries, a Rust package."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cyclometer.compile.build_tool import CRATE, BuildError, TimeBudgets
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.crates import crate_archive
from cyclometer.compile.packages import MissingLibrary, Package, find_packages, with_headers
from cyclometer.compile.toolchain import predefined
from cyclometer.records.catalogue import Catalogue, Compiler, Implementation
from cyclometer.records.failure import FailureKind


class Requirements:
    """Turns needs into flags, or says what is missing."""

    def __init__(
        self, catalogue: Catalogue, cache: Cache, cpu: str, cpu_flags: Iterable[str], budgets: TimeBudgets
    ) -> None:
        self._features, self._cache, self._budgets = catalogue.features, cache, budgets
        self._cpu, self._cpu_flags = cpu, frozenset(cpu_flags)

    def feature_flags(self, implementation: Implementation, compiler: Compiler) -> tuple[str, ...]:
        """Return the flags for the CPU features that the implementation needs; BuildError if one is missing."""
        available = self._cpu_flags if compiler.cpu is None else frozenset(compiler.cpu)
        flags: list[str] = []
        missing = []
        for name in implementation.needs:
            feature = self._features[name]
            flags += feature.flags
            lacks_macro = feature.macro and feature.macro not in predefined(compiler.command, compiler.target)
            if lacks_macro or (feature.cpuinfo and feature.cpuinfo not in available):
                missing.append(name)
        if missing:
            raise BuildError(FailureKind.NEEDS_FEATURE, f"needs {', '.join(missing)}")
        return tuple(flags)

    def packages(self, implementation: Implementation, compiler: Compiler) -> Package:
        """Return the flags for the libraries that the implementation needs; BuildError if one is missing."""
        if not implementation.packages and not implementation.headers and not implementation.crate:
            return Package()
        if not compiler.provider_libraries:
            raise BuildError(FailureKind.NEEDS_LIBRARY, f"{compiler.toolchain} has no provider libraries")
        if implementation.crate:
            return self._crate(implementation.crate, compiler)
        package = find_packages(implementation.packages)
        if isinstance(package, Package):
            package = with_headers(package, compiler.command, implementation.headers)
        if isinstance(package, MissingLibrary):
            remedy = f" (Debian: apt install {implementation.debian})" if implementation.debian else ""
            raise BuildError(package.kind, f"needs {package.name}{remedy}")
        return package

    def _crate(self, folder: Path, compiler: Compiler) -> Package:
        # Optimised for this machine, like our own code, unless a checker runs it: checkers lack some instructions.
        flags = () if compiler.checker_flags else ("-Ctarget-cpu=native",)
        with self._budgets.spending(f"crate {folder.name}", CRATE):
            package = crate_archive(folder, self._cache, flags, self._cpu)
        if isinstance(package, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "its Rust package does not compile", package.message)
        if isinstance(package, MissingLibrary):
            raise BuildError(package.kind, f"needs {package.name}")
        return package
