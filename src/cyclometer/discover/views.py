# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which declaration of an operation says how stored numbers are shown."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from cyclometer.discover import schema as declare


def declaration_shown(tree: Path, operation: str, measures: Collection[str]) -> declare.Operation | None:
    """Our operation's, or the variant of an adapter that has views of more of these measures; None where
    there is neither (an operation known from imported runs alone)."""
    ours = tree / "operations" / operation / "operation.toml"
    variants = sorted((tree / "adapters").glob(f"*/operations/{operation}/operation.toml"))
    read = [declare.read(declare.Operation, file) for file in (ours, *variants) if file.exists()]
    return max(read, key=lambda each: len(_shown(each).intersection(measures)), default=None)


def _shown(declared: declare.Operation) -> set[str]:
    return {measure for view in declared.view for measure in view.measures}
