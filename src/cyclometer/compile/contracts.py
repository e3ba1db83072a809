# SPDX-License-Identifier: MIT OR Apache-2.0
"""The contract of an operation: numbers compare only under the same contract."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cyclometer.compile.cache import Cache
from cyclometer.compile.tokens import tokens
from cyclometer.paths import api_folders, runtime_folders
from cyclometer.records.catalogue import Operation

TIMED = ("timed_calls.c", "series.c", "samples.c")  # of harness/runtime: what takes the timings


def contracts(tree: Path, operations: Iterable[Operation]) -> dict[str, str]:
    """Map each operation to the hash of its API header, its measuring code and the harness around them.

    The hash is over C tokens: comments, layout and file names do not change it.
    """
    harness = tree / "harness"
    folders = runtime_folders(harness)
    timed = [token for name in TIMED for token in tokens(harness / "runtime" / name, folders)]
    return {operation.name: _contract(operation, harness, timed) for operation in operations}


def _contract(operation: Operation, harness: Path, timed: list[str]) -> str:
    measuring = tokens(operation.folder / "measure.c", [operation.folder, *api_folders(harness)])
    grid = [line.split() for line in operation.choose_grid]
    return Cache.key(measuring, timed, grid)[:16]
