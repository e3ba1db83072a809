# SPDX-License-Identifier: MIT OR Apache-2.0
"""The modes of a machine that the tree knows, and figures that others published."""

from __future__ import annotations

from pathlib import Path

from cyclometer.discover import schema, toml_files
from cyclometer.discover.published import has_published, read_published
from cyclometer.records.catalogue import Primitive
from cyclometer.records.published import Match, PublishedFigure


def read_modes(tree: Path) -> dict[str, schema.Mode]:
    """Return the modes by name, the native one first, then those with another toolchain."""
    modes = {file.stem: toml_files.read(schema.Mode, file) for file in sorted((tree / "modes").glob("*.toml"))}
    return dict(sorted(modes.items(), key=lambda item: (len(item[1].without), bool(item[1].toolchain), item[0])))


def published_per_byte(
    tree: Path, primitive: Primitive, measure: str, length: int
) -> tuple[list[PublishedFigure], list[str]]:
    """Return the figures in cycles per byte of a system at a length, and the titles of their documents."""
    if not has_published(tree):
        return [], []
    published = read_published(tree)

    def fits(match: Match | None, figure: PublishedFigure) -> bool:
        return (
            match is not None
            and (match.operation, match.system(figure.system)) == (primitive.operation, primitive.name)
            and match.measures.get(figure.measure) == measure
            and (figure.length, figure.unit) == (length, "cycles/byte")
        )

    figures = [figure for figure in published.figures if fits(published.match(figure), figure)]
    return figures, [published.titles[name] for name in dict.fromkeys(figure.document for figure in figures)]
