# SPDX-License-Identifier: MIT OR Apache-2.0
"""The lines of a file, compressed or not, however large it is and whatever it holds."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from cyclometer.errors import StorageFailed
from cyclometer.store.files import storage

LONGEST = 1 << 20
"""Bytes of a line; the rest of a longer one is read as a line of its own."""

_Opened = lzma.LZMAFile | gzip.GzipFile | bz2.BZ2File | BinaryIO

_MAGIC: dict[bytes, Callable[[Path], _Opened]] = {
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
}


def lines(path: Path) -> Iterator[str]:
    """Line after line without its end; what is no UTF-8 is replaced."""
    try:
        with storage("read", path), _open(path) as stream:
            while line := stream.readline(LONGEST):
                yield line.decode(errors="replace").rstrip("\r\n")
    except (lzma.LZMAError, EOFError, zlib.error) as error:
        raise StorageFailed(f"cannot read {path}: its compression is damaged ({error}); fetch it again") from error


def digest(path: Path) -> str:
    """Names the content of a file."""
    with storage("read", path), path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _open(path: Path) -> _Opened:
    with path.open("rb") as stream:
        start = stream.read(8)
    for magic, opened in _MAGIC.items():
        if start.startswith(magic):
            return opened(path)
    return path.open("rb")
