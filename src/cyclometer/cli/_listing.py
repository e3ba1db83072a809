# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a foreign tree holds, without building anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from cyclometer import tree
from cyclometer.discover import listing, recognise
from cyclometer.errors import CyclometerError


def print_listing(folder: Path | None, patterns: Sequence[str]) -> None:
    """A line for each implementation: its name, and why it is left out if it is; then the sums."""
    if folder is None:
        raise CyclometerError("--list needs --tree DIR, the tree to list")
    found = recognise(folder)
    listed = listing(found, patterns)
    console = Console(highlight=False, soft_wrap=True)
    operations = {path.name for path in (tree.root() / "operations").iterdir()}
    reasons: Counter[str] = Counter()
    for one in listed:
        why = one.left_out or ("" if one.operation in operations else f"there is no operation {one.operation} here")
        reasons[why] += bool(why)
        name = f"{one.operation} {one.primitive} {one.name}"
        console.print(f"{name}: left out, {why}" if why else name, markup=False)
    primitives = {(one.operation, one.primitive) for one in listed}
    console.print(
        f"{found.label} ({found.kind}): {_counted(len(listed), 'implementation')} of "
        f"{_counted(len(primitives), 'primitive')}, "
        f"{sum(reasons.values())} left out",
        markup=False,
    )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
