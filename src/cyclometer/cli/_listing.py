# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the tree holds, or a foreign one, without building anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from cyclometer import tree
from cyclometer.discover import Found, Listed, discover, listing, recognise, select


def print_listing(folder: Path | None, patterns: Sequence[str]) -> None:
    """A line for each implementation: its name, and why it is left out if it is; then the sums."""
    if folder is None:
        return _print_own(patterns)
    found = recognise(folder)
    listed = listing(found, patterns)
    console = Console(highlight=False, soft_wrap=True)
    for one in listed:
        why = _left_out(one)
        name = f"{one.operation} {one.primitive} {one.name}"
        console.print(f"{name}: left out, {why}" if why else name, markup=False)
    console.print(_sums(found, listed), markup=False)


def recognised(folder: Path, patterns: Sequence[str]) -> list[str]:
    """What kind of tree a folder is, and how much of it is asked for: said before something that may take long.
    Nothing where nothing of it can be tried."""
    found = recognise(folder)
    listed = listing(found, patterns)
    return [] if all(map(_left_out, listed)) else [_sums(found, listed)]


def _sums(found: Found, listed: Sequence[Listed]) -> str:
    primitives = {one.key for one in listed}
    return (
        f"{found.label} ({found.kind}): {_counted(len(listed), 'implementation')} of "
        f"{_counted(len(primitives), 'primitive')}, {sum(bool(_left_out(one)) for one in listed)} left out"
    )


def _left_out(one: Listed) -> str:
    """Why, or nothing."""
    known = (tree.root() / "operations" / one.operation).is_dir()
    return one.left_out or ("" if known else f"there is no operation {one.operation} here")


def _print_own(patterns: Sequence[str]) -> None:
    """A line for each system: its implementations, and what it may be composed of."""
    catalogue = discover(tree.root(), "")
    names: dict[str, list[str]] = {}
    for one in catalogue.implementations:
        names.setdefault(f"{one.operation}/{one.primitive}", []).append(one.name)
    listed = select(catalogue, patterns or ["*"])
    for primitive in listed:
        parts = [part for _, part in primitive.composed.every_part] if primitive.composed else []
        composed = [f"(of {', '.join(dict.fromkeys(parts))})"] if parts else []
        having = ", ".join(sorted(names.get(primitive.key, [])))
        print(" ".join([f"{primitive.operation} {primitive.name}:", *filter(None, [having]), *composed]))
    print(f"{_counted(len(listed), 'system')} of {_counted(len({p.operation for p in listed}), 'operation')}")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
