# SPDX-License-Identifier: MIT OR Apache-2.0
"""The limit of the cache's size: what was not used for longest goes first, and nothing that was used within a day."""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from cyclometer.errors import CyclometerError
from cyclometer.kept import make_room

LIMIT_GIB = "CYCLOMETER_CACHE_GIB"
DEFAULT_GIB = 20.0
DAY = 86400.0

STAMP = ".trimmed"
_REMADE = re.compile(r"[0-9a-f]{2}|cells|lines")  # folders of what can be made again
_SCRATCH = "scratch-*"


def limit_bytes() -> int:
    """Return the limit: $CYCLOMETER_CACHE_GIB, default 20. CyclometerError if that is no number."""
    text = os.environ.get(LIMIT_GIB, "")
    try:
        gib = float(text) if text else DEFAULT_GIB
    except ValueError:
        raise CyclometerError(f"{LIMIT_GIB}={text}: give a number of GiB, such as 5") from None
    return int(gib * (1 << 30))


def trim_daily(folder: Path) -> None:
    """Trim the cache, unless that was done within a day."""
    stamp = folder / STAMP
    with suppress(OSError):
        if time.time() - stamp.stat().st_mtime < DAY:
            return
    with suppress(OSError):  # a full disk, or a cache that may only be read
        stamp.touch()
        trim(folder, limit_bytes())


def trim(folder: Path, limit: int) -> int:
    """Remove entries until the cache has at most `limit` bytes; return how many bytes are left.

    An entry's time is that of its last use (`used`). Folders that a killed build left are removed, too.
    """
    before = time.time() - DAY
    for scratch in folder.glob(_SCRATCH):
        with suppress(OSError):
            if scratch.stat().st_mtime < before:
                shutil.rmtree(scratch, ignore_errors=True)
    entries = sorted(_entries(folder))
    left = sum(size for _, size, _ in entries)
    for last, size, path in entries:
        if left <= limit or last >= before:
            break
        with suppress(OSError):
            os.unlink(path)
            left -= size
    return left


def sum_file(entry: Path) -> Path:
    """Return the file with the digest of an entry; it has the entry's times, so that both go together."""
    return entry.with_name(f"{entry.name}.sha256")


def used(entry: Path) -> bool:
    """Return whether an entry is in the cache; if so, note its use. What is no file, in its place, is removed."""
    try:
        status = entry.stat()
        if not stat.S_ISREG(status.st_mode):
            make_room(entry)
            return False
        if time.time() - status.st_mtime > DAY / 2:
            os.utime(entry)
            os.utime(sum_file(entry))
    except FileNotFoundError:
        return False
    except OSError:  # not ours, or read-only
        return entry.exists()
    return True


def _entries(folder: Path) -> Iterator[tuple[float, int, str]]:
    """Yield time of last use, size and path of each entry."""
    for part in folder.iterdir():
        if _REMADE.fullmatch(part.name) and part.is_dir():
            for entry in os.scandir(part):
                with suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    yield status.st_mtime, status.st_size, entry.path
