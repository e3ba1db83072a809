# SPDX-License-Identifier: MIT OR Apache-2.0
"""Finds the files that a source includes, directly or not, and the names used in them."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cyclometer.errors import RefusedFile
from cyclometer.untrusted import read_bytes, read_text, without_mark

_INCLUDE = re.compile(
    rb'^[ \t]*(?:#[ \t]*include|\.include|\.incbin|#[ \t]*define[ \t]+\w{1,200})[ \t]*"([^"\n]+)"', re.MULTILINE
)  # a macro may be a file's name
_SYSTEM = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*(<[^>\n]+>)", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class _File:
    digest: str
    quoted: tuple[str, ...]
    system: tuple[str, ...]


_Plain = tuple[str, tuple[str, ...], tuple[str, ...]]


class Includes:
    """Reads each file once, so an instance is valid only while the tree does not change.

    `folders` are the include path; `more` are files that are included by the names of macros.
    """

    def __init__(self) -> None:
        self._file, self._names_in = cache(_file), cache(_names_in)
        self._is_file, self._real = cache(_is_file), cache(os.path.realpath)
        self._reached, self._listed, self._named = cache(self._reach), cache(self._list), cache(self._name)

    def closure(self, source: Path, folders: Sequence[Path], more: Sequence[Path] = ()) -> list[str]:
        """Return a line for each file that `source` reaches by quoted includes: its hash, folder and name.

        Headers in angle brackets are the system's: only their names are returned. Absent files are left out.
        """
        return list(self._listed(*_plain(source, folders, more)))

    def names(self, source: Path, folders: Sequence[Path], more: Sequence[Path] = ()) -> frozenset[str]:
        """Return all identifiers in the files of the closure."""
        return self._named(*_plain(source, folders, more))

    def _list(self, *where: *_Plain) -> tuple[str, ...]:
        files = self._reached(*where)
        # Not the whole path, so that the same tree in another folder has the same hashes.
        named = [f"{file.digest} {'/'.join(path.split(os.sep)[-2:])}" for path, file in files.items()]
        return tuple(sorted({*named, *(name for file in files.values() for name in file.system)}))

    def _name(self, *where: *_Plain) -> frozenset[str]:
        return frozenset[str]().union(*map(self._names_in, self._reached(*where)))

    def _reach(self, source: str, folders: tuple[str, ...], more: tuple[str, ...]) -> dict[str, _File]:
        files: dict[str, _File] = {}
        waiting = [source, *more]
        while waiting:
            folder, name = os.path.split(waiting.pop())
            folder = self._real(folder)  # includes are searched beside a link, not beside its target
            path = os.path.join(folder, name)
            if path in files:
                continue
            files[path] = self._file(path)
            for name in files[path].quoted:
                candidates = (os.path.join(near, name) for near in (folder, *folders))
                waiting += [candidate for candidate in candidates if self._is_file(candidate)][:1]
        return files


def closure(source: Path, folders: Sequence[Path], more: Sequence[Path] = ()) -> list[str]:
    """Return `Includes.closure` of the files as they are now."""
    return Includes().closure(source, folders, more)


def names(source: Path, folders: Sequence[Path], more: Sequence[Path] = ()) -> frozenset[str]:
    """Return `Includes.names` of the files as they are now."""
    return Includes().names(source, folders, more)


def used_macros(defines: Sequence[str], names: frozenset[str]) -> list[str]:
    """Return the macros (NAME=value) whose names occur among `names` or in the value of another used macro."""
    used: set[str] = set()
    while new := {define for define in defines if _NAME.findall(define)[0] in names} - used:
        used |= new
        names = names.union(*(_NAME.findall(define.partition("=")[2]) for define in new))
    return [define for define in defines if define in used]


def without_folder(part: str) -> str:
    """Return a part of a closure without the name of its folder."""
    return part if part.startswith("<") else re.sub("[^ ]+/", "", part)


def _plain(source: Path, folders: Sequence[Path], more: Sequence[Path]) -> _Plain:
    return str(source), tuple(map(str, folders)), tuple(map(str, more))


def _file(path: str) -> _File:
    """Return what is known of a file; one that is refused, such as a device, is left to the compiler in its sandbox."""
    try:
        data = read_bytes(Path(path))
    except RefusedFile:
        return _File("unread", (), ())
    text = without_mark(data)
    quoted, system = (
        tuple(name.decode(errors="replace") for name in pattern.findall(text)) for pattern in (_INCLUDE, _SYSTEM)
    )
    return _File(hashlib.sha256(data).hexdigest(), quoted, system)


def _names_in(path: str) -> frozenset[str]:
    try:
        return frozenset(_NAME.findall(read_text(Path(path))))
    except RefusedFile:
        return frozenset()


def _is_file(path: str) -> bool:
    """Return whether the file exists; a macro's string may be too long to be a name."""
    try:
        return os.path.isfile(path)
    except (OSError, ValueError):
        return False
