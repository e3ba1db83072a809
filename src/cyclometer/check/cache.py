# SPDX-License-Identifier: MIT OR Apache-2.0
"""Remembers verdicts by the content of the executable, of the vectors and of the machine."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from cyclometer.records.executable import Executable


class VerdictCache:
    """Passed checks, one small file each below `folder`. Failures are checked again every time."""

    def __init__(self, folder: Path, identity: str) -> None:
        self.folder, self.identity = folder / "verdicts", identity

    def get(self, executable: Executable, vectors: Sequence[Path]) -> str:
        """What was remembered of the passed check, or ''."""
        place = self._place(executable, vectors)
        return place.read_text(encoding="utf-8") if place.exists() else ""

    def put(self, executable: Executable, vectors: Sequence[Path], verdict: str) -> None:
        """Keeps a passed check."""
        place = self._place(executable, vectors)
        place.parent.mkdir(parents=True, exist_ok=True)
        scratch = place.with_name(f".{secrets.token_hex(8)}")
        scratch.write_text(verdict, encoding="utf-8")
        os.replace(scratch, place)

    def _place(self, executable: Executable, vectors: Sequence[Path]) -> Path:
        """Named by the executable's key, which stands for all that went into it, libraries included."""
        mix = hashlib.sha256(f"kinds\n{self.identity}\n{executable.path.stem}\n".encode())
        foreign = executable.implementation.foreign
        mix.update(repr(foreign.oracle if foreign else ()).encode())
        for path in vectors:
            mix.update(path.read_bytes())
        return self.folder / mix.hexdigest()[:2] / mix.hexdigest()[:40]
