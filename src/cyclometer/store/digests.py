# SPDX-License-Identifier: MIT OR Apache-2.0
"""SHA256SUMS: the digest of every file of a run, so that damage is noticed; `sha256sum -c` reads it, too.

A line is appended, and is on the disk, before the file gets its name. A file is as it was stored if its digest is one
of those listed for its name: a writer killed between the two leaves the older file, which is listed further up.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from cyclometer import paths
from cyclometer.errors import StorageFailed
from cyclometer.store.files import REMEDY, read_whole, storage, temporary_of, write_whole
from cyclometer.store.folder import DIGESTS_FILE, PARTS

Digests = Mapping[str, tuple[str, ...]]
"""By name of the file, relative to the run: the digests listed for it, the latest last."""

LARGE = 1 << 20
"""Bytes from which on a file is not hashed again by each command as long as it looks unchanged."""

_PARQUET_END = b"PAR1"
_LINE = re.compile(rb"([0-9a-f]{64})  ([!-~]+)")
_seen: set[str] = set()  # files hashed by this process, by state and digest


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with storage("read", path), path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_digests(folder: Path) -> Digests | None:
    """Return the digests of a run; None if it has none, as runs of format 1. A torn last line is ignored."""
    path = folder / DIGESTS_FILE
    with storage("read", path):
        if not path.exists():
            return None
    content = read_whole(path)
    result: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(content.split(b"\n")[:-1], 1):
        found = _LINE.fullmatch(line)
        if not found:
            raise StorageFailed(f"{path}: line {number} is not a digest and a file; {REMEDY}")
        name = found[2].decode()
        result[name] = (*result.get(name, ()), found[1].decode())
    return result


def append_digest(folder: Path, path: Path, content: Path) -> None:
    """List the digest of `content`, which is about to be renamed to `path`; durable, whole or not at all."""
    line = f"{digest_of(content)}  {path.relative_to(folder).as_posix()}\n".encode()
    target = folder / DIGESTS_FILE
    with storage("write", target):
        descriptor = os.open(target, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                size = _end_of_last_line(descriptor, size)
                os.ftruncate(descriptor, size)
            try:
                if os.write(descriptor, line) < len(line):
                    raise OSError(28, os.strerror(28))
                os.fsync(descriptor)
            except OSError:
                os.ftruncate(descriptor, size)
                raise
        finally:
            os.close(descriptor)


def _end_of_last_line(descriptor: int, size: int) -> int:
    """Return where the last complete line ends, before what a killed writer left."""
    return os.pread(descriptor, size, 0).rfind(b"\n") + 1


def write_digests(folder: Path, digests: Mapping[str, str]) -> None:
    """Replace the list, atomically."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    write_whole(folder / DIGESTS_FILE, lambda temporary: temporary.write_text(lines, encoding="ascii"))


def verify(folder: Path, names: Iterable[str], digests: Digests, *, thorough: bool = False) -> None:
    """Raise `StorageFailed` for the first file that is not as it was stored.

    Unless `thorough`, a large file is not hashed again if its inode, size and times are those of the last time.
    """
    for name in names:
        path = folder / name
        if name not in digests:
            raise StorageFailed(f"{path} is not listed in {DIGESTS_FILE}; {REMEDY}")
        if not _is_as_stored(path, digests[name], thorough):
            later = read_digests(folder) or {}  # a run under way may have replaced the file meanwhile
            if later == digests or not _is_as_stored(path, later.get(name, ()), thorough):
                raise StorageFailed(f"cannot read {path}: it is damaged, as {DIGESTS_FILE} shows; {REMEDY}")


def missing_parts(folder: Path, digests: Digests) -> list[Path]:
    """Return the listed parts that are gone, neither stored nor about to be."""
    listed = [folder / name for name in digests if name.startswith(f"{PARTS}/")]
    return [path for path in listed if not path.exists() and not temporary_of(path).exists()]


def _is_as_stored(path: Path, listed: tuple[str, ...], thorough: bool) -> bool:
    return is_right(path, str(listed), lambda: not _is_cut_off(path) and digest_of(path) in listed, thorough=thorough)


def is_right(path: Path, listed: str, check: Callable[[], bool], *, thorough: bool = False) -> bool:
    """Return whether a file is what is `listed` for it, as `check` finds out by reading all of it.

    What was found right stays so for this process while inode, size and times of the file do not change, and for all
    processes if the file is large, unless `thorough`.
    """
    with storage("read", path):
        status = path.stat()
    state = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    key = hashlib.sha256(f"{state} {listed}".encode()).hexdigest()[:40]
    if key in _seen:
        return True
    mark = paths.cache_folder() / "verified" / key
    large = status.st_size >= LARGE
    if large and not thorough and mark.exists():
        return True
    if not check():
        return False
    _seen.add(key)
    if large:
        with suppress(OSError):
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
    return True


def _is_cut_off(path: Path) -> bool:
    """Return whether a Parquet file lacks its end, which takes less time than to hash a large one."""
    if path.suffix != ".parquet":
        return False
    with storage("read", path), path.open("rb") as file:
        file.seek(-min(len(_PARQUET_END), path.stat().st_size), os.SEEK_END)
        return file.read() != _PARQUET_END
