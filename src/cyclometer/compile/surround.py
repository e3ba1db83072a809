# SPDX-License-Identifier: MIT OR Apache-2.0
"""Executables of one tuned primitive with other sources around it than its operation's measure.c and check.c."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.compile.build_tool import BuildError
from cyclometer.compile.builder import Builder
from cyclometer.compile.cache import Cache, ToolFailure
from cyclometer.compile.harness_objects import HARNESS_FLAGS
from cyclometer.compile.steps import COMMON_FLAGS
from cyclometer.paths import api_folders, runtime_folders
from cyclometer.records.catalogue import Implementation
from cyclometer.records.executable import BuildRequest, Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning

Macros = tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class Surrounding:
    """Sources that use a primitive's types, what they include from, and their macros.

    `together` is compiled as one unit with the primitive's own sources, which it includes as SOURCE_1, SOURCE_2 ...;
    `library` and the primitive become a shared library, and then the sources have the macro HAS_LIBRARY. Where either
    is impossible, it is left out.
    """

    subject: Tuning
    sources: tuple[Path, ...]
    folders: tuple[Path, ...]
    macros: Macros
    packages: tuple[str, ...] = ()  # pkg-config names of libraries that the sources use
    together: Path | None = None
    library: Path | None = None


def surround(builder: Builder, primitive: Executable, surrounding: Surrounding) -> Executable | Failure:
    """Build the executable; `primitive` was built in this tree, not for a foreign one."""
    try:
        return _surrounded(builder, primitive, surrounding)
    except BuildError as error:
        return error.failure(surrounding.subject)


def _surrounded(builder: Builder, primitive: Executable, surrounding: Surrounding) -> Executable:
    compiler, request = builder.compilers.native, primitive.request
    if compiler is None or request is None:
        raise BuildError(FailureKind.NEEDS_TOOL, "no compiler works here")
    own = [*dict.fromkeys((*primitive.objects, *request.objects))]
    include, macros = builder.interfaces.of(request)
    folders = (*include, *surrounding.folders, *api_folders(builder.harness))
    macros = (*macros, *surrounding.macros)
    libraries = _library(builder, own, surrounding, folders, macros)
    macros = (*macros, *((("HAS_LIBRARY", "1"),) if libraries else ()))
    packages = builder.requirements.packages(_with_packages(primitive, surrounding), compiler)
    flags = (*HARNESS_FLAGS, *COMMON_FLAGS, *packages.cflags)
    around = [
        builder.steps.object(source, compiler, flags, folders, macros, True, (None, packages.identity))
        for source in surrounding.sources
    ]
    runtime = [
        builder.steps.object(
            source, compiler, (*HARNESS_FLAGS, "-fvisibility=hidden"), runtime_folders(builder.harness), (), True
        )
        for source in sorted((builder.harness / "runtime").glob("*.c"))
    ]
    inlined = _together(builder, request, surrounding, folders, macros)
    whole = _with_packages(primitive, surrounding)
    return Executable(
        subject=surrounding.subject,
        path=builder.steps.link(compiler, [*own, *around, *inlined, *runtime, *libraries], packages, whole),
        compiler=compiler,
        code_bytes=primitive.code_bytes,
        objects=tuple(own),
        implementation=whole,
        counter=builder.steps.counter,
        loads=tuple(libraries),
    )


def _with_packages(primitive: Executable, surrounding: Surrounding) -> Implementation:
    own = primitive.implementation
    return replace(own, packages=tuple(dict.fromkeys((*own.packages, *surrounding.packages))))


def _together(
    builder: Builder, request: BuildRequest, surrounding: Surrounding, folders: Sequence[Path], macros: Macros
) -> list[Path]:
    """Compile `together` and the primitive's sources as one unit; only what it registers itself is visible."""
    sources, compiler = request.implementation.sources, request.compiler
    if not surrounding.together or request.implementation.library or any(s.suffix != ".c" for s in sources):
        return []
    macros = (*macros, *request.implementation.macros)
    macros = (*macros, *((f"SOURCE_{number}", f'"{source}"') for number, source in enumerate(sources, start=1)))
    flags = (*compiler.flags, *builder.requirements.feature_flags(request.implementation, compiler), *COMMON_FLAGS)
    try:
        unit = builder.steps.object(surrounding.together, compiler, flags, folders, macros, True)
        return [builder.steps.isolate([unit, *request.objects])]
    except BuildError:  # two of the sources may use one name
        return []


def _library(
    builder: Builder, own: Sequence[Path], surrounding: Surrounding, folders: Sequence[Path], macros: Macros
) -> list[Path]:
    """Link the primitive's objects and `library` to a shared library."""
    compiler = builder.compilers.native
    if not surrounding.library or not compiler:
        return []
    try:
        flags = (*HARNESS_FLAGS, *COMMON_FLAGS, "-fPIC")
        objects = [builder.steps.object(surrounding.library, compiler, flags, folders, macros, True), *own]
    except BuildError:  # this system knows no indirect functions
        return []
    script = f'{shlex.quote(compiler.command)} -shared -o made.so "$@"'
    contents = [builder.cache.digest(each) for each in objects]
    key = Cache.key("shared library", compiler.command, compiler.version, script, contents)
    made = builder.cache.make(key, ".so", lambda out: builder.steps.script(script, objects, "made.so", out))
    return [] if isinstance(made, ToolFailure) else [made]
