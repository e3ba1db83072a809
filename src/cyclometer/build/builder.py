# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles and links, each step cached by the hash of everything that goes into it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache as cache_calls
from pathlib import Path

from cyclometer import process
from cyclometer.build.cache import Cache, Rejected
from cyclometer.build.crates import crate_archive
from cyclometer.build.foreign import ForeignCode
from cyclometer.build.includes import closure
from cyclometer.build.packages import Package, find_packages, with_headers
from cyclometer.build.precompiled import INTRINSICS, read_before
from cyclometer.build.toolchain import predefined
from cyclometer.errors import StorageFailed
from cyclometer.model import Catalogue, Compiler, Executable, Failure, Implementation, Primitive, Subject

HARNESS_FLAGS = ("-O2", "-std=gnu11")
LAWS_FLAGS = ("-O0",)  # their own code is asked once and waits for the primitive: optimising it takes longer
FOREIGN_MAY_CALL = ("main", "randombytes", "kernelrandombytes", "crypto_declassify")
COMMON_FLAGS = ("-fvisibility=hidden", "-fno-strict-overflow", "-w")


@dataclass(frozen=True, kw_only=True)
class Request:
    """One executable to build; `objects` are finished ones of what is tuned first."""

    primitive: Primitive
    implementation: Implementation
    compiler: Compiler
    objects: tuple[Path, ...] = ()
    published: tuple[tuple[str, str], ...] = ()  # headers of the foreign primitives it stands on
    beneath: tuple[Implementation, ...] = ()  # ... and their implementations, whose libraries it needs as well

    @property
    def subject(self) -> Subject:
        """What the executable, or the failure, is about."""
        return Subject(
            operation=self.implementation.operation,
            primitive=self.implementation.primitive,
            implementation=self.implementation.name,
            compiler=self.compiler.name,
        )


