# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a source file is made of: itself and all that it includes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_INCLUDE = re.compile(
    rb'^\s*(?:#\s*include|\.include|\.incbin|#\s*define\s+\w+)\s+"([^"]+)"', re.MULTILINE
)  # a macro may be a file's name
_SYSTEM = re.compile(rb"^\s*#\s*include\s+(<[^>]+>)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class _File:
    digest: str
    quoted: tuple[str, ...]
    system: tuple[str, ...]


@lru_cache(maxsize=4096)
def _file(path: Path, stamp: tuple[int, int]) -> _File:
    data = path.read_bytes()
    quoted, system = (
        tuple(name.decode(errors="replace") for name in pattern.findall(data)) for pattern in (_INCLUDE, _SYSTEM)
    )
    return _File(hashlib.sha256(data).hexdigest(), quoted, system)


@lru_cache(maxsize=4096)
def _names_in(path: Path, digest: str) -> frozenset[str]:
    """Of the file while it has that digest."""
    return frozenset(_NAME.findall(path.read_text(encoding="utf-8", errors="replace")))


def closure(source: Path, folders: Sequence[Path], more: Sequence[Path] = ()) -> list[str]:
    """Hash of every file that `source` reaches by quoted includes through its own folder and `folders`,
    with its name; `more` are files reached by macros. Absent ones are the system's, as are those named like
    this: <stdint.h>."""
    found = _reached(source, folders, more)
    # Not the whole path: the same tree elsewhere is the same content.
    named = [f"{file.digest} {path.parent.name}/{path.name}" for path, file in found.items()]
    return sorted({*named, *(name for file in found.values() for name in file.system)})


def names(source: Path, folders: Sequence[Path], more: Sequence[Path] = ()) -> frozenset[str]:
    """All that stand in the files of its closure."""
    files = _reached(source, folders, more).items()
    return frozenset[str]().union(*(_names_in(path, file.digest) for path, file in files))


def mentioned(defines: Sequence[str], known: frozenset[str]) -> list[str]:
    """Of NAME=value those macros that are among the known names, or stand in another such one's value: the others
    change nothing."""
    wanted: set[str] = set()
    while found := {define for define in defines if _NAME.findall(define)[0] in known} - wanted:
        wanted |= found
        known = known.union(*(_NAME.findall(define.partition("=")[2]) for define in found))
    return [define for define in defines if define in wanted]


def _reached(source: Path, folders: Sequence[Path], more: Sequence[Path]) -> dict[Path, _File]:
    found: dict[Path, _File] = {}
    waiting = [source, *more]
    while waiting:
        path = waiting.pop()
        path = path.parent.resolve() / path.name  # a link's own neighbours are included, not its target's
        if path in found:
            continue
        status = path.stat()
        found[path] = _file(path, (status.st_mtime_ns, status.st_size))
        for name in found[path].quoted:
            candidates = (folder / name for folder in (path.parent, *folders))
            waiting += [candidate for candidate in candidates if _is_file(candidate)][:1]
    return found


def _is_file(path: Path) -> bool:
    """A macro's string may be no name at all: too long for one."""
    try:
        return path.is_file()
    except OSError:
        return False
