# SPDX-License-Identifier: MIT OR Apache-2.0
"""Small texts that a cache keeps: each begins with its SHA-256, so that a damaged one is as if it were not there."""

from __future__ import annotations

import hashlib
import os
import secrets
from contextlib import suppress
from pathlib import Path


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
        os.replace(scratch, path)
    finally:
        with suppress(OSError):
            scratch.unlink(missing_ok=True)


def kept(path: Path) -> str:
    """Return a text, '' if there is none that is whole."""
    try:
        return unsealed(path.read_bytes())
    except OSError:
        return ""
