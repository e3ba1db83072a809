# SPDX-License-Identifier: MIT OR Apache-2.0
"""What all processes of the tests have around them; importing this module prepares it.

Temporary files lie in memory, if there is room. A run that is stored is forced to the disk many times, and a test's
files are removed again: a disk takes milliseconds for each, and many tests waited for it longer than they computed.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
BYTES = 6 << 30  # all tests together need less than two gigabytes
PREFIX = "tests-"  # and the number of a process: a short name, for the path of a socket has at most 107 bytes


def _prepare() -> Path | None:
    """Make the folder for temporary files and return it; None if there is no need or no room.

    Where $TMPDIR is set, that stays. What ended processes have left there is removed.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads wait busily, on the cores of the other tests
    if "TMPDIR" in os.environ or not _has_room():
        return None
    for left in MEMORY.glob(f"{PREFIX}[0-9]*"):
        with suppress(OSError, ValueError):
            if not psutil.pid_exists(int(left.name.removeprefix(PREFIX))) and left.stat().st_uid == os.getuid():
                _remove(left)
    folder = MEMORY / f"{PREFIX}{os.getpid()}"
    folder.mkdir()
    folder.chmod(0o1777)  # as /tmp: some tests start programs as another user
    os.environ["TMPDIR"], tempfile.tempdir = str(folder), None
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):  # then every process that tests start would compile its modules
        os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    return folder


def remove_files() -> None:
    """Remove the folder that this process has made."""
    if _made:
        _remove(_made)


def _remove(folder: Path) -> None:
    """Remove a folder with whatever tests left there: a thousand levels of folders, say."""
    subprocess.run(["rm", "-rf", folder], stderr=subprocess.DEVNULL, check=False)


def _has_room() -> bool:
    try:
        room = os.statvfs(MEMORY)
    except OSError:
        return False
    usable = os.access(MEMORY, os.W_OK) and not room.f_flag & os.ST_NOEXEC
    return usable and min(room.f_bavail * room.f_frsize, psutil.virtual_memory().available) > BYTES


_made = _prepare()
