# SPDX-License-Identifier: MIT OR Apache-2.0
"""The archive of a submission: a tar of a stranger, read with limits, and a folder made into one.

Nothing is written before everything is examined; then regular files alone are, below the target. A link inside the
archive becomes a copy of the file that it leads to; a link out of it, a device, an absolute name, `..`, a name that
occurs twice, or an archive that unpacks to too much is refused.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import posixpath
import re
import tarfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from cyclometer.errors import RefusedFile, on_disk
from cyclometer.untrusted import MAX_DEPTH, MAX_FILE, MEGABYTE, files_below, printable, read_bytes

MAX_ARCHIVE = 64 * MEGABYTE
"""Bytes of an archive as it arrives."""

MAX_UNPACKED = 512 * MEGABYTE
"""Bytes of an archive without compression, and of all files after links have become copies."""

MAX_ENTRIES = 100_000
_MAX_STREAMS = 20_000  # compressed; a tool that makes one for each 64 KiB has 8,192
_PIECE = 1 << 16  # bytes decompressed at once
_ZEROES = re.compile(rb"\0*")  # up to the block of a tape
_MAX_LINKS = 8  # that lead from one to the next
_MAX_PATH = 1000  # bytes of a name
_MAX_PART = 255  # bytes of a part of it
_SHOWN = 120  # characters of a name in a message
_MAX_EXTENDED = MEGABYTE  # bytes of a header that gives the next entry a long name or attributes
_MANY_DIGITS = re.compile(rb"[0-9]{1000}")  # tarfile takes quadratic time for a row of digits in such a header


def unpack(content: bytes, target: Path) -> None:
    """Write the files of a tar (plain, gzip, bzip2 or xz) below the new folder `target`.

    `RefusedFile` names the entry and what is wrong with it; nothing is written then.
    """
    files, links = _entries(content)
    for name, leads_to in links.items():
        files[name] = files[_target(name, leads_to, files, links)]
    _require_tree(files)
    if sum(len(data) for data, _ in files.values()) > MAX_UNPACKED:
        raise RefusedFile(f"the files of the archive have more than {MAX_UNPACKED:,} bytes")
    with on_disk("write", target):
        target.mkdir(parents=True)
        for name, (data, executable) in files.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod(0o755 if executable else 0o644)


def pack(folder: Path) -> bytes:
    """Return a folder as an archive: its regular files and what links inside it lead to, the same bytes each time."""
    home = folder.resolve()
    stream = io.BytesIO()
    total = 0
    with (
        gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=6, mtime=0) as plain,  # no time in the archive
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for file in files_below(home, home):
            entry = tarfile.TarInfo(f"{home.name}/{file.relative_to(home)}")
            content = read_bytes(file, inside=home)
            total += len(content)
            if total > MAX_UNPACKED:
                raise RefusedFile(f"the files of {printable(folder)} have more than {MAX_UNPACKED:,} bytes")
            entry.size, entry.mode = len(content), 0o755 if file.stat().st_mode & 0o100 else 0o644
            archive.addfile(entry, io.BytesIO(content))
    return stream.getvalue()


def read_archive(path: Path) -> bytes:
    """Return a file or a folder as the archive to submit; `RefusedFile` if it is too large or no archive."""
    content = pack(path) if path.is_dir() else read_bytes(path, limit=MAX_ARCHIVE)
    if len(content) > MAX_ARCHIVE:
        raise RefusedFile(f"{path} makes an archive larger than {MAX_ARCHIVE:,} bytes, the limit for a submission")
    return content


_Files = dict[str, tuple[bytes, bool]]
"""Content, and whether it is executable, by name."""


class _Decompressor(Protocol):
    """What reads one compressed stream, of zlib, bz2 and lzma alike."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


_COMPRESSIONS: dict[bytes, Callable[[], _Decompressor]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(wbits=31),
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=256 * MEGABYTE),
}
"""How streams begin, and what reads them."""


def _plain(content: bytes) -> bytes:
    """Return the archive without compression, never more than the limit in memory."""
    begins = next((start for start in _COMPRESSIONS if content.startswith(start)), b"")
    if not begins:
        return content  # no longer than MAX_ARCHIVE
    try:
        return _decompressed(content, begins)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise RefusedFile(f"the archive cannot be decompressed: {error}") from None


def _decompressed(content: bytes, begins: bytes) -> bytes:
    """Decompress all streams of an archive, such as pbzip2 or `cat` of two files makes; zeroes may follow each."""
    plain = io.BytesIO()
    at = 0
    for _ in range(_MAX_STREAMS):
        if not content.startswith(begins, at):
            raise RefusedFile("the archive has bytes after the end of its compressed data; make it anew")
        at = _read_stream(content, at, _COMPRESSIONS[begins](), plain)
        padding = _ZEROES.match(content, at)
        at = padding.end() if padding else at
        if at == len(content):
            return plain.getvalue()
    raise RefusedFile(f"the archive has more than {_MAX_STREAMS:,} compressed streams")


def _read_stream(content: bytes, start: int, stream: _Decompressor, plain: io.BytesIO) -> int:
    """Append what the stream at `start` holds; return where it ends. Small pieces: what follows it is copied."""
    at = start
    while not stream.eof:
        piece = content[at : at + _PIECE]
        if not piece:
            raise RefusedFile("the archive is cut off: its compressed data has no end; send all of it")
        plain.write(stream.decompress(piece, MAX_UNPACKED + 1 - plain.tell()))
        if plain.tell() > MAX_UNPACKED:
            raise RefusedFile(f"the archive unpacks to more than {MAX_UNPACKED:,} bytes")
        at += len(piece) - len(stream.unused_data)
    return at


