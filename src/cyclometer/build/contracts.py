# SPDX-License-Identifier: MIT OR Apache-2.0
"""The contract of an operation: what must be equal for two numbers to compare."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cyclometer.build.cache import Cache
from cyclometer.build.includes import closure
from cyclometer.model import Operation


def contracts(tree: Path, operations: Iterable[Operation]) -> dict[str, str]:
    """Operation -> hash of its API header, its measuring code and the harness around them."""
    harness = tree / "harness"
    timed = closure(harness / "samples.c", [harness])
    return {
        operation.name: Cache.key(
            closure(operation.folder / "measure.c", [operation.folder, harness]), timed, operation.choose_grid
        )[:16]
        for operation in operations
    }
