# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the tree holds, or a foreign one, without building anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from cyclometer import paths
from cyclometer.discover import counted, discover, listing, recognise, select, summary


def print_listing(folder: Path | None, patterns: Sequence[str]) -> None:
    """A line for each implementation: its name, and why it is left out if it is; then the sums."""
    if folder is None:
        return _print_own(patterns)
    found = recognise(folder)
    listed = listing(found, paths.root(), patterns)
    console = Console(highlight=False, soft_wrap=True)
    for one in listed:
        name = f"{one.operation} {one.primitive} {one.name}"
        console.print(f"{name}: left out, {one.skip_reason}" if one.skip_reason else name, markup=False)
    console.print(summary(found, listed), markup=False)


def _print_own(patterns: Sequence[str]) -> None:
    """A line for each system: its implementations, and what it may be composed of."""
    catalogue = discover(paths.root(), "")
    names: dict[str, list[str]] = {}
    for one in catalogue.implementations:
        names.setdefault(f"{one.operation}/{one.primitive}", []).append(one.name)
    listed = select(catalogue, patterns or ["*"])
    for primitive in listed:
        parts = [part for _, part in primitive.composed.every_part] if primitive.composed else []
        composed = [f"(of {', '.join(dict.fromkeys(parts))})"] if parts else []
        having = ", ".join(sorted(names.get(primitive.key, [])))
        print(" ".join([f"{primitive.operation} {primitive.name}:", *filter(None, [having]), *composed]))
    print(f"{counted(len(listed), 'system')} of {counted(len({p.operation for p in listed}), 'operation')}")
