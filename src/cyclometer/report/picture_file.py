# SPDX-License-Identifier: MIT OR Apache-2.0
"""Files of pictures: their formats, and how they are written: whole, or left as they were."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

from cyclometer.errors import CyclometerError, StorageFailed, UnknownName

FORMATS = ("pdf", "png", "svg")
_ENDINGS = ".png, .svg or .pdf"


def format_of(path: Path) -> str:
    """Return the format that a file name's suffix selects. Raises `CyclometerError` if there is none."""
    suffix = path.suffix.removeprefix(".").lower()
    if not suffix:
        raise CyclometerError(f"{path.name!r} has no suffix that selects a format; end it with {_ENDINGS}")
    if suffix not in FORMATS:
        remedy = f"{path.name} is no picture; name a file that ends in {_ENDINGS}"
        raise UnknownName("format", suffix, FORMATS, remedy)
    return suffix


def write_picture(content: io.BytesIO, path: Path) -> Path:
    """Write the file, or leave it unchanged. Raises `StorageFailed`."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_bytes(content.getvalue())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise StorageFailed(f"cannot write {path}: {error.strerror}; name another file") from error
    return path
