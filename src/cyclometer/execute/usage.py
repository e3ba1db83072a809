# SPDX-License-Identifier: MIT OR Apache-2.0
"""What all processes of a build use together: the kernel's resource limits hold for each process alone.

Control groups would count this as well, but are delegated to few users and to few containers.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import psutil

from cyclometer.records.failure import FailureKind

PERIOD = 0.2  # seconds between two looks
MOST_FILES = 200_000
_MEGABYTE = 1 << 20


def excess(pid: int, *, processes: int, memory: int, disk: int, folder: Path | None) -> tuple[FailureKind, str] | None:
    """Return the limit that the descendants of `pid` exceed together, or None.

    `memory` and `disk` are in bytes; `disk` is that of the files in `folder`.
    """
    family = descendants(pid)
    if len(family) > processes:
        return FailureKind.KILLED, f"makes more than {processes} processes"
    if sum(map(_memory, family)) > memory:
        return FailureKind.MEMORY_LIMIT, f"uses more than {memory // _MEGABYTE} megabytes of memory"
    if folder and _is_full(folder, disk):
        return FailureKind.OUTPUT_LIMIT, f"writes more than {disk // _MEGABYTE} megabytes, or {MOST_FILES} files"
    return None


def descendants(pid: int) -> list[int]:
    """Return all descendants of a process."""
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children(waiting.pop())
        found += below
        waiting += below
    return found


def innermost(pid: int) -> int:
    """Return the last of the line that begins with `pid`."""
    *_, last = line_from(pid)
    return last


def line_from(pid: int) -> Iterator[int]:
    """Yield a process, its first child, that one's first child and so on; each is looked for when it is asked for."""
    yield pid
    while below := children(pid):
        pid = below[0]
        yield pid


def children(pid: int) -> list[int]:
    """Return the children of a process; it looks at this process only, as a look at all would take milliseconds."""
    try:
        lists = [task / "children" for task in Path(f"/proc/{pid}/task").iterdir()]
        return [int(child) for each in lists for child in each.read_text().split()]
    except OSError:  # no such process, or a kernel that does not list children
        with contextlib.suppress(psutil.Error):
            return [child.pid for child in psutil.Process(pid).children()]
    return []


def _memory(pid: int) -> int:
    with contextlib.suppress(psutil.Error):
        memory = psutil.Process(pid).memory_info()
        return int(memory.rss - memory.shared)
    return 0


def _is_full(folder: Path, most: int) -> bool:
    files = used = 0
    try:
        for entry in _entries(folder):
            files += 1
            with contextlib.suppress(FileNotFoundError):
                used += entry.stat(follow_symlinks=False).st_blocks * 512
            if used > most or files > MOST_FILES:
                return True
    except OSError:  # names too long for the file system's interface, which no build makes
        return True
    return False


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield everything below a folder; links are not followed."""
    waiting = [str(folder)]
    while waiting:
        with (
            contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError),
            os.scandir(waiting.pop()) as found,
        ):
            for entry in found:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
