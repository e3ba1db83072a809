# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a reader of foreign trees says of one."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Found:
    """A tree, and the part of it that was asked for."""

    kind: str  # the reader's module
    root: Path  # where paths inside the tree count from, and what the sandbox shows
    part: Path  # the folder asked for: the root, an operation, a primitive or an implementation
    label: str  # such as "SUPERCOP 20260330"


@dataclass(frozen=True, kw_only=True)
class Listed:
    """An implementation by its names."""

    operation: str
    primitive: str
    name: str
    folder: Path
    left_out: str = ""  # why it cannot be used here


def ancestors(folder: Path) -> Iterator[Path]:
    """The folder, its parent, and so on."""
    yield folder
    yield from folder.parents


def machine_name() -> str:
    """This machine's architecture as SUPERCOP writes it."""
    return {"x86_64": "amd64", "aarch64": "aarch64", "i686": "x86"}.get(platform.machine(), platform.machine())
