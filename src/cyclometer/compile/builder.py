# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds executables from the implementation's own objects, the harness and libraries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache as cache_calls
from pathlib import Path

from cyclometer.compile import vendored
from cyclometer.compile.advice import advised
from cyclometer.compile.build_tool import CRATE, BuildError, TimeBudgets
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.crates import crate_archive
from cyclometer.compile.elf import code_bytes
from cyclometer.compile.foreign import DEFINES_NONE, ForeignCode
from cyclometer.compile.packages import MissingLibrary, Package, find_packages, with_headers
from cyclometer.compile.placed import PLACEMENT_FOLDERS, padding, with_call_sites
from cyclometer.compile.sources import Includes
from cyclometer.compile.steps import COMMON_FLAGS, BuildSteps
from cyclometer.compile.toolchain import predefined
from cyclometer.errors import RefusedFile
from cyclometer.execute.pool import on_all_cores
from cyclometer.paths import api_folders, runtime_folders
from cyclometer.records.catalogue import Catalogue, Compiler, Foreign, Implementation
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.placement import Layout
from cyclometer.records.tuning import Tuning

HARNESS_FLAGS = ("-O2", "-std=gnu11")
# Optimising check.c and measure.c would cost build time for nothing: what is timed is the primitive between them.
CHECK_FLAGS, MEASURE_FLAGS = ("-O0",), ("-O1",)
UNDEFINED = re.compile(r"undefined reference to `(\w+)'")  # a linker's message

# A compiler's message if an implementation was copied out of its tree and includes another primitive of that tree.
_MISSING_INCLUDE = re.compile(r"fatal error: '?(crypto_[a-z]+_\w+\.h)\b")


