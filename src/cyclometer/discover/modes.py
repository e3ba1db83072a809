# SPDX-License-Identifier: MIT OR Apache-2.0
"""The modes of a machine that the tree knows, and figures that others published."""

from __future__ import annotations

from pathlib import Path

from cyclometer.discover import schema
from cyclometer.errors import BadDeclaration
from cyclometer.records.catalogue import Primitive


def read_modes(tree: Path) -> dict[str, schema.Mode]:
    """Return the modes by name, the native one first, then those with another toolchain."""
    modes = {file.stem: schema.read(schema.Mode, file) for file in sorted((tree / "modes").glob("*.toml"))}
    return dict(sorted(modes.items(), key=lambda item: (len(item[1].without), bool(item[1].toolchain), item[0])))


def read_published(primitive: Primitive, measure: str, length: int) -> list[schema.Published]:
    """Return what others published of a measure at a length; `BadDeclaration` for a mode that the tree lacks."""
    files = sorted((primitive.folder / "published").glob("*.toml"))
    every = [(file, schema.read(schema.Published, file)) for file in files]
    known = read_modes(primitive.folder.parents[2])
    for file, each in every:
        for figure in each.figure:
            if figure.mode and figure.mode not in known:
                raise BadDeclaration(f"{file}: mode {figure.mode!r} is none of {', '.join(known)}")
    return [each for _, each in every if (each.measure, each.length) == (measure, length)]
