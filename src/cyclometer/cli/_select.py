# SPDX-License-Identifier: MIT OR Apache-2.0
"""The runs that a command reads, and a line on standard error for each one that it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from cyclometer.cli._notes import notes
from cyclometer.store import StoredRun, list_runs, remarks, select_runs


def selected(
    results: Path,
    runs: Sequence[str] | None,
    machines: Sequence[str] | None,
    *,
    everything: bool = False,
    comparisons: bool = False,
    say: Callable[[str], None] = notes.setdefault,
) -> list[StoredRun]:
    """Return what `select_runs` selects, and note what is left out although it matches."""
    return select_runs(results, runs or (), machines or (), everything=everything, comparisons=comparisons, say=say)


def complete_runs(results: Path, machines: Sequence[str] = ()) -> list[StoredRun]:
    """Return all complete runs, and note those of the machines (none: of all) that cannot be read, or are copies."""
    stored = list_runs(results)
    for line in remarks(stored, (), (), machines):
        notes.setdefault(line)
    return [run for run in stored if run.state == "complete"]
