# SPDX-License-Identifier: MIT OR Apache-2.0
"""One writer per folder: a lock that the kernel releases when its holder ends for any reason."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.store.files import storage

TRIES, TRY_SECONDS = 10, 0.01


class FolderLock:
    """Holds a lock file from construction until `release`; `StorageFailed` if another process holds it."""

    def __init__(self, path: Path) -> None:
        with storage("lock", path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        for tries_left in reversed(range(TRIES)):
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:  # perhaps another process is just looking whether it is locked
                if not tries_left:
                    os.close(self._descriptor)
                    raise StorageFailed(
                        f"{path.parent} is being written by another process; wait for it or start a new run"
                    ) from error
                time.sleep(TRY_SECONDS)

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
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
