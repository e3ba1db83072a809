# SPDX-License-Identifier: MIT OR Apache-2.0
"""Small texts that a cache keeps: each begins with its SHA-256, so that a damaged one is as if it were not there."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from cyclometer.errors import RefusedFile
from cyclometer.untrusted import read_bytes


def sealed(text: str) -> bytes:
    """Return a text as it is kept."""
    content = text.encode("utf-8", "surrogateescape")
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def unsealed(content: bytes) -> str:
    """Return the text that was kept, '' if it is damaged."""
    digest, _, text = content.partition(b"\n")
    if hashlib.sha256(text).hexdigest().encode() != digest:
        return ""
    return text.decode("utf-8", "surrogateescape")


def keep(path: Path, text: str) -> None:
    """Write a text, whole or not at all; OSError if it cannot be written."""
    scratch = path.with_name(f".{secrets.token_hex(8)}")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        scratch.write_bytes(sealed(text))
        make_room(path)
        os.replace(scratch, path)
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


def kept(path: Path) -> str:
    """Return a text, '' if there is none that is whole."""
    try:
        return unsealed(read_bytes(path))
    except RefusedFile:
        return ""


def make_room(path: Path) -> None:
    """Remove a folder, pipe or socket that lies where a file of a cache belongs; nobody would write over a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    elif not path.is_file():
        with suppress(OSError):
            path.unlink(missing_ok=True)
