# SPDX-License-Identifier: MIT OR Apache-2.0
"""The records that readers of foreign trees return, and what they share."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cyclometer.errors import RefusedFile
from cyclometer.records.catalogue import Architecture, ForeignOperation, Operation
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Tuning
from cyclometer.untrusted import (
    MAX_FILE,
    MAX_HEADER,
    files_below,
    is_file,
    is_folder,
    is_inside,
    name_is_not_utf8,
    printable,
    read_bytes,
    read_start,
    text_of,
    without_mark,
)

# Each takes time proportional to the text, however hostile.
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]{1,1000})[">]', re.MULTILINE)
_MAIN = re.compile(rb"^[ \t]*(?:int|void)\s{1,80}main\s{0,80}\(", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class ForeignTree:
    """A foreign tree, and the selected part of it."""

    kind: str  # the reader's module
    root: Path  # to which paths inside the tree are relative, and which the sandbox shows
    part: Path  # the selected folder: the root, an operation, a primitive or an implementation
    label: str  # such as "SUPERCOP 20260330"

    def concerns(self, folder: Path) -> bool:
        """Return whether a folder is the selected part, lies in it, or contains it."""
        return folder.is_relative_to(self.part) or self.part.is_relative_to(folder)

    def is_file(self, path: Path) -> bool:
        """Return whether this is a regular file of the tree; a link that leads out of it is not."""
        return is_file(path, self.root)

    def folder(self, path: Path) -> Path | None:
        """Return a folder of the tree with its links followed; None if it is none, or lies outside."""
        return Path(os.path.realpath(path)) if is_folder(path) and is_inside(path, self.root) else None

    def content(self, path: Path, limit: int = MAX_FILE) -> bytes:
        """Return a file's content; `RefusedFile` if it is not a regular file of the tree, or larger than `limit`.

        A byte order mark is left out: compilers accept one at the start of a file, but not within a generated header.
        """
        return without_mark(read_bytes(path, inside=self.root, limit=limit))

    def text(self, path: Path, limit: int = MAX_HEADER) -> str:
        """Return a file's text as `content` does; bytes that are not UTF-8 are replaced."""
        return text_of(self.content(path, limit), path, inside=self.root)

    def start(self, path: Path, size: int = MAX_FILE) -> bytes:
        """Return the first `size` bytes of a file of any size."""
        return read_start(path, size, inside=self.root)

    def start_text(self, path: Path, size: int = MAX_FILE) -> str:
        """Return the text of the first `size` bytes of a file of any size, as `text` does."""
        return text_of(self.start(path, size), path, inside=self.root)

    def files(self, folder: Path) -> list[Path]:
        """Return the regular files below a folder; `RefusedFile` if there are too many, or folders too deep.

        Hidden files and folders are left out.
        """
        files = files_below(folder, self.root)
        return [path for path in files if not any(part[0] == "." for part in path.relative_to(folder).parts)]

    def must_be_regular(self, paths: Iterable[Path]) -> None:
        """Raise `RefusedFile` for the first that is not a regular file of the tree."""
        for path in paths:
            self.start(path, 0)

    def must_be_readable(self, paths: Iterable[Path]) -> None:
        """Read all files. `RefusedFile` for the first that is refused, or whose name is not UTF-8."""
        for path in paths:
            if name_is_not_utf8(path.name):
                raise RefusedFile(f"the name of {printable(path.name)} is not UTF-8; rename the file")
            self.content(path)


@dataclass(frozen=True, kw_only=True)
class ForeignImplementation:
    """An implementation of a foreign tree, by its names."""

    operation: str
    primitive: str
    name: str
    folder: Path
    header: str = "api.h"  # with the sizes, in the folder
    skip_reason: str = ""  # why it cannot be used here

    @property
    def key(self) -> str:
        """Return the primitive's key in a catalogue, operation/primitive."""
        return f"{self.operation}/{self.primitive}"

    @property
    def api(self) -> Path:
        """Return the header with the sizes."""
        return self.folder / self.header

    def failure(self, reason: str) -> Failure:
        """Return the record of an implementation that is skipped."""
        subject = Tuning(operation=self.operation, primitive=self.primitive, implementation=self.name)
        return Failure(stage="discover", subject=subject, kind=FailureKind.SKIPPED, reason=reason)


@dataclass(frozen=True, kw_only=True)
class NativeTree:
    """What the readers of foreign trees need of our own tree."""

    operations: Mapping[str, Operation]  # those that foreign trees have
    architecture: Architecture
    features: Mapping[str, str]  # CPU flag, as /proc/cpuinfo names it -> feature of toolchains/features

    def names(self, operation: str) -> ForeignOperation:
        """Return the names that foreign trees use for an operation."""
        foreign = self.operations[operation].foreign
        assert foreign
        return foreign


def adapted(operation: str, adapter: Path) -> tuple[str, tuple[Path, ...]]:
    """Return the prefix of the functions that our code calls, and the adapter's glue that defines them.

    With glue the prefix is foreign_aead, from which the glue makes our crypto_aead; without, it is crypto_aead
    itself.
    """
    glue = adapter / operation / f"{operation}.c"
    return (operation.replace("crypto_", "foreign_", 1), (glue,)) if glue.is_file() else (operation, ())


def ancestors(folder: Path) -> Iterator[Path]:
    """Yield the folder, its parent, and so on."""
    yield folder
    yield from folder.parents


def included(text: bytes) -> Iterator[str]:
    """Yield the names of the headers that a C source includes, in quotes or brackets, whatever the #if around them."""
    for name in _INCLUDE.findall(text):
        yield name.strip().decode(errors="replace")


def has_main(text: bytes) -> bool:
    """Return whether a C source defines a main function."""
    return bool(_MAIN.search(text))


def plain(name: str) -> str:
    """Replace characters that do not belong in a symbol or on a command line."""
    return re.sub(r"[^A-Za-z0-9_./-]", "-", name)
