# SPDX-License-Identifier: MIT OR Apache-2.0
"""Files that are either complete or absent, and disk errors as one line with the remedy."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from cyclometer.errors import StorageFailed, first_line, on_disk

TEMPORARY_SUFFIX = ".tmp"
MOST_BYTES = 64 << 20  # of a file that is read whole: a run.json of many systems has some hundred thousand
REMEDY = "restore it from a copy or remove the run"

_DEFECTS = (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException)
"""Errors of wrong queries: defects of ours, not of a file."""


@contextmanager
def storage(verb: str, path: Path) -> Iterator[None]:
    """Turn any error of the disk, Parquet or the database about `path` into one `StorageFailed` line.

    What is to be read must be a file or a folder: a pipe never ends, and neither does a link to a device.
    """
    if verb == "read" and path.exists() and not (path.is_file() or path.is_dir()):
        raise StorageFailed(f"cannot read {path}: it is not a regular file; {REMEDY}")
    try:
        with on_disk(verb, path), _system_errors():
            yield
    except duckdb.Error as error:
        if isinstance(error, _DEFECTS):
            raise
        if isinstance(error, duckdb.InterruptException):
            raise KeyboardInterrupt from error  # the database turns Ctrl-C into an error of the query
        remedy = f"; {REMEDY}" if verb == "read" else ""
        raise StorageFailed(f"cannot {verb} {path}: {first_line(error)}{remedy}") from error


@contextmanager
def _system_errors() -> Iterator[None]:
    """Turn errors of the database into the error of the system that they quote, such as a full disk."""
    try:
        yield
    except duckdb.IOException as error:
        quoted = [code for code in errno.errorcode if os.strerror(code) in str(error)]
        if not quoted:
            raise
        raise OSError(quoted[0], os.strerror(quoted[0])) from error


def read_whole(path: Path) -> bytes:
    """Return the content of a file that is small; `StorageFailed` if it is not, or cannot be read."""
    with storage("read", path):
        if path.stat().st_size > MOST_BYTES:
            raise StorageFailed(f"{path} has more than {MOST_BYTES:,} bytes; {REMEDY}")
        return path.read_bytes()


def temporary_of(path: Path) -> Path:
    """Return the name of a file while it is being written."""
    return path.with_name(f".{path.name}{TEMPORARY_SUFFIX}")


def write_whole(
    path: Path, write: Callable[[Path], object], record: Callable[[Path, Path], None] | None = None
) -> None:
    """Let `write` fill a temporary file beside `path`, then rename it to `path`.

    After a crash at any moment `path` has either its old content or all of the new. `record` is called with `path` and
    the temporary file before it is renamed. `StorageFailed` if it cannot be written.
    """
    temporary = temporary_of(path)
    with storage("write", path):
        try:
            write(temporary)
            _flush(temporary)
            if record:
                record(path, temporary)
            temporary.replace(path)
            _flush(path.parent)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise


def rename_folder(source: Path, target: Path) -> None:
    """Give a folder its final name, durably; `StorageFailed` if that name exists."""
    with storage("write", target):
        if target.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        source.rename(target)
        _flush(target.parent)


def _flush(path: Path) -> None:
    """Force a file, or a folder's list of names, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
