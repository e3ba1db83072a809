# SPDX-License-Identifier: MIT OR Apache-2.0
"""Files that a cache keeps: written whole or not at all, with their SHA-256, by which a damaged one is noticed."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from cyclometer.errors import RefusedFile
from cyclometer.untrusted import read_bytes

LINE_BYTES = 65  # of the first line of what is sealed


def kept_folder(cache: Path, kind: str, identity: str) -> Path:
    """Return the folder below the build cache where a kind of thing is kept for one `identity`, such as a CPU."""
    return cache / kind / hashlib.sha256(identity.encode()).hexdigest()[:16]


def kept_file(folder: Path, key: str) -> Path:
    """Return the file of a primitive (`operation/primitive`) in such a folder."""
    return folder / f"{key.replace('/', '-')}.json"


def sealed(content: bytes) -> bytes:
    """Return a content as it is kept: after a line with its SHA-256."""
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def keep(path: Path, text: str) -> None:
    """Keep a text, for `kept`; OSError if it cannot be written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_to_cache(path, sealed(text.encode("utf-8", "surrogateescape")))


def kept(path: Path) -> str:
    """Return a text, '' if there is none, or if it is damaged."""
    try:
        content = read_bytes(path)
    except RefusedFile:
        return ""
    text = content[LINE_BYTES:]
    return text.decode("utf-8", "surrogateescape") if content == sealed(text) else ""


def write_to_cache(path: Path, content: bytes) -> None:
    """Write a file under another name and rename it; OSError if it cannot be written.

    It is whole or absent as long as the system does not crash: results are on the disk before they have their name
    (store/files.py), but what a cache has lost is made again.
    """
    scratch = path.with_name(f".{secrets.token_hex(8)}")
    try:
        scratch.write_bytes(content)
        make_room(path)
        os.replace(scratch, path)
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


def make_room(path: Path) -> None:
    """Remove a folder, pipe or socket that lies where a file of a cache belongs; nobody would write over a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    elif not path.is_file():
        with suppress(OSError):
            path.unlink(missing_ok=True)
