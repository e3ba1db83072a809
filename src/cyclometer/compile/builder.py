# SPDX-License-Identifier: MIT OR Apache-2.0
"""Builds executables from the implementation's own objects, the harness and libraries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from cyclometer.compile.advice import advised
from cyclometer.compile.build_tool import BuildError, TimeBudgets
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.foreign import ForeignCode, compile_error
from cyclometer.compile.harness_objects import HARNESS_FLAGS, BaseCompilers, HarnessObjects
from cyclometer.compile.interface import Interfaces, require_one_meaning
from cyclometer.compile.object_code import code_bytes
from cyclometer.compile.packages import Package
from cyclometer.compile.placed import padding, with_call_sites
from cyclometer.compile.requirements import Requirements
from cyclometer.compile.sources import Includes
from cyclometer.compile.steps import COMMON_FLAGS, BuildSteps
from cyclometer.compile.vendored import with_libraries
from cyclometer.errors import RefusedFile
from cyclometer.execute.pool import on_all_cores
from cyclometer.paths import runtime_folders
from cyclometer.records.catalogue import Catalogue, Implementation
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.placement import ORDINARY, Layout
from cyclometer.records.tuning import Tuning
from cyclometer.untrusted import MAX_DEPTH, require_no_special_file

UNDEFINED = re.compile(r"undefined reference to `(\w+)'")  # a linker's message


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
        read_gap: int = 0,
    ) -> None:
        self.harness = tree / "harness"
        self.catalogue, self.cache = catalogue, cache
        self.includes = Includes()  # the tree does not change while it is built
        self.budgets = TimeBudgets(time_limit)
        self._require_regular_files = lru_cache(maxsize=None)(require_no_special_file)  # raises again
        self.foreign = ForeignCode(cache, cpu, self.includes, self.budgets)
        self.cpu = cpu
        self.compilers = BaseCompilers(catalogue)
        self.steps = BuildSteps(self.harness, cache, counter, cpu, self.includes, read_gap)
        self.requirements = Requirements(catalogue, cache, cpu, cpu_flags, self.budgets)
        self.interfaces = Interfaces(catalogue, tree / "primitives" / "_shared", self.foreign, self.compilers)
        self._harness_objects = HarnessObjects(catalogue, self.harness, self.steps, self.compilers)

    def build(
        self, requests: Sequence[BuildRequest], progress: Callable[[], None] = lambda: None
    ) -> tuple[list[Executable], list[Failure]]:
        """Build all requests on all cores; return executables and failures in the order of the requests."""
        # Sorted by compiler, so that neighbours in the queue do not wait for the same check.c.
        queue = sorted(requests, key=lambda request: request.compiler.name)
        self._prepare(queue)
        results = on_all_cores(self._result, queue, progress)
        built = [result for result in results if isinstance(result, Executable)]
        failed = [result for result in results if isinstance(result, Failure)]
        order = {request.subject: index for index, request in enumerate(requests)}
        return sorted(built, key=lambda e: order[e.subject]), sorted(failed, key=lambda f: order[f.subject])

    def _prepare(self, requests: Sequence[BuildRequest]) -> None:
        """Make, on all cores, what many builds need: those that begin together would wait for one another at each."""
        compilers = dict.fromkeys(request.compiler for request in requests)
        using_intrinsics = dict.fromkeys(r.compiler for r in requests if self._uses_intrinsics(r))
        work: list[Callable[[], object]] = [partial(self.steps.intrinsics, each) for each in using_intrinsics]

        def done(call: Callable[[], object]) -> None:
            with suppress(BuildError):  # it is raised again where the result is needed
                call()

        on_all_cores(done, [*work, *self._harness_objects.common_work(compilers)])

    def _uses_intrinsics(self, request: BuildRequest) -> bool:
        """Return whether it is likely: code of our own form for features that this machine has."""
        implementation, compiler = request.implementation, request.compiler
        with suppress(BuildError):
            return bool(self.requirements.feature_flags(implementation, compiler)) and not implementation.foreign
        return False

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
            if extended := with_libraries(request, UNDEFINED.findall(error.detail)):
                with suppress(BuildError):
                    return self._executable(extended)
            raise

    def placed(self, request: BuildRequest, layout: Layout) -> Executable | Failure:
        """Build a tuning once more to measure its placement: with eviction, eight call sites, and this layout."""
        try:
            with self.budgets.spending(request.implementation.key):
                return self._executable(request, layout, placed=True)
        except BuildError as error:
            return error.failure(request.subject)

    def with_layouts(self, executable: Executable, layouts: int) -> Executable:
        """Link an executable in this number of layouts in all; unchanged if one of them fails."""
        request = executable.request
        if not request:
            return executable
        with suppress(BuildError, RefusedFile), self.budgets.spending(request.implementation.key):
            others = [self._executable(request, Layout(link=number)).path for number in range(1, layouts)]
            return replace(executable, layouts=tuple(others))
        return executable

    def _executable(self, request: BuildRequest, layout: Layout = ORDINARY, placed: bool = False) -> Executable:
        own = self.own_objects(request)
        self.steps.require_read_only_code([*own, *request.objects])
        implementation, compiler = request.implementation, request.compiler
        packages, whole = self.requirements.packages(implementation, compiler), _with_dependencies(request)
        include, macros = self.interfaces.of(request)
        placement = ("-DPLACEMENT",) if placed else ()
        harness = self._harness_objects.of(implementation, compiler, packages, include, macros, placement)
        if not implementation.foreign:  # of foreign ones, nothing but these functions is visible
            self.steps.require_no_replacement(implementation.operation, own, harness)
        base = self.compilers.of(compiler)
        if placed:
            harness = [with_call_sites(self.steps, base, harness)]
        if implementation.foreign:
            harness = [self.steps.isolate(harness, implementation.foreign.names)]
        objects = [*padding(self.steps, base, layout), *layout.order([*own, *request.objects, *harness])]
        return Executable(
            subject=request.subject,
            path=self.steps.link(compiler, objects, self.requirements.packages(whole, compiler), whole),
            compiler=compiler,
            code_bytes=0 if compiler.emulator else sum(map(code_bytes, [*own, *request.objects])),
            objects=(*own, *request.objects) if implementation.foreign else tuple(own),
            implementation=whole,
            counter=self.steps.counter,
            request=request,
        )

    def own_objects(self, request: BuildRequest) -> list[Path]:
        """Compile the sources of the implementation, without the harness; `BuildError` if that fails."""
        implementation, compiler = request.implementation, request.compiler
        features = self.requirements.feature_flags(implementation, compiler)
        packages = self.requirements.packages(implementation, compiler)
        for folder, depth in _own_folders(implementation):
            self._require_regular_files(folder, depth)
        require_one_meaning(implementation)
        include, macros = self.interfaces.of(request)
        flags = (*compiler.target, *compiler.flags, *features, *COMMON_FLAGS, *packages.cflags)
        if not implementation.sources:
            raise BuildError(FailureKind.DOES_NOT_COMPILE, "has no source file (.c, .cc, .cpp, .S)")
        if implementation.foreign:
            return [self._foreign_object(request, flags)]
        precompiled = (implementation.precompiled, packages.identity)
        return [
            self.steps.object(source, compiler, flags, include, macros, precompiled=precompiled)
            for source in implementation.sources
        ]

    def _foreign_object(self, request: BuildRequest, flags: Sequence[str]) -> Path:
        foreign = request.implementation.foreign
        libraries = self.interfaces.vendored(foreign, request.compiler) if foreign else []
        result = self.foreign.object(
            request.implementation, request.compiler, flags, request.exported_headers, libraries
        )
        if isinstance(result, ToolFailure):
            raise compile_error(result.message)
        return result

    def probe(self, counter: str) -> Path | Failure:
        """Build the program that tries one counter of harness/counters."""
        return self._tool(counter, "counters/counter_probe.c")

    def stepper(self) -> Path | Failure:
        """Build the program that single-steps others."""
        return self._tool(self.steps.counter, "trace/step.c")

    def _tool(self, counter: str, source: str) -> Path | Failure:
        """Build a program of harness/ that stands alone."""
        try:
            compiler = self.compilers.native
            if not compiler:
                raise BuildError(FailureKind.NEEDS_TOOL, "no compiler works here")
            steps = BuildSteps(self.harness, self.cache, counter, self.cpu, self.includes)
            folders = runtime_folders(self.harness)
            tool = steps.object(self.harness / source, compiler, HARNESS_FLAGS, folders, (), True)
            return steps.link(compiler, [tool], Package(), None)
        except BuildError as error:
            return error.failure(Tuning(operation="", primitive="", implementation=counter))


def _own_folders(implementation: Implementation) -> list[tuple[Path, int]]:
    """Return the folders whose files it may include, and how many levels below each it does."""
    foreign = implementation.foreign
    if not foreign:
        return [(folder, 0) for folder in {*implementation.folders, *(path.parent for path in implementation.sources)}]
    shared = {folder for folder in foreign.folders if folder.is_relative_to(foreign.tree)} - {foreign.home}
    return [(foreign.home, MAX_DEPTH), *((folder, 0) for folder in shared)]


def _with_dependencies(request: BuildRequest) -> Implementation:
    """Return the implementation with its own libraries and those of its dependencies."""
    implementation, dependencies = request.implementation, request.dependencies
    cplusplus = ("-lstdc++",) if any(s.suffix in (".cc", ".cpp") for i in dependencies for s in i.sources) else ()
    return replace(
        implementation,
        packages=tuple(dict.fromkeys(p for i in (implementation, *dependencies) for p in i.packages)),
        libraries=tuple(flag for i in (implementation, *dependencies) for flag in i.libraries) + cplusplus,
    )
