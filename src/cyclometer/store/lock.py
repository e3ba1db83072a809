# SPDX-License-Identifier: MIT OR Apache-2.0
"""One writer a run: a lock the kernel releases when its holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.store.files import storage


class RunLock:
    """Holds a lock file from construction until `release`."""

    def __init__(self, path: Path) -> None:
        with storage("lock", path):
            self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._descriptor)
            raise StorageFailed(
                f"{path.parent} is being written by another process; wait for it or start a new run"
            ) from error

    def release(self) -> None:
        """Let others in; a second call does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def is_locked(path: Path) -> bool:
    """Whether some process holds the lock right now; False where it cannot be told."""
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
