# SPDX-License-Identifier: MIT OR Apache-2.0
"""Gives timed processes copies of their executable and its libraries, in other pages of physical memory.

Which pages the kernel has put a file into decides what some code takes, and stays the same as long as the file is in
memory: without copies all processes repeat it, however many they are (docs/how-numbers-are-made.md).
"""

from __future__ import annotations

import errno
import os
import random
import re
import secrets
import shutil
import stat
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock

from cyclometer.execute import sandbox
from cyclometer.execute.bubblewrap import bubblewrap, shows
from cyclometer.records.executable import Executable

COPIES = 8
"""Copies that are kept: of each library, of which a process reads any, and the last ones of executables.

A copy that is removed at once leaves its pages to the next one.
"""

ROOM = 1 << 30
"""Bytes that stay free on the disk, for what a campaign builds and stores."""

Scratch = Callable[[], AbstractContextManager[Path]]
"""Makes a folder, on a file system that may hold programs, and removes it at the end."""

_LIST = ("env", "LD_TRACE_LOADED_OBJECTS=1")  # ld.so(8): list what would be loaded, and run nothing
_LOADED = re.compile(rb" => (/\S+) \(0x")
_LISTING = sandbox.Limits(seconds=10.0)


class PageCopies:
    """Copies the files of programs to a scratch folder, of which nothing is left at the end.

    Threads may share it. Nothing is copied where there is no sandbox, which puts copies in the place of files, or no
    room.
    """

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._lock = Lock()  # of all that follows
        self._folder: Path | None = None
        self._executables: dict[Path, bool] = {}  # whether a process may still need the copy; the latest are last
        self._libraries: dict[Path, list[Path]] = {}
        self._loaded: dict[tuple[str, ...], list[Path]] = {}  # by what is named to the linker

    @contextmanager
    def of(self, executable: Executable) -> Iterator[dict[Path, Path]]:
        """Yield the copy that one process of this executable reads in place of each of its files.

        Leave the block when the process has ended: it opens its files some time after it was started.
        """
        copies: dict[Path, Path] = {}
        if bubblewrap() and not executable.compiler.emulator:
            with self._lock, suppress(OSError):
                copies |= {library: self._one_of(library) for library in self._loaded_by(executable)}
                copies[executable.path] = self._own(executable.path)
        try:
            yield copies
        finally:
            if copy := copies.get(executable.path):
                self._release(copy)

    def _own(self, file: Path) -> Path:
        copy = self._copy(file)
        self._executables[copy] = True
        self._remove_old()
        return copy

    def _release(self, copy: Path) -> None:
        with self._lock:
            self._executables[copy] = False
            self._remove_old()

    def _remove_old(self) -> None:
        """Remove the copies of executables but the last ones and those that a process may need."""
        for copy, is_needed in list(self._executables.items())[:-COPIES]:
            if not is_needed:
                del self._executables[copy]
                with suppress(OSError):
                    copy.unlink()

    def _one_of(self, library: Path) -> Path:
        copies = self._libraries.setdefault(library, [])
        if len(copies) < COPIES:
            copies.append(self._copy(library))
            return copies[-1]
        return random.choice(copies)

    def _loaded_by(self, executable: Executable) -> list[Path]:
        """Return the libraries that an executable loads, if it is linked with others than the C library."""
        implementation = executable.implementation
        names = (*implementation.packages, *implementation.libraries)
        if names and names not in self._loaded:
            outcome = sandbox.run(
                [*_LIST, str(executable.path)],
                limits=_LISTING,
                environment=dict(executable.compiler.environment),
                visible=[executable.path, *executable.loads],
                abi=executable.compiler.abi,
            )
            found = [Path(os.path.realpath(os.fsdecode(name))) for name in _LOADED.findall(outcome.stdout)]
            self._loaded[names] = [path for path in found if shows(path)]
        return [*executable.loads, *self._loaded.get(names, [])]

    def _copy(self, file: Path) -> Path:
        if not self._folder:
            stack = ExitStack()
            self._folder = stack.enter_context(self._scratch())
            weakref.finalize(self, stack.close)
        if shutil.disk_usage(self._folder).free < ROOM + file.stat().st_size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        copy = self._folder / secrets.token_hex(8)
        copy.write_bytes(file.read_bytes())
        copy.chmod(stat.S_IMODE(file.stat().st_mode))
        return copy