class Builder:
    """Builds executables of one tree for one counter and one CPU; `time_limit` is that of a check, in seconds."""

    def __init__(
        self,
        *,
        tree: Path,
        catalogue: Catalogue,
        cache: Cache,
        counter: str,
        cpu_flags: Iterable[str],
        cpu: str,
        time_limit: float = 60.0,
    ) -> None:
        self.harness = tree / "harness"
        self.shared = tree / "primitives" / "_shared"
        self.catalogue, self.cache = catalogue, cache
        self.includes = Includes()  # the tree does not change while it is built
        self.budgets = TimeBudgets(time_limit)
        self.foreign = ForeignCode(cache, cpu, self.includes, self.budgets)
        self.cpu_flags, self.cpu = frozenset(cpu_flags), cpu
        # One base compiler for harness and loops whatever is under test; emulated targets have one each.
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
        """Build all requests on all cores; return executables and failures in the order of the requests."""
        # Sorted by compiler, so that neighbours in the queue do not wait for the same check.c.
        queue = sorted(requests, key=lambda request: request.compiler.name)
        results = on_all_cores(self._result, queue, progress)
        built = [result for result in results if isinstance(result, Executable)]
        failed = [result for result in results if isinstance(result, Failure)]
        order = {request.subject: index for index, request in enumerate(requests)}
        return sorted(built, key=lambda e: order[e.subject]), sorted(failed, key=lambda f: order[f.subject])

    def _result(self, request: BuildRequest) -> Executable | Failure:
        try:
            with self.budgets.spending(request.implementation.key):
                return self._executable_with_libraries(request)
        except BuildError as error:
            operation = self.catalogue.operations[request.implementation.operation]
            return advised(error, request.implementation, operation).failure(request.subject)
        except RefusedFile as error:
            return BuildError(FailureKind.DOES_NOT_COMPILE, str(error)).failure(request.subject)

    def _executable_with_libraries(self, request: BuildRequest) -> Executable:
        """Build; if that fails for an undefined function, try again with the vendored libraries that may define it.

        Foreign trees link everything with all libraries that they contain.
        """
        try:
            return self._executable(request)
        except BuildError as error:
            if extended := _with_libraries(request, UNDEFINED.findall(error.detail)):
                with suppress(BuildError):
                    return self._executable(extended)
            raise

    def placed(self, request: BuildRequest, layout: Layout) -> Executable | Failure:
        """Build a tuning once more to measure its placement: with eviction, eight call sites, and this layout."""
        try:
            with self.budgets.spending(request.implementation.key):
                return self._executable(request, layout)
        except BuildError as error:
            return error.failure(request.subject)

    def _executable(self, request: BuildRequest, layout: Layout | None = None) -> Executable:
        implementation, compiler = request.implementation, request.compiler
        features = self.feature_flags(implementation, compiler)
        packages, whole = self.packages(implementation, compiler), _with_dependencies(request)
        _require_one_meaning(implementation)
        include, macros = self.interface(request)
        flags = (*compiler.target, *compiler.flags, *features, *COMMON_FLAGS, *packages.cflags)
        if not implementation.sources:
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "has no source file (.c, .cc, .cpp, .S)")
        if implementation.foreign:
            own = [self._foreign_object(request, flags)]
        else:
            precompiled = (implementation.precompiled, packages.identity)
            own = [
                self.steps.object(source, compiler, flags, include, macros, precompiled=precompiled)
                for source in implementation.sources
            ]
        placed = ("-DPLACEMENT",) if layout else ()
        harness = self._harness_objects(implementation, compiler, packages, include, macros, placed)
        if not implementation.foreign:  # of foreign ones, nothing but these functions is visible
            self.steps.require_no_replacement(implementation.operation, own, harness)
        parts = [*own, *request.objects]
        if layout:
            base = self._base(compiler)
            harness = [with_call_sites(self.steps, base, harness)]
            parts = [*padding(self.steps, base, layout), *layout.order(parts)]
        if implementation.foreign:
            harness = [self.steps.isolate(harness, implementation.foreign.names)]
        return Executable(
            subject=request.subject,
            path=self.steps.link(compiler, [*parts, *harness], self.packages(whole, compiler), whole),
            compiler=compiler,
            code_bytes=0 if compiler.emulator else sum(map(code_bytes, [*own, *request.objects])),
            objects=(*own, *request.objects) if implementation.foreign else tuple(own),
            implementation=whole,
            counter=self.steps.counter,
            request=request,
        )

    def interface(self, request: BuildRequest) -> tuple[tuple[Path, ...], tuple[tuple[str, str], ...]]:
        """Return the include path and the macros with which a source can use the implementation's types."""
        implementation = request.implementation
        include = (*implementation.folders, *self._api_folders(request), self.shared)
        return include, (*self._macros(request), *implementation.macros)

    def _harness_objects(
        self,
        implementation: Implementation,
        compiler: Compiler,
        packages: Package,
        include: Sequence[Path],
        macros: Sequence[tuple[str, str]],
        placed: tuple[str, ...] = (),
    ) -> list[Path]:
        """Compile loops, checks and glue, which use the implementation's types, and the rest of the harness."""
        operation, base = self.catalogue.operations[implementation.operation], self._base(compiler)
        flags = (*HARNESS_FLAGS, *compiler.checker_flags)
        if compiler.checker_flags and implementation.library:
            flags = (*flags, "-DCYCLOMETER_LIBRARY")
        check, measure = (CHECK_FLAGS, MEASURE_FLAGS) if not compiler.emulator else ((), ())
        sources = [(operation.folder / "measure.c", (*measure, *placed)), (operation.folder / "check.c", check)]
        sources += [(source, ()) for source in implementation.glue]
        if compiler.checker_flags and (operation.folder / "secrets.c").exists():
            sources.append((operation.folder / "secrets.c", ()))
        typed, folders = (*flags, *COMMON_FLAGS, *packages.cflags), (*include, *api_folders(self.harness))
        objects = [
            self.steps.object(source, base, (*typed, *more), folders, macros, True, (None, packages.identity))
            for source, more in sources
        ]
        return [*objects, *self._common(base, (*flags, *placed))]

    def _common_objects(self, base: Compiler, flags: tuple[str, ...]) -> tuple[Path, ...]:
        """Compile the part of the harness that is the same in every executable."""
        more = PLACEMENT_FOLDERS if "-DPLACEMENT" in flags else ()
        folders = (*(self.harness / name for name in more), *runtime_folders(self.harness))
        return tuple(
            self.steps.object(source, base, (*flags, "-fvisibility=hidden"), folders, (), True)
            for name in ("runtime", *more)
            for source in sorted((self.harness / name).glob("*.c"))
        )

    def _foreign_object(self, request: BuildRequest, flags: Sequence[str]) -> Path:
        foreign = request.implementation.foreign
        libraries = self._vendored(foreign, request.compiler) if foreign else []
        result = self.foreign.object(
            request.implementation, request.compiler, flags, request.exported_headers, libraries
        )
        if isinstance(result, ToolFailure):
            raise _compile_error(result.message)
        return result

    def _vendored(self, foreign: Foreign, compiler: Compiler) -> list[Path]:
        libraries = self.foreign.libraries(foreign, self._base(compiler))
        if isinstance(libraries, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "a vendored library does not build", libraries.message)
        return libraries

    def probe(self, counter: str) -> Path | Failure:
        """Build the program that tries one counter of harness/counters."""
        return self._tool(counter, "counters/counter_probe.c")

    def stepper(self) -> Path | Failure:
        """Build the program that single-steps others."""
        return self._tool(self.steps.counter, "trace/step.c")

    def _tool(self, counter: str, source: str) -> Path | Failure:
        """Build a program of harness/ that stands alone."""
        try:
            if not self.first:
                raise BuildError(FailureKind.NEEDS_TOOL, "no compiler works here")
            steps = BuildSteps(self.harness, self.cache, counter, self.cpu, self.includes)
            folders = runtime_folders(self.harness)
            tool = steps.object(self.harness / source, self.first, HARNESS_FLAGS, folders, (), True)
            return steps.link(self.first, [tool], Package(), None)
        except BuildError as error:
            return error.failure(Tuning(operation="", primitive="", implementation=counter))

    def feature_flags(self, implementation: Implementation, compiler: Compiler) -> tuple[str, ...]:
        """Return the flags for the CPU features that the implementation needs; BuildError if one is missing."""
        available = self.cpu_flags if compiler.cpu is None else frozenset(compiler.cpu)
        flags: list[str] = []
        missing = []
        for name in implementation.needs:
            feature = self.catalogue.features[name]
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
        with self.budgets.spending(f"crate {folder.name}", CRATE):
            package = crate_archive(folder, self.cache, flags, self.cpu)
        if isinstance(package, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "its Rust package does not compile", package.message)
        if isinstance(package, MissingLibrary):
            raise BuildError(package.kind, f"needs {package.name}")
        return package

    def _api_folders(self, request: BuildRequest) -> list[Path]:
        composed = request.primitive.composed
        names = (
            [request.primitive.operation, *(op for op, _ in composed.every_part)]
            if composed
            else [request.primitive.operation]
        )
        return [self.catalogue.operations[name].folder for name in names]

    def _macros(self, request: BuildRequest) -> list[tuple[str, str]]:
        """Return the macros for the sizes of the primitive and its parts, named as in the API headers."""
        primitive = request.primitive
        parts = primitive.composed.every_part if primitive.composed else ()
        macros = [(f"{primitive.operation}_ASSOCIATEDDATA", str(int(primitive.associated_data)))]
        if max_bytes := primitive.facts.get("max_bytes"):
            macros.append((f"{primitive.operation}_MAXBYTES", str(max_bytes)))
        for each in (primitive, *(self.catalogue.primitives[f"{op}/{name}"] for op, name in parts)):
            names = self.catalogue.operations[each.operation].size_macros
            macros += [(f"{each.operation}_{names[size]}", str(value)) for size, value in each.sizes.items()]
        return macros + self._foreign_macros(request)

    def _foreign_macros(self, request: BuildRequest) -> list[tuple[str, str]]:
        """Return the macros for the sizes that a foreign implementation's own API header defines."""
        foreign, composed = request.implementation.foreign, request.primitive.composed
        if not foreign or not self.first:
            return []
        operation = composed.parts[composed.searched][0] if composed else request.primitive.operation
        headers, libraries = request.exported_headers, self._vendored(foreign, request.compiler)
        sizes = self.foreign.sizes(foreign, self.first, headers, libraries)
        if isinstance(sizes, ToolFailure):  # the header may need what only the compiler under test provides
            sizes = self.foreign.sizes(foreign, request.compiler, headers, libraries)
        if isinstance(sizes, ToolFailure):
            raise BuildError(FailureKind.DOES_NOT_COMPILE, f"{foreign.api.name} does not compile", sizes.message)
        return [(f"{operation}_{name}", str(value)) for name, value in sizes.items()]

    def _base(self, compiler: Compiler) -> Compiler:
        if compiler.emulator or not self.harness_compiler:
            return self.base[compiler.toolchain]
        return self.harness_compiler


