# SPDX-License-Identifier: MIT OR Apache-2.0
"""One writer per folder, whoever looks meanwhile."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from threading import Timer

import pytest

from cyclometer.errors import StorageFailed
from cyclometer.store.lock import FolderLock, is_locked


def test_who_writes_is_the_only_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_locked(path)
    first = FolderLock(path)
    assert is_locked(path)
    with pytest.raises(StorageFailed, match=f"^{tmp_path} is being written by another process; wait"):
        FolderLock(path)
    assert is_locked(path), "whoever could not have it has not taken it away"
    first.release()
    assert not is_locked(path)
    FolderLock(path).release()


def test_a_process_that_only_looks_is_no_writer(tmp_path: Path) -> None:
    """`is_locked` of another process shares the lock at the moment in which this one begins to write."""
    path = tmp_path / "lock"
    looking = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(looking, fcntl.LOCK_SH)
    timer = Timer(0.05, lambda: os.close(looking))
    timer.start()
    lock = FolderLock(path)
    assert is_locked(path)
    lock.release()
    timer.join()
