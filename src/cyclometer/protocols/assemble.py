# SPDX-License-Identifier: MIT OR Apache-2.0
"""Executables of rungs: protocols/ around tuned primitives."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from cyclometer.compile.assembly import Assembly, Part, assemble
from cyclometer.compile.builder import Builder
from cyclometer.protocols.rungs import GLUE, LIBRARIES, Library, Rung
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure
from cyclometer.records.run import PROTOCOL
from cyclometer.records.tuning import Tuning

FOLDERS = ("protocol", "layers", "transports")
NO_LIBRARY = Library(folders=(), packages=(), debian="")


def build_rung(tree: Path, builder: Builder, rung: Rung, tuned: Mapping[str, Executable]) -> Executable | Failure:
    """Build the executable of a rung from its tuned parts, all of which must be in `tuned`."""
    root = tree / "protocols"
    parts = [_part(root, tuned[key]) for key in rung.parts]
    implementation = "+".join(part.executable.subject.implementation for part in parts) or "ref"
    compilers = dict.fromkeys(part.executable.subject.compiler for part in parts)
    assert builder.compilers.native
    library = LIBRARIES.get(rung.layer, NO_LIBRARY)
    folders = (*FOLDERS, *library.folders)
    quoted = tuple((name, f'"{value}"') for name, value in rung.macros)
    return assemble(
        builder,
        Assembly(
            subject=Tuning(
                operation=PROTOCOL,
                primitive=rung.name,
                implementation=implementation,
                compiler="+".join(compilers) or builder.compilers.native.name,
            ),
            parts=tuple(parts),
            sources=tuple(source for name in folders for source in sorted((root / name).glob("*.c"))),
            folders=tuple(root / name for name in folders),
            macros={
                "rung.c": (("RUNG_LAYER", f"layer_{rung.layer}"),),
                **dict.fromkeys(("tls.c", "handshake.c", "layer.c", "serve.c"), quoted),
            },
            packages=library.packages,
            debian=library.debian,
            replaced=("seccomp.c",),
        ),
    )


def _part(root: Path, executable: Executable) -> Part:
    glue, symbol = GLUE[executable.subject.operation]
    return Part(executable=executable, glue=root / "parts" / glue, symbol=symbol)