class _Stop(Exception):
    """Ends one build with the reason and the tool's words."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.detail = reason, detail


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
        self.foreign = ForeignCode(cache, cpu)
        self.counter = counter  # name of the file in harness/counters, without .h
        self.cpu_flags, self.cpu = frozenset(cpu_flags), cpu
        # One compiler for harness and loops whatever is under test; an emulated target's own for that target.
        self.base = {c.toolchain: c for c in reversed(catalogue.compilers)}
        compilers = catalogue.compilers
        self.first = next((c for c in compilers if not c.emulator), compilers[0] if compilers else None)
        # Of binutils' two, it takes a third of the time; where it fails, the compiler's own has the word.
        self.quick_linker = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
        self._closure = cache_calls(closure)  # the tree stands still while it is built

    def build(
        self, requests: Sequence[Request], progress: Callable[[], None] = lambda: None
    ) -> tuple[list[Executable], list[Failure]]:
        """All requests on all cores; the failures are records."""
        built: list[Executable] = []
        failed: list[Failure] = []
        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            # Compiler by compiler: neighbours in the queue do not wait for the same check.c.
            queue = sorted(requests, key=lambda request: request.compiler.name)
            for future in as_completed([pool.submit(self._one, request) for request in queue]):
                result = future.result()
                (built if isinstance(result, Executable) else failed).append(result)  # type: ignore[arg-type]
                progress()
        order = {request.subject: place for place, request in enumerate(requests)}
        return sorted(built, key=lambda e: order[e.subject]), sorted(failed, key=lambda f: order[f.subject])

    def _one(self, request: Request) -> Executable | Failure:
        try:
            return self._executable_at_last(request)
        except _Stop as stop:
            return Failure(stage="build", subject=request.subject, reason=stop.reason, detail=stop.detail)

    def _executable_at_last(self, request: Request) -> Executable:
        """A foreign tree links every library that it carries with everything: here, where that is needed."""
        foreign = request.implementation.foreign
        try:
            return self._executable(request)
        except _Stop as stop:
            spare = foreign and any(not library.asked for library in foreign.carried)
            if not foreign or not spare or _UNDEFINED not in stop.detail:
                raise
            every = replace(foreign, carried=tuple(replace(library, asked=True) for library in foreign.carried))
            with suppress(_Stop):
                return self._executable(replace(request, implementation=replace(request.implementation, foreign=every)))
            raise

    def _executable(self, request: Request) -> Executable:
        implementation, compiler = request.implementation, request.compiler
        features = self._features(implementation, compiler)
        packages, whole = self._packages(implementation, compiler), _whole(request)
        include = (*implementation.folders, *self._api_folders(request), self.shared)
        macros = (*self._macros(request), *implementation.macros)
        cflags = (*COMMON_FLAGS, *packages.cflags)
        flags = (*compiler.flags, *features, *cflags)
        if not implementation.sources:
            raise _Stop("has no source file (.c, .cc, .cpp, .S)")
        if implementation.foreign:
            own = [self._foreign_object(request, flags)]
        else:
            before = (implementation.precompiled, packages.identity)
            own = [
                self._object(source, compiler, flags, include, macros, before=before)
                for source in implementation.sources
            ]
        rest = self._harness_objects(implementation, compiler, cflags, include, macros)
        if implementation.foreign:
            rest = [self._apart(rest)]
        return Executable(
            subject=request.subject,
            path=self._link(
                compiler, [*own, *request.objects, *rest], self._packages(whole, compiler), whole
            ),
            compiler=compiler,
            code_bytes=self._code_bytes(compiler, [*own, *request.objects]),
            objects=(*own, *request.objects) if implementation.foreign else tuple(own),
            implementation=whole,
        )

    def _harness_objects(
        self,
        implementation: Implementation,
        compiler: Compiler,
        cflags: Sequence[str],
        include: Sequence[Path],
        macros: Sequence[tuple[str, str]],
    ) -> list[Path]:
        """Laws, loops and glue, which know the types of the implementation, and what is the same for all."""
        operation, base = self.catalogue.operations[implementation.operation], self._base(compiler)
        flags = (*HARNESS_FLAGS, *compiler.checker_flags)
        if compiler.checker_flags and implementation.library:
            flags = (*flags, "-DCYCLOMETER_LIBRARY")
        laws = LAWS_FLAGS if not compiler.emulator else ()
        ours = [(operation.folder / "check.c", laws), (operation.folder / "measure.c", ())]
        ours += [(source, ()) for source in implementation.glue]
        if compiler.checker_flags and (operation.folder / "secrets.c").exists():
            ours.append((operation.folder / "secrets.c", ()))
        around = (*include, self.harness)
        made = [self._object(source, base, (*flags, *cflags, *more), around, macros, True) for source, more in ours]
        return made + [
            self._object(source, base, (*flags, "-fvisibility=hidden"), (self.harness,), (), True)
            for source in sorted(self.harness.glob("*.c"))
            if source.name != "probe.c"
        ]

    def _foreign_object(self, request: Request, flags: Sequence[str]) -> Path:
        foreign = request.implementation.foreign
        libraries = self.foreign.libraries(foreign, self._base(request.compiler)) if foreign else []
        if isinstance(libraries, Rejected):
            raise _Stop("a library that the tree carries does not build", libraries.words)
        made = self.foreign.object(request.implementation, request.compiler, flags, request.published, libraries)
        if isinstance(made, Rejected):
            raise _Stop("does not compile", made.words)
        return made

    def _apart(self, objects: Sequence[Path]) -> Path:
        """Harness, loops and glue as one object of which foreign code sees only what it may call."""
        key = Cache.key("apart", [o.stem for o in objects], FOREIGN_MAY_CALL)
        keep = [word for symbol in FOREIGN_MAY_CALL for word in ("-G", symbol)]

        def builder(out: Path) -> str:
            joined = process.run_tool(["ld", "-r", "-o", str(out), *map(str, objects)])
            return _said(joined) or _said(process.run_tool(["objcopy", *keep, str(out)]))

        made = self.cache.make(key, ".o", builder)
        if isinstance(made, Rejected):
            raise _Stop("does not link", made.words)
        return made

    def probe(self, counter: str) -> Path | Failure:
        """The program that tries one counter of harness/counters."""
        subject = Subject(operation="", primitive="", implementation=counter)
        try:
            if not self.first:
                raise _Stop("no compiler works here")
            other = Builder(
                tree=self.harness.parent,
                catalogue=self.catalogue,
                cache=self.cache,
                counter=counter,
                cpu_flags=self.cpu_flags,
                cpu=self.cpu,
            )
            made = other._object(self.harness / "probe.c", self.first, HARNESS_FLAGS, (self.harness,), (), True)
            return other._link(self.first, [made], Package(), None)
        except _Stop as stop:
            return Failure(stage="build", subject=subject, reason=stop.reason, detail=stop.detail)

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
            raise _Stop(f"needs {', '.join(missing)}")
        return tuple(flags)

    def _packages(self, implementation: Implementation, compiler: Compiler) -> Package:
        if not implementation.packages and not implementation.headers and not implementation.crate:
            return Package()
        if not compiler.provider_libraries:
            raise _Stop(f"the libraries of {compiler.toolchain} are not used")
        if implementation.crate:
            return self._crate(implementation.crate, compiler)
        found = find_packages(implementation.packages)
        if not isinstance(found, str):
            found = with_headers(found, compiler.command, implementation.headers)
        if isinstance(found, str):
            remedy = f" (Debian: apt install {implementation.debian})" if implementation.debian else ""
            raise _Stop(f"needs {found}{remedy}")
        return found

    def _crate(self, folder: Path, compiler: Compiler) -> Package:
        # For this machine, as our own code is; checkers do not know its every instruction.
        flags = () if compiler.checker_flags else ("-Ctarget-cpu=native",)
        made = crate_archive(folder, self.cache, flags, self.cpu)
        if isinstance(made, Rejected):
            raise _Stop("its Rust package does not compile", made.words)
        if isinstance(made, str):
            raise _Stop(f"needs {made}")
        return made

    def _api_folders(self, request: Request) -> list[Path]:
        composed = request.primitive.composed
        names = (
            [request.primitive.operation, *(op for op, _ in composed.every_part)]
            if composed
            else [request.primitive.operation]
        )
        return [self.catalogue.operations[name].folder for name in names]

    def _macros(self, request: Request) -> list[tuple[str, str]]:
        """Sizes of the primitive and of its parts, as the API headers name them."""
        primitive = request.primitive
        parts = primitive.composed.every_part if primitive.composed else ()
        macros = [(f"{primitive.operation}_ASSOCIATEDDATA", str(int(primitive.associated_data)))]
        for one in (primitive, *(self.catalogue.primitives[f"{op}/{name}"] for op, name in parts)):
            names = self.catalogue.operations[one.operation].size_macros
            macros += [(f"{one.operation}_{names[size]}", str(value)) for size, value in one.sizes.items()]
        return macros + self._foreign_macros(request)

    def _foreign_macros(self, request: Request) -> list[tuple[str, str]]:
        """What its own API header says, and the symbols that stand behind our names."""
        foreign, composed = request.implementation.foreign, request.primitive.composed
        if not foreign or not self.first:
            return []
        operation = composed.parts[composed.searched][0] if composed else request.primitive.operation
        sizes = self.foreign.sizes(foreign, self.first)
        if isinstance(sizes, Rejected):  # the header may need what only its own compiler has
            sizes = self.foreign.sizes(foreign, request.compiler)
        if isinstance(sizes, Rejected):
            raise _Stop(f"{foreign.api.name} does not compile", sizes.words)
        return [*((f"{operation}_{name}", str(value)) for name, value in sizes.items()), *foreign.names]

    def _base(self, compiler: Compiler) -> Compiler:
        if compiler.emulator or not self.first:
            return self.base[compiler.toolchain]
        return self.first

    def _object(
        self,
        source: Path,
        compiler: Compiler,
        flags: Sequence[str],
        include: Sequence[Path],
        macros: Sequence[tuple[str, str]],
        harness: bool = False,
        before: tuple[Path | None, str] = (None, ""),
    ) -> Path:
        """One object file. Harness files see the counter; `before` is a header to read first, and the version of
        what it includes."""
        more = [self.harness / "counters" / f"{self.counter}.h"] if harness else []
        defines = [f"-D{name}={value}" for name, value in macros]
        if harness:
            defines.append(f'-DCOUNTER_HEADER="counters/{self.counter}.h"')
        cplusplus = source.suffix in (".cc", ".cpp")
        tool = compiler.cxx if cplusplus else compiler.command
        parts = self._closure(source, tuple(include), tuple(more))
        key = Cache.key("object", tool, compiler.version, self.cpu, flags, defines, parts, before[1])
        command = [tool, *flags, *defines, *(f"-I{folder}" for folder in include), "-c", str(source)]
        header, version = before

        def read() -> list[str]:
            if header:
                text = header.read_text(encoding="utf-8")
                return read_before(compiler, text, flags, self.cache, (self.cpu, version), cplusplus)
            if INTRINSICS in parts and source.suffix == ".c" and not harness:
                shared = (*compiler.flags, *COMMON_FLAGS)
                return read_before(compiler, f"#include {INTRINSICS}\n", shared, self.cache, (self.cpu,))
            return []

        def builder(out: Path) -> str:
            known = read()
            if known and not process.run_tool([*command, *known, "-o", str(out)]).problem:
                return ""
            return _said(process.run_tool([*command, "-o", str(out)]))

        made = self.cache.make(key, ".o", builder)
        if isinstance(made, Rejected):
            raise _Stop(f"{source.name} does not compile", made.words)
        return made

    def _link(
        self,
        compiler: Compiler,
        objects: Sequence[Path],
        packages: Package,
        implementation: Implementation | None,
    ) -> Path:
        cplusplus = implementation and any(s.suffix in (".cc", ".cpp") for s in implementation.sources)
        tool = compiler.cxx if cplusplus else compiler.command
        flags = [flag for flag in compiler.flags if flag.startswith("-fsanitize")]
        contents = [self.cache.digest(o) for o in objects]  # -O2 and -O3 often make the same
        libraries = implementation.libraries if implementation else ()
        if implementation and implementation.foreign:
            libraries += ("-lm",)
        key = Cache.key("program", tool, compiler.version, flags, contents, packages.identity, libraries)
        command = [tool, *flags, *map(str, objects), *packages.libs, *libraries]

        def linker(out: Path) -> str:
            quick = [] if compiler.emulator else self.quick_linker
            if quick and not process.run_tool([*command, *quick, "-o", str(out)]).problem:
                return ""
            return _said(process.run_tool([*command, "-o", str(out)]))

        made = self.cache.make(key, ".exe", linker)
        if isinstance(made, Rejected):
            raise _Stop("does not link", made.words)
        return made

    def _code_bytes(self, compiler: Compiler, objects: Sequence[Path]) -> int:
        """Text and read-only data of the implementation's own objects, as size(1) counts them."""
        if compiler.emulator:
            return 0
        key = Cache.key("size", [self.cache.digest(o) for o in objects])
        made = self.cache.make(key, ".size", lambda out: _text_size(objects, out))
        return 0 if isinstance(made, Rejected) else int(made.read_text())


