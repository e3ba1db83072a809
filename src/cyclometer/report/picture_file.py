# SPDX-License-Identifier: MIT OR Apache-2.0
"""Files of pictures: whole, or as they were."""

from __future__ import annotations

import io
from contextlib import suppress
from pathlib import Path

from cyclometer.errors import StorageFailed

SUFFIXES = (".png", ".svg", ".pdf")


def write_picture(content: io.BytesIO, path: Path) -> Path:
    """Write the file, or leave it unchanged. Raises `StorageFailed`."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        temporary.write_bytes(content.getvalue())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise StorageFailed(f"cannot write {path}: {error.strerror}; name another file with -o") from error
    return path
