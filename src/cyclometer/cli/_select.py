# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs that a command reads, and a line on standard error for each one that it leaves out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cyclometer.store import StoredRun, select_runs


def selected(
    results: Path, runs: Sequence[str] | None, machines: Sequence[str] | None, *, everything: bool = False
) -> list[StoredRun]:
    """Return what `select_runs` selects; say once what is left out although it matches."""
    return select_runs(results, runs or (), machines or (), everything=everything, say=_say_once)


@cache
def _say_once(line: str) -> None:
    print(f"cyclometer: {line}", file=sys.stderr)