class _Entry(tarfile.TarInfo):
    """An entry whose headers are refused before `tarfile` spends hours on them."""

    _EXTENDED = frozenset(
        {
            tarfile.XHDTYPE,
            tarfile.XGLTYPE,
            tarfile.SOLARIS_XHDTYPE,
            tarfile.GNUTYPE_LONGNAME,
            tarfile.GNUTYPE_LONGLINK,
        }
    )

    def _proc_member(self, archive: tarfile.TarFile) -> tarfile.TarInfo:
        """Look at a header that is about the next entry before it is interpreted; `tarfile` calls this for each."""
        if self.type in self._EXTENDED:
            if not 0 <= self.size <= _MAX_EXTENDED:
                raise RefusedFile(f"the archive has a header larger than {_MAX_EXTENDED:,} bytes")
            assert archive.fileobj
            start = archive.fileobj.tell()
            if _MANY_DIGITS.search(archive.fileobj.read(self.size)):
                raise RefusedFile("the archive has a header with a number of more than 1,000 digits")
            archive.fileobj.seek(start)
        member: tarfile.TarInfo = super()._proc_member(archive)  # type: ignore[misc]
        return member


def _entries(content: bytes) -> tuple[_Files, dict[str, str]]:
    """Return the files and the links of an archive."""
    files: _Files = {}
    links: dict[str, str] = {}
    try:
        plain = _plain(content)
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:", tarinfo=_Entry) as archive:
            for number, entry in enumerate(archive):
                if number >= MAX_ENTRIES:
                    raise RefusedFile(f"the archive has more than {MAX_ENTRIES:,} entries")
                name = _name(entry.name)
                if entry.isdir():
                    continue
                if name in files or name in links:
                    raise RefusedFile(f"the archive has {_shown(entry.name)} twice")
                if entry.issym() or entry.islnk():
                    start = posixpath.dirname(name) if entry.issym() else ""
                    links[name] = _name(posixpath.normpath(posixpath.join(start, entry.linkname)), entry.name)
                else:
                    files[name] = _content(archive, entry), bool(entry.mode & 0o100)
            _require_end(plain, archive.offset)
    except (tarfile.TarError, ValueError, OverflowError, EOFError) as error:
        raise RefusedFile(f"it is not a tar archive, or is damaged: {error}") from None
    except RecursionError:
        raise RefusedFile("the archive has a row of headers without an entry") from None
    if not files:
        raise RefusedFile("the archive has no files")
    return files, links


def _require_end(plain: bytes, at: int) -> None:
    """Raise `RefusedFile` if entries end before the block of zeroes that ends an archive; `tarfile` does not mind."""
    block = plain[at : at + tarfile.BLOCKSIZE]
    if len(block) < tarfile.BLOCKSIZE or any(block):
        raise RefusedFile("the archive is cut off or damaged: it has no end after its last entry; send all of it")


def _content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> bytes:
    if not entry.isreg() or entry.issparse():
        raise RefusedFile(f"{_shown(entry.name)} is neither a file nor a folder nor a link")
    if entry.size > MAX_FILE:
        raise RefusedFile(f"{_shown(entry.name)} is larger than {MAX_FILE:,} bytes")
    stream = archive.extractfile(entry)
    data = stream.read() if stream else b""
    if len(data) != entry.size:
        raise RefusedFile(f"{_shown(entry.name)} is cut off")
    return data


def _name(text: str, link: str = "") -> str:
    """Return a name as a path below the archive's root; `RefusedFile` if it leads out of it, or cannot be one."""
    what = f"{_shown(link)} is a link to {_shown(text)}, which" if link else _shown(text)
    parts = [part for part in text.split("/") if part not in ("", ".")]
    if text.startswith("/") or ".." in parts:
        raise RefusedFile(f"{what} leads out of the archive")
    encoded = text.encode("utf-8", "surrogateescape")
    if (
        b"\0" in encoded
        or len(encoded) > _MAX_PATH
        or any(len(part.encode("utf-8", "replace")) > _MAX_PART for part in parts)
    ):
        raise RefusedFile(f"{what} is too long, or has a zero byte")
    if len(parts) > MAX_DEPTH:
        raise RefusedFile(f"{what} is more than {MAX_DEPTH} folders deep")
    return "/".join(parts)


def _target(name: str, leads_to: str, files: _Files, links: Mapping[str, str]) -> str:
    """Return the file that a link leads to, perhaps through other links."""
    for _ in range(_MAX_LINKS):
        if leads_to in files:
            return leads_to
        if leads_to not in links:
            break
        leads_to = links[leads_to]
    raise RefusedFile(f"{_shown(name)} is a link to {_shown(leads_to)}, which is no file of the archive")


def _require_tree(files: _Files) -> None:
    """Raise `RefusedFile` if a file is where another needs a folder."""
    for name in files:
        above = posixpath.dirname(name)
        while above:
            if above in files:
                raise RefusedFile(f"{_shown(above)} is a file and a folder")
            above = posixpath.dirname(above)
    if "" in files:
        raise RefusedFile("the archive has a file without a name")


def _shown(name: str) -> str:
    return printable(name)[:_SHOWN]
