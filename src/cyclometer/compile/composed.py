# SPDX-License-Identifier: MIT OR Apache-2.0
"""The implementations of a composed system: those of its searched part, behind the generic combiner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from cyclometer.records.catalogue import Compiler, Implementation, Primitive
from cyclometer.records.executable import BuildRequest, Executable


def compose(
    primitive: Primitive,
    searched: Iterable[Implementation],
    compilers_for: Callable[[Implementation], Iterable[Compiler]],
    tuned: Mapping[str, Executable],
) -> list[BuildRequest]:
    """Return a request for each implementation of the searched part and each of its compilers.

    `tuned` maps the other parts to their chosen executables, whose objects are linked as they are.
    """
    composed = primitive.composed
    assert composed
    fixed = [tuned[part] for part in composed.tuned_first]
    requests = []
    for part in searched:
        implementation = Implementation(
            operation=primitive.operation,
            primitive=primitive.name,
            name=part.name,
            folders=(composed.folder, *part.folders, *(f for e in fixed for f in e.implementation.folders)),
            sources=part.sources if part.foreign else (composed.folder / "compose.c", *part.sources),
            needs=part.needs,
            packages=tuple({*part.packages, *(p for e in fixed for p in e.implementation.packages)}),
            headers=tuple({*part.headers, *(h for e in fixed for h in e.implementation.headers)}),
            libraries=(*part.libraries, *(o for e in fixed for o in e.implementation.libraries)),
            debian=part.debian,
            # Of two values of a macro, the last counts.
            macros=(*(m for e in fixed for m in e.implementation.macros), *part.macros),
            constant_time=part.constant_time,
            library=part.library,
            glue=(composed.folder / "compose.c", *part.glue) if part.foreign else (),
            foreign=replace(part.foreign, oracles=()) if part.foreign else None,
        )
        objects = tuple(o for executable in fixed for o in executable.objects)
        requests += [
            BuildRequest(primitive=primitive, implementation=implementation, compiler=compiler, objects=objects)
            for compiler in compilers_for(implementation)
        ]
    return requests
