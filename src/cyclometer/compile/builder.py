# SPDX-License-Identifier: MIT OR Apache-2.0
"""What goes into an executable: the implementation's own objects, the harness, libraries, and their flags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache as cache_calls
from pathlib import Path

from cyclometer.compile import vendored
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.crates import crate_archive
from cyclometer.compile.foreign import DEFINES_NONE, ForeignCode
from cyclometer.compile.packages import MissingLibrary, Package, find_packages, with_headers
from cyclometer.compile.sources import Includes
from cyclometer.compile.steps import COMMON_FLAGS, BuildError, BuildSteps
from cyclometer.compile.toolchain import predefined
from cyclometer.execute.pool import on_all_cores
from cyclometer.paths import api_folders, runtime_folders
from cyclometer.records.catalogue import Catalogue, Compiler, Foreign, Implementation
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning

HARNESS_FLAGS = ("-O2", "-std=gnu11")
# Their own code waits for the primitive, or stands outside of what is timed: optimising it takes longer.
CHECK_FLAGS, MEASURE_FLAGS = ("-O0",), ("-O1",)
UNDEFINED = re.compile(r"undefined reference to `(\w+)'")  # what a linker says

# What a compiler says of an include of another primitive, as a copy of one implementation has it.
_OF_ITS_TREE = re.compile(r"fatal error: '?(crypto_[a-z]+_\w+\.h)\b")


class Builder:
    """Builds against one tree, one counter and one CPU."""

    def __init__(
        self,
        *,
        tree: Path,
        catalogue: Catalogue,
        cache: Cache,
        counter: str,
        cpu_flags: Iterable[str],
        cpu: str,
    ) -> None:
        self.harness = tree / "harness"
        self.shared = tree / "primitives" / "_shared"
        self.catalogue, self.cache = catalogue, cache
        self.includes = Includes()  # the tree stands still while it is built
        self.foreign = ForeignCode(cache, cpu, self.includes)
        self.cpu_flags, self.cpu = frozenset(cpu_flags), cpu
        # One compiler for harness and loops whatever is under test; an emulated target's own for that target.
        self.base = {c.toolchain: c for c in reversed(catalogue.compilers)}
        compilers = catalogue.compilers
        native = [c for c in compilers if not c.emulator]
        self.first = next(iter(native or compilers), None)
        self.harness_compiler = next((c for c in native if c.builds_harness), self.first)
        self.steps = BuildSteps(self.harness, cache, counter, cpu, self.includes)
        self._common = cache_calls(self._common_objects)

    def build(
        self, requests: Sequence[BuildRequest], progress: Callable[[], None] = lambda: None
    ) -> tuple[list[Executable], list[Failure]]:
        """All requests on all cores; the failures are records."""
        # Compiler by compiler: neighbours in the queue do not wait for the same check.c.
        queue = sorted(requests, key=lambda request: request.compiler.name)
        results = on_all_cores(self._one, queue, progress)
        built = [result for result in results if isinstance(result, Executable)]
        failed = [result for result in results if isinstance(result, Failure)]
        order = {request.subject: place for place, request in enumerate(requests)}
        return sorted(built, key=lambda e: order[e.subject]), sorted(failed, key=lambda f: order[f.subject])

    def _one(self, request: BuildRequest) -> Executable | Failure:
        try:
            return self._executable_at_last(request)
        except BuildError as stop:
            return stop.failure(request.subject)

    def _executable_at_last(self, request: BuildRequest) -> Executable:
        """A foreign tree links every library that it carries with everything: here, where that can help."""
        try:
            return self._executable(request)
        except BuildError as stop:
            if helped := _with_libraries(request, UNDEFINED.findall(stop.detail)):
                with suppress(BuildError):
                    return self._executable(helped)
            raise

    def _executable(self, request: BuildRequest) -> Executable:
        implementation, compiler = request.implementation, request.compiler
        features = self._features(implementation, compiler)
        packages, whole = self._packages(implementation, compiler), _whole(request)
        include = (*implementation.folders, *self._api_folders(request), self.shared)
        macros = (*self._macros(request), *implementation.macros)
        flags = (*compiler.flags, *features, *COMMON_FLAGS, *packages.cflags)
        if not implementation.sources:
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "has no source file (.c, .cc, .cpp, .S)")
        if implementation.foreign:
            own = [self._foreign_object(request, flags)]
        else:
            before = (implementation.precompiled, packages.identity)
            own = [
                self.steps.object(source, compiler, flags, include, macros, before=before)
                for source in implementation.sources
            ]
        rest = self._harness_objects(implementation, compiler, packages, include, macros)
        if implementation.foreign:
            rest = [self.steps.isolate(rest, implementation.foreign.names)]
        return Executable(
            subject=request.subject,
            path=self.steps.link(compiler, [*own, *request.objects, *rest], self._packages(whole, compiler), whole),
            compiler=compiler,
            code_bytes=self.steps.code_bytes(compiler, [*own, *request.objects]),
            objects=(*own, *request.objects) if implementation.foreign else tuple(own),
            implementation=whole,
        )

    def _harness_objects(
        self,
        implementation: Implementation,
        compiler: Compiler,
        packages: Package,
        include: Sequence[Path],
        macros: Sequence[tuple[str, str]],
    ) -> list[Path]:
        """Laws, loops and glue, which know the types of the implementation, and what is the same for all."""
        operation, base = self.catalogue.operations[implementation.operation], self._base(compiler)
        flags = (*HARNESS_FLAGS, *compiler.checker_flags)
        seen = (*COMMON_FLAGS, *packages.cflags)
        if compiler.checker_flags and implementation.library:
            flags = (*flags, "-DCYCLOMETER_LIBRARY")
        laws, loops = (CHECK_FLAGS, MEASURE_FLAGS) if not compiler.emulator else ((), ())
        ours = [(operation.folder / "check.c", laws), (operation.folder / "measure.c", loops)]
        ours += [(source, ()) for source in implementation.glue]
        if compiler.checker_flags and (operation.folder / "secrets.c").exists():
            ours.append((operation.folder / "secrets.c", ()))
        around = (*include, *api_folders(self.harness))
        made = [
            self.steps.object(source, base, (*flags, *seen, *more), around, macros, True, (None, packages.identity))
            for source, more in ours
        ]
        return [*made, *self._common(base, flags)]

    def _common_objects(self, base: Compiler, flags: tuple[str, ...]) -> tuple[Path, ...]:
        """The harness itself: the same in every executable, so it is looked up once."""
        return tuple(
            self.steps.object(source, base, (*flags, "-fvisibility=hidden"), runtime_folders(self.harness), (), True)
            for source in sorted((self.harness / "runtime").glob("*.c"))
        )

    def _foreign_object(self, request: BuildRequest, flags: Sequence[str]) -> Path:
        foreign = request.implementation.foreign
        libraries = self._vendored(foreign, request.compiler) if foreign else []
        made = self.foreign.object(request.implementation, request.compiler, flags, request.exported_headers, libraries)
        if isinstance(made, ToolFailure):
            raise _rejected(made.words)
        return made

    def _vendored(self, foreign: Foreign, compiler: Compiler) -> list[Path]:
        libraries = self.foreign.libraries(foreign, self._base(compiler))
        if isinstance(libraries, ToolFailure):
            raise BuildError(
                FailureKind.DOES_NOT_COMPILE, "a library that the tree carries does not build", libraries.words
            )
        return libraries

    def probe(self, counter: str) -> Path | Failure:
        """The program that tries one counter of harness/counters."""
        subject = Tuning(operation="", primitive="", implementation=counter)
        try:
            if not self.first:
                raise BuildError(FailureKind.NEEDS_TOOL, "no compiler works here")
            steps = BuildSteps(self.harness, self.cache, counter, self.cpu, self.includes)
            source, folders = self.harness / "counters" / "counter_probe.c", runtime_folders(self.harness)
            made = steps.object(source, self.first, HARNESS_FLAGS, folders, (), True)
            return steps.link(self.first, [made], Package(), None)
        except BuildError as stop:
            return stop.failure(subject)

    def _features(self, implementation: Implementation, compiler: Compiler) -> tuple[str, ...]:
        available = self.cpu_flags if compiler.cpu is None else frozenset(compiler.cpu)
        flags: list[str] = []
        missing = []
        for name in implementation.needs:
            feature = self.catalogue.features[name]
            flags += feature.flags
            lacks_macro = feature.macro and feature.macro not in predefined(compiler.command)
            if lacks_macro or (feature.cpuinfo and feature.cpuinfo not in available):
                missing.append(name)
        if missing:
            raise BuildError(FailureKind.NEEDS_FEATURE, f"needs {', '.join(missing)}")
        return tuple(flags)

    def _packages(self, implementation: Implementation, compiler: Compiler) -> Package:
        if not implementation.packages and not implementation.headers and not implementation.crate:
            return Package()
        if not compiler.provider_libraries:
            raise BuildError(FailureKind.NEEDS_LIBRARY, f"the libraries of {compiler.toolchain} are not used")
        if implementation.crate:
            return self._crate(implementation.crate, compiler)
        found = find_packages(implementation.packages)
        if isinstance(found, Package):
            found = with_headers(found, compiler.command, implementation.headers)
        if isinstance(found, MissingLibrary):
            remedy = f" (Debian: apt install {implementation.debian})" if implementation.debian else ""
            raise BuildError(found.kind, f"needs {found.name}{remedy}")
        return found

    def _crate(self, folder: Path, compiler: Compiler) -> Package:
        # For this machine, as our own code is; checkers do not know its every instruction.
        flags = () if compiler.checker_flags else ("-Ctarget-cpu=native",)
        made = crate_archive(folder, self.cache, flags, self.cpu)
        if isinstance(made, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "its Rust package does not compile", made.words)
        if isinstance(made, MissingLibrary):
            raise BuildError(made.kind, f"needs {made.name}")
        return made

    def _api_folders(self, request: BuildRequest) -> list[Path]:
        composed = request.primitive.composed
        names = (
            [request.primitive.operation, *(op for op, _ in composed.every_part)]
            if composed
            else [request.primitive.operation]
        )
        return [self.catalogue.operations[name].folder for name in names]

    def _macros(self, request: BuildRequest) -> list[tuple[str, str]]:
        """Sizes of the primitive and of its parts, as the API headers name them."""
        primitive = request.primitive
        parts = primitive.composed.every_part if primitive.composed else ()
        macros = [(f"{primitive.operation}_ASSOCIATEDDATA", str(int(primitive.associated_data)))]
        for one in (primitive, *(self.catalogue.primitives[f"{op}/{name}"] for op, name in parts)):
            names = self.catalogue.operations[one.operation].size_macros
            macros += [(f"{one.operation}_{names[size]}", str(value)) for size, value in one.sizes.items()]
        return macros + self._foreign_macros(request)

    def _foreign_macros(self, request: BuildRequest) -> list[tuple[str, str]]:
        """What its own API header says."""
        foreign, composed = request.implementation.foreign, request.primitive.composed
        if not foreign or not self.first:
            return []
        operation = composed.parts[composed.searched][0] if composed else request.primitive.operation
        near = (request.exported_headers, self._vendored(foreign, request.compiler))
        sizes = self.foreign.sizes(foreign, self.first, *near)
        if isinstance(sizes, ToolFailure):  # the header may need what only its own compiler has
            sizes = self.foreign.sizes(foreign, request.compiler, *near)
        if isinstance(sizes, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, f"{foreign.api.name} does not compile", sizes.words)
        return [(f"{operation}_{name}", str(value)) for name, value in sizes.items()]

    def _base(self, compiler: Compiler) -> Compiler:
        if compiler.emulator or not self.harness_compiler:
            return self.base[compiler.toolchain]
        return self.harness_compiler


def _rejected(words: str) -> BuildError:
    """Why a foreign implementation does not compile, by what its compiler says."""
    if words == DEFINES_NONE:
        return BuildError(FailureKind.FUNCTION_MISSING, DEFINES_NONE, words)
    if elsewhere := _OF_ITS_TREE.search(words):
        reason = f"needs {elsewhere[1]}, which is not there: name its folder inside its tree"
        return BuildError(FailureKind.NEEDS_LIBRARY, reason, words)
    return BuildError(FailureKind.DOES_NOT_COMPILE, "does not compile", words)


def _whole(request: BuildRequest) -> Implementation:
    """The implementation, its libraries and those of what it stands on."""
    implementation, dependencies = request.implementation, request.dependencies
    cplusplus = ("-lstdc++",) if any(s.suffix in (".cc", ".cpp") for i in dependencies for s in i.sources) else ()
    return replace(
        implementation,
        packages=tuple(dict.fromkeys(p for i in (implementation, *dependencies) for p in i.packages)),
        libraries=tuple(flag for i in (implementation, *dependencies) for flag in i.libraries) + cplusplus,
    )


def _with_libraries(request: BuildRequest, missing: Sequence[str]) -> BuildRequest | None:
    """The same asking for those libraries of its tree that may have a function it misses; None if there are none."""
    foreign = request.implementation.foreign
    if not foreign:
        return None
    asked = tuple(replace(one, asked=one.asked or vendored.may_define(one, missing)) for one in foreign.vendored)
    if asked == foreign.vendored:
        return None
    return replace(request, implementation=replace(request.implementation, foreign=replace(foreign, vendored=asked)))
