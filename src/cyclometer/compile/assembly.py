# SPDX-License-Identifier: MIT OR Apache-2.0
"""Executables assembled from several tuned primitives, each behind glue that exports one symbol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.compile.build_tool import BuildError
from cyclometer.compile.builder import Builder
from cyclometer.compile.harness_objects import HARNESS_FLAGS
from cyclometer.compile.steps import COMMON_FLAGS
from cyclometer.paths import api_folders, runtime_folders
from cyclometer.records.catalogue import Implementation
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning


@dataclass(frozen=True, kw_only=True)
class Part:
    """A tuned primitive, the glue that makes it a part, and the symbol that the glue defines."""

    executable: Executable
    glue: Path
    symbol: str


@dataclass(frozen=True, kw_only=True)
class Assembly:
    """What to link: parts, the sources around them, and the macros of single sources, by file name."""

    subject: Tuning
    parts: tuple[Part, ...]
    sources: tuple[Path, ...]
    folders: tuple[Path, ...]  # that they include from, beside the harness
    macros: Mapping[str, tuple[tuple[str, str], ...]]
    packages: tuple[str, ...] = ()  # pkg-config names of libraries that the sources use
    debian: str = ""  # the Debian package that contains them
    replaced: tuple[str, ...] = ()  # files of harness/runtime in whose place a source stands


def assemble(builder: Builder, assembly: Assembly) -> Executable | Failure:
    """Build an executable; its objects are cached one by one, as those of primitives are."""
    try:
        return _assembled(builder, assembly)
    except BuildError as error:
        return error.failure(assembly.subject)


def _assembled(builder: Builder, assembly: Assembly) -> Executable:
    compiler = builder.compilers.native
    if compiler is None:
        raise BuildError(FailureKind.NEEDS_TOOL, "no compiler works here")
    whole = _whole(assembly)
    own = [_part_object(builder, part, assembly.folders) for part in assembly.parts]
    folders = (*assembly.folders, *runtime_folders(builder.harness))
    packages = builder.requirements.packages(whole, compiler)
    flags = (*HARNESS_FLAGS, "-fvisibility=hidden", *packages.cflags)
    around = [
        builder.steps.object(
            source,
            compiler,
            flags,
            folders,
            assembly.macros.get(source.name, ()),
            True,
            (None, packages.identity),
        )
        for source in (*_runtime(builder, assembly), *assembly.sources)
    ]
    return Executable(
        subject=assembly.subject,
        path=builder.steps.link(compiler, [*own, *around], packages, whole),
        compiler=compiler,
        code_bytes=sum(part.executable.code_bytes for part in assembly.parts),
        objects=tuple(own),
        implementation=whole,
        counter=builder.steps.counter,
        has_peer=True,
    )


def _runtime(builder: Builder, assembly: Assembly) -> list[Path]:
    files = sorted((builder.harness / "runtime").glob("*.c"))
    return [file for file in files if file.name not in assembly.replaced]


def _part_object(builder: Builder, part: Part, folders: Sequence[Path]) -> Path:
    """Compile the glue and join it with the primitive, so that two primitives of one operation can be linked."""
    request, compiler = part.executable.request, builder.compilers.native
    assert request
    assert compiler
    include, macros = builder.interfaces.of(request)
    packages = builder.requirements.packages(request.implementation, compiler)
    flags = (*HARNESS_FLAGS, *COMMON_FLAGS, *packages.cflags)
    folders = (*include, *folders, *api_folders(builder.harness))
    glue = builder.steps.object(part.glue, compiler, flags, folders, macros, True, (None, packages.identity))
    own = list(dict.fromkeys((*part.executable.objects, *request.objects)))
    return builder.steps.isolate([glue, *own], exported=(part.symbol,))


def _whole(assembly: Assembly) -> Implementation:
    """Return the implementation that stands for all parts: their sources' languages, and their libraries."""
    subject = assembly.subject
    each = [part.executable.implementation for part in assembly.parts]
    whole = Implementation(
        operation=subject.operation, primitive=subject.primitive, name=subject.implementation, folders=(), sources=()
    )
    return replace(
        whole,
        sources=tuple(source for one in each for source in one.sources),
        packages=tuple(dict.fromkeys((*assembly.packages, *(package for one in each for package in one.packages)))),
        debian=assembly.debian,
        libraries=tuple(dict.fromkeys(flag for one in each for flag in one.libraries)),
        crate=next((one.crate for one in each if one.crate), None),
    )
