# SPDX-License-Identifier: MIT OR Apache-2.0
"""One writer per folder: a lock that the kernel releases when its holder ends for any reason."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.store.files import storage

TRIES, TRY_SECONDS = 100, 0.01
"""How long to wait for processes that only look at a lock: `is_locked` shares it for a moment."""


class FolderLock:
    """Holds a lock file from construction until `release`; `StorageFailed` if another process holds it.

    `held` is the error's text, where the folder is not written by one process alone.
    """

    def __init__(self, path: Path, held: str = "") -> None:
        with storage("lock", path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        if not _take(self._descriptor):
            os.close(self._descriptor)
            default = f"{path.parent} is being written by another process; wait for it or start a new run"
            raise StorageFailed(held or default)

    def release(self) -> None:
        """Release the lock; further calls do nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def is_locked(path: Path) -> bool:
    """Return whether a process holds the lock now; False if that cannot be determined."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _flock(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> bool:
    """Take the lock for this process alone; return whether it has it. One that another process writes with is left."""
    for _ in range(TRIES):
        if _flock(descriptor, fcntl.LOCK_EX):
            return True
        if not _flock(descriptor, fcntl.LOCK_SH):
            return False
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        time.sleep(TRY_SECONDS)
    return False


def _flock(descriptor: int, kind: int) -> bool:
    """Lock without waiting; return whether that was possible."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
