# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where the tree (harness, operations, primitives, providers, toolchains) and the cache are."""

from __future__ import annotations

import os
from pathlib import Path


def root() -> Path:
    """Return the tree: $CYCLOMETER_TREE, else the copy in the wheel, else the checkout of this package."""
    if chosen := os.environ.get("CYCLOMETER_TREE"):
        return Path(chosen).resolve()
    package = Path(__file__).resolve().parent
    packaged = package / "_tree"
    return packaged if packaged.is_dir() else package.parent.parent


def api_folders(harness: Path) -> tuple[Path, ...]:
    """Return the include path of operations; they include counters as `counters/<name>.h`."""
    return harness / "api", harness


def runtime_folders(harness: Path) -> tuple[Path, ...]:
    """Return the include path of the harness itself."""
    return harness / "runtime", *api_folders(harness)


def cache_folder() -> Path:
    """Return the cache: $CYCLOMETER_CACHE, else $XDG_CACHE_HOME/cyclometer, else ~/.cache/cyclometer."""
    if chosen := os.environ.get("CYCLOMETER_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "cyclometer"
