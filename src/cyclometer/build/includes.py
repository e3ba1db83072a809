# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a source file is made of: itself and all it includes, as one hash."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

_INCLUDE = re.compile(rb'^\s*(?:#\s*include|\.include|\.incbin)\s+"([^"]+)"', re.MULTILINE)


@lru_cache(maxsize=4096)
def _file(path: Path, stamp: tuple[int, int]) -> tuple[str, tuple[str, ...]]:
    data = path.read_bytes()
    return hashlib.sha256(data).hexdigest(), tuple(name.decode(errors="replace") for name in _INCLUDE.findall(data))


def closure(source: Path, folders: Sequence[Path], more: Sequence[Path] = ()) -> list[str]:
    """Hash of every file that `source` reaches by quoted includes through its own folder and `folders`,
    with its name; `more` are files reached by macros. Absent ones are the system's."""
    found: dict[Path, str] = {}
    waiting = [source, *more]
    while waiting:
        path = waiting.pop()
        path = path.parent.resolve() / path.name  # a link's own neighbours are included, not its target's
        if path in found:
            continue
        status = path.stat()
        found[path], names = _file(path, (status.st_mtime_ns, status.st_size))
        for name in names:
            candidates = (folder / name for folder in (path.parent, *folders))
            waiting += [candidate for candidate in candidates if candidate.is_file()][:1]
    # Not the whole path: the same tree elsewhere is the same content.
    return sorted(f"{digest} {path.parent.name}/{path.name}" for path, digest in found.items())
