# SPDX-License-Identifier: MIT OR Apache-2.0
"""The option --list of `cyclometer run`: what a tree contains, without building anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cyclometer import paths
from cyclometer.cli._output import say
from cyclometer.discover import counted, discover, listing, recognise, select, summary, with_pairs


def print_listing(folder: Path | None, patterns: Sequence[str]) -> None:
    """Print a line for each implementation, with the reason if it is skipped; then the totals."""
    if folder is None:
        return _print_own(patterns)
    tree = recognise(folder)
    listed = listing(tree, paths.root(), patterns)
    for implementation in listed:
        name = f"{implementation.operation} {implementation.primitive} {implementation.name}"
        skipped = f": left out, {implementation.skip_reason}" if implementation.skip_reason else ""
        say(name + skipped)
    say(summary(tree, listed))


def _print_own(patterns: Sequence[str]) -> None:
    """Print a line for each system: its implementations and, of a composition, its parts."""
    catalogue = with_pairs(discover(paths.root(), ""), patterns)
    names: dict[str, list[str]] = {}
    for each in catalogue.implementations:
        names.setdefault(f"{each.operation}/{each.primitive}", []).append(each.name)
    listed = select(catalogue, patterns or ["*"])
    for primitive in listed:
        parts = [part for _, part in primitive.composed.every_part] if primitive.composed else []
        composed = [f"(of {', '.join(dict.fromkeys(parts))})"] if parts else []
        implementations = ", ".join(sorted(names.get(primitive.key, [])))
        say(" ".join([f"{primitive.operation} {primitive.name}:", *filter(None, [implementations]), *composed]))
    say(f"{counted(len(listed), 'system')} of {counted(len({p.operation for p in listed}), 'operation')}")
