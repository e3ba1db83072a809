# SPDX-License-Identifier: MIT OR Apache-2.0
"""The declaration that decides how stored numbers of an operation are shown."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from cyclometer.discover import schema, toml_files
from cyclometer.records.length_unit import BYTES


def declaration_shown(tree: Path, operation: str, measures: Collection[str]) -> schema.Operation | None:
    """Return the declaration whose views show the most of these measures: our operation's or an adapter's variant.

    None if there is neither, which means that the operation is known from imported runs alone.
    """
    native = tree / "operations" / operation / "operation.toml"
    variants = sorted((tree / "adapters").glob(f"*/operations/{operation}/operation.toml"))
    declarations = [toml_files.read(schema.Operation, file) for file in (native, *variants) if file.exists()]
    return max(
        declarations, key=lambda declared: len(_measures_in_views(declared).intersection(measures)), default=None
    )


def length_units(tree: Path, operations: Collection[str]) -> dict[str, str]:
    """Return what the variable `length` counts in each operation: bytes, unless its declaration says otherwise."""
    declared = {operation: declaration_shown(tree, operation, ()) for operation in operations}
    return {operation: found.units.length if found else BYTES for operation, found in declared.items()}


def _measures_in_views(declared: schema.Operation) -> set[str]:
    return {measure for view in declared.view for measure in view.measures}
