# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where the tree (`TREE`), the cache and temporary files are."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

TREE = (
    "adapters",
    "harness",
    "modes",
    "operations",
    "primitives",
    "protocols",
    "providers",
    "published",
    "toolchains",
    "workloads",
)
"""The folders of the tree, in which everything that is measured is found; the wheel has them all."""

_PREFIX, _HELD = "cyclometer-tmp-", ".held"
_STARTING_SECONDS = 60  # in which a process holds a folder that it has made


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


@contextmanager
def temporary_folder(name: str) -> Iterator[Path]:
    """Create a folder of this process's own, which is removed at the end.

    Those of processes that were killed are removed first. A process holds a lock in its own, which the kernel releases
    when it ends.
    """
    _remove_left_behind()
    with tempfile.TemporaryDirectory(prefix=f"{_PREFIX}{name}-") as made:
        folder = Path(made).resolve()
        with (folder / _HELD).open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            try:
                yield folder
            finally:
                _empty(folder)


def _remove_left_behind() -> None:
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            status = folder.stat(follow_symlinks=False)
            if status.st_uid != os.getuid() or time.time() - status.st_ctime < _STARTING_SECONDS:
                continue
            if not (folder / _HELD).exists():
                folder.rmdir()  # if it is empty: its process was killed before it held it, or after
                continue
            with (folder / _HELD).open("r") as held:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _empty(folder)
                shutil.rmtree(folder, ignore_errors=True)


def _empty(folder: Path) -> None:
    """Remove everything but the lock, which goes last: who is killed meanwhile leaves a folder that can be known."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif path.name != _HELD:
            with suppress(OSError):
                path.unlink()