def _whole(request: Request) -> Implementation:
    """The implementation, its libraries and those of what it stands on."""
    implementation, beneath = request.implementation, request.beneath
    cplusplus = ("-lstdc++",) if any(s.suffix in (".cc", ".cpp") for i in beneath for s in i.sources) else ()
    return replace(
        implementation,
        packages=tuple(dict.fromkeys(p for i in (implementation, *beneath) for p in i.packages)),
        libraries=tuple(flag for i in (implementation, *beneath) for flag in i.libraries) + cplusplus,
    )


def _text_size(objects: Sequence[Path], out: Path) -> str:
    outcome = process.run_tool(["size", *map(str, objects)])
    if outcome.problem:
        return outcome.last_words() or outcome.problem
    rows = outcome.stdout.decode().splitlines()[1:]
    out.write_text(str(sum(int(row.split()[0]) for row in rows)))
    return ""


_UNDEFINED = "undefined reference"
# Not the source's fault: nothing that the cache should remember.
_DISK_FULL = "No space left on device"
_NO_VERDICT = ("Killed signal", "annot allocate memory", "Resource temporarily")


def _said(outcome: process.Outcome) -> str:
    """What a tool that failed said; '' when it did not fail."""
    words = outcome.last_words()
    if outcome.problem and _DISK_FULL in words:
        raise StorageFailed("cannot write the build cache or the folder for temporary files: the disk is full")
    if outcome.problem and (outcome.status is None or outcome.status < 0 or any(w in words for w in _NO_VERDICT)):
        raise _Stop(f"the compiler could not finish: {outcome.problem}", words)
    return (words or outcome.problem) if outcome.problem else ""
