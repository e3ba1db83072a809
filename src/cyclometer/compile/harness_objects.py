# SPDX-License-Identifier: MIT OR Apache-2.0
"""The harness as objects: measuring loops and checks for each implementation, and the rest once for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache as cache_calls
from functools import partial
from pathlib import Path

from cyclometer.compile.opaque import Interface, OpaqueTypes
from cyclometer.compile.packages import Package
from cyclometer.compile.placed import PLACEMENT_FOLDERS
from cyclometer.compile.steps import COMMON_FLAGS, BuildSteps
from cyclometer.paths import api_folders, runtime_folders
from cyclometer.records.catalogue import Catalogue, Compiler, Implementation

HARNESS_FLAGS = ("-O2", "-std=gnu11")
# Optimising check.c and measure.c more would cost build time for nothing: what is timed is the primitive between them.
# With -Og, small functions between the two readings of the counter would become calls.
CHECK_FLAGS, MEASURE_FLAGS = ("-O0",), ("-O1",)
SHORT_CHAINS = "series.c"  # of runtime/: its timings show the overhead of those in measure.c, so it is compiled alike

_CommonPart = tuple[Path, Compiler, tuple[str, ...], tuple[Path, ...]]
"""A source of the harness, its compiler, flags and include path."""


class BaseCompilers:
    """The compilers of the harness: one whatever is under test, and one for each emulated target."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._of_toolchain = {compiler.toolchain: compiler for compiler in reversed(catalogue.compilers)}
        native = [compiler for compiler in catalogue.compilers if not compiler.emulator]
        self.first = next(iter(native or catalogue.compilers), None)
        self.native = next((compiler for compiler in native if compiler.builds_harness), self.first)

    def of(self, compiler: Compiler) -> Compiler:
        """Return the compiler of the harness around what this one compiles."""
        if compiler.emulator or not self.native:
            return self._of_toolchain[compiler.toolchain]
        return self.native


class HarnessObjects:
    """Compiles the files of harness/ and of an operation, each once for all executables that can share it."""

    def __init__(self, catalogue: Catalogue, folder: Path, steps: BuildSteps, compilers: BaseCompilers) -> None:
        self._operations, self._folder, self._steps, self.compilers = catalogue.operations, folder, steps, compilers
        self._common, self._opaque = cache_calls(self._common_object), OpaqueTypes(steps)

    def of(
        self,
        implementation: Implementation,
        compiler: Compiler,
        packages: Package,
        include: Sequence[Path],
        macros: Sequence[tuple[str, str]],
        placed: tuple[str, ...] = (),
    ) -> list[Path]:
        """Compile loops, checks and glue, which use the implementation's types, and the rest of the harness."""
        operation, base = self._operations[implementation.operation], self.compilers.of(compiler)
        flags = (*HARNESS_FLAGS, *compiler.checker_flags)
        if compiler.checker_flags and implementation.library:
            flags = (*flags, "-DCYCLOMETER_LIBRARY")
        check, measure = _without_emulator(compiler, CHECK_FLAGS), _without_emulator(compiler, MEASURE_FLAGS)
        # The checks may be wrong, too, so a sanitizer watches them.
        sources = [
            (operation.folder / "measure.c", (*measure, *placed)),
            (operation.folder / "check.c", (*check, *compiler.sanitizer_flags)),
        ]
        if compiler.checker_flags and (operation.folder / "secrets.c").exists():
            sources.append((operation.folder / "secrets.c", ()))
        own = Interface(tuple(include), tuple(macros), packages)
        opaque, sizes = self._opaque.of(operation, base, own)
        objects = [self._typed(source, base, (*flags, *COMMON_FLAGS, *more), opaque) for source, more in sources]
        objects += [self._typed(source, base, (*flags, *COMMON_FLAGS), own) for source in implementation.glue]
        return [*objects, *sizes, *(self._common(*one) for one in self._common_parts(base, (*flags, *placed)))]

    def _typed(self, source: Path, base: Compiler, flags: tuple[str, ...], seen: Interface) -> Path:
        options = (*flags, *seen.packages.cflags)
        folders, version = (*api_folders(self._folder), *seen.folders), (None, seen.packages.identity)
        return self._steps.object(source, base, options, folders, seen.macros, True, version)

    def common_work(self, compilers: Iterable[Compiler]) -> list[Callable[[], object]]:
        """Return calls that compile the part of the harness that is the same in every executable, file by file."""
        kinds = {(self.compilers.of(each), (*HARNESS_FLAGS, *each.checker_flags)) for each in compilers}
        return [partial(self._common, *part) for kind in kinds for part in self._common_parts(*kind)]

    def _common_parts(self, base: Compiler, flags: tuple[str, ...]) -> list[_CommonPart]:
        """Return the sources that are the same in every executable, each with how it is compiled."""
        more = PLACEMENT_FOLDERS if "-DPLACEMENT" in flags else ()
        folders = (*(self._folder / name for name in more), *runtime_folders(self._folder))
        measured = _without_emulator(base, MEASURE_FLAGS)
        return [
            (source, base, (*flags, *(measured if source.name == SHORT_CHAINS else ()), "-fvisibility=hidden"), folders)
            for name in ("runtime", *more)
            for source in sorted((self._folder / name).glob("*.c"))
        ]

    def _common_object(self, source: Path, base: Compiler, flags: tuple[str, ...], folders: tuple[Path, ...]) -> Path:
        return self._steps.object(source, base, flags, folders, (), True)


def _without_emulator(compiler: Compiler, flags: tuple[str, ...]) -> tuple[str, ...]:
    """Return flags that make an emulator's work slower: they are for what runs on this machine."""
    return () if compiler.emulator else flags
