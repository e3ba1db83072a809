# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cache of verdicts, keyed by the contents of executable and vectors and by the machine."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from cyclometer.kept import keep, kept
from cyclometer.records.executable import Executable
from cyclometer.untrusted import MAX_VECTORS, read_bytes


class VerdictCache:
    """Passed checks, one small file each below `folder`. Failures are checked again every time."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder, self.identity = folder / "verdicts", identity

    def get(self, executable: Executable, vectors: Sequence[Path]) -> str:
        """Return the stored verdict, or '' if there is none that is whole."""
        return kept(self._path(executable, vectors))

    def put(self, executable: Executable, vectors: Sequence[Path], verdict: str) -> None:
        """Store the verdict of a check that was passed."""
        keep(self._path(executable, vectors), verdict)

    def _path(self, executable: Executable, vectors: Sequence[Path]) -> Path:
        """Name the file after the executable's key, a hash of all that went into it, libraries included."""
        key = hashlib.sha256(f"verdict 6\n{self.identity}\n{executable.path.stem}\n".encode())
        foreign = executable.implementation.foreign
        key.update(repr(foreign.oracles if foreign else ()).encode())
        for path in vectors:
            content = read_bytes(path, limit=MAX_VECTORS)
            key.update(f"{len(content)}\n".encode() + content)  # an empty file is not the same as none
        return self.folder / key.hexdigest()[:2] / key.hexdigest()[:40]
