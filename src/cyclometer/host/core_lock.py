# SPDX-License-Identifier: MIT OR Apache-2.0
"""Notices two runs that measure on one core at the same time.

Every run holds a shared lock on one file per core while it measures, and writes its process id there. Whoever gets the
lock for itself alone is alone, and empties the file; the kernel releases the lock of a process that ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

TRIES, TRY_SECONDS = 20, 0.01
"""How long to wait for the shared lock."""


@contextlib.contextmanager
def measuring_on(core: int | None) -> Iterator[list[int]]:
    """Register this process as measuring on a core; yield a list that, at the end, has the ids of the other processes.

    The list stays empty if the core is not known or the file cannot be written.
    """
    others: list[int] = []
    descriptor = -1 if core is None else _opened(Path(tempfile.gettempdir()) / f"cyclometer-core-{core}.lock")
    if descriptor < 0:
        yield others
        return
    try:
        with contextlib.suppress(OSError):  # another run has the lock
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(descriptor, 0)
        for _ in range(TRIES):
            with contextlib.suppress(OSError):  # another process is just looking whether it is alone
                fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
                break
            time.sleep(TRY_SECONDS)
        with contextlib.suppress(OSError):
            os.write(descriptor, f"{os.getpid()}\n".encode())
        yield others
        words = os.pread(descriptor, 1 << 16, 0).split()
        others += sorted({int(word) for word in words if word.isdigit()} - {os.getpid()})
    finally:
        os.close(descriptor)


def _opened(path: Path) -> int:
    """Open the file for appending; every user may. Return -1 if that is not possible."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    with contextlib.suppress(OSError):
        with contextlib.suppress(FileExistsError):
            descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
            os.fchmod(descriptor, 0o666)
            return descriptor
        return os.open(path, flags)
    return -1
