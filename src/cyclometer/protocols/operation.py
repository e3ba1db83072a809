# SPDX-License-Identifier: MIT OR Apache-2.0
"""The declaration of the protocol: grids that are part of its contract."""

from __future__ import annotations

from pathlib import Path

from cyclometer.discover.native import read_operation
from cyclometer.errors import BadDeclaration
from cyclometer.records.catalogue import Operation


def read_protocol(tree: Path) -> Operation:
    """Read protocols/protocol; `BadDeclaration` if the tree has none."""
    folder = tree / "protocols" / "protocol"
    if not folder.is_dir():
        raise BadDeclaration(f"{tree} has no folder protocols/protocol; take a whole checkout of Cyclometer")
    return read_operation(folder)


def protocol_operations(tree: Path) -> list[Operation]:
    """Return what the studies of a tree store beside its operations; nothing if it has no protocols."""
    folders = [tree / "protocols" / name for name in ("protocol", "api")]
    return [read_operation(folder) for folder in folders if folder.is_dir()]