def _compile_error(message: str) -> BuildError:
    """Return why a foreign implementation does not compile, judged by its compiler's message."""
    if message == DEFINES_NONE:
        return BuildError(FailureKind.FUNCTION_MISSING, DEFINES_NONE, message)
    if missing := _MISSING_INCLUDE.search(message):
        reason = f"needs {missing[1]}, which is missing here; name the implementation's folder inside its tree"
        return BuildError(FailureKind.NEEDS_LIBRARY, reason, message)
    return BuildError(FailureKind.DOES_NOT_COMPILE, "does not compile", message)


def _with_dependencies(request: BuildRequest) -> Implementation:
    """Return the implementation with its own libraries and those of its dependencies."""
    implementation, dependencies = request.implementation, request.dependencies
    cplusplus = ("-lstdc++",) if any(s.suffix in (".cc", ".cpp") for i in dependencies for s in i.sources) else ()
    return replace(
        implementation,
        packages=tuple(dict.fromkeys(p for i in (implementation, *dependencies) for p in i.packages)),
        libraries=tuple(flag for i in (implementation, *dependencies) for flag in i.libraries) + cplusplus,
    )


def _with_libraries(request: BuildRequest, missing: Sequence[str]) -> BuildRequest | None:
    """Return the request with the vendored libraries that may define a missing function; None if there are none."""
    foreign = request.implementation.foreign
    if not foreign:
        return None
    libraries = tuple(
        replace(library, asked=library.asked or vendored.may_define(library, missing)) for library in foreign.vendored
    )
    if libraries == foreign.vendored:
        return None
    implementation = replace(request.implementation, foreign=replace(foreign, vendored=libraries))
    return replace(request, implementation=implementation)


def _require_one_meaning(implementation: Implementation) -> None:
    """Raise BuildError if the parts of a composition give a macro two values, and the types of one depend on it.

    Otherwise only sources do that are compiled with their own part.
    """
    values: dict[str, set[str]] = {}
    for name, value in implementation.macros:
        values.setdefault(name, set()).add(value)
    ambiguous = [name for name, several in values.items() if len(several) > 1]
    if not ambiguous:
        return
    headers = [path for folder in implementation.folders for path in folder.glob("*_types.h")]
    text = "".join(path.read_text(encoding="utf-8") for path in headers)
    if named := [name for name in ambiguous if re.search(rf"\b{name}\b", text)]:
        raise BuildError(FailureKind.DOES_NOT_COMPILE, f"its parts define {named[0]} differently")
