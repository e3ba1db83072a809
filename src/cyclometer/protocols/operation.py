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
