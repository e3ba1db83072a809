# SPDX-License-Identifier: MIT OR Apache-2.0
"""The lines of a file, compressed or not, of any size and content."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from cyclometer.errors import StorageFailed
from cyclometer.store.files import storage
from cyclometer.untrusted import text_of

MAX_LINE_BYTES = 1 << 20
"""Length at which a line is split; the rest is read as another line."""

_Opened = lzma.LZMAFile | gzip.GzipFile | bz2.BZ2File | BinaryIO

_MAGIC: dict[bytes, Callable[[Path], _Opened]] = {
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
}


def lines(path: Path) -> Iterator[str]:
    """Yield the lines without their ends; bytes that are not UTF-8 are replaced.

    `StorageFailed` if the file cannot be read or its compressed data is damaged.
    """
    try:
        with storage("read", path), _open(path) as stream:
            if start := stream.readline(MAX_LINE_BYTES):
                yield text_of(start, path).rstrip("\r\n")
            while line := stream.readline(MAX_LINE_BYTES):
                yield line.decode(errors="replace").rstrip("\r\n")
    except (lzma.LZMAError, EOFError, zlib.error) as error:
        raise StorageFailed(
            f"cannot read {path}: the compressed data is damaged ({error}); download it again"
        ) from error


def _open(path: Path) -> _Opened:
    with path.open("rb") as stream:
        start = stream.read(8)
    for magic, open_compressed in _MAGIC.items():
        if start.startswith(magic):
            return open_compressed(path)
    return path.open("rb")
