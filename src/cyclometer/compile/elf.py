# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an ELF executable runs before everything else: the functions in its DT_PREINIT_ARRAY (gABI, chapter 5)."""

from __future__ import annotations

import struct
from pathlib import Path

_ELF64_LITTLE_ENDIAN = b"\x7fELF\x02\x01"
_PT_DYNAMIC, _DT_PREINIT_ARRAYSZ = 2, 33
_POINTER = 8


def early_functions(executable: Path) -> int:
    """Return the number of functions that run before all constructors; 0 for other formats than 64-bit ELF."""
    with executable.open("rb") as file:
        header = file.read(64)
        if not header.startswith(_ELF64_LITTLE_ENDIAN):
            return 0
        [table] = struct.unpack_from("<Q", header, 32)
        size, number = struct.unpack_from("<HH", header, 54)
        file.seek(table)
        segments = file.read(size * number)
        total = 0
        for at in range(0, len(segments), size):
            kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", segments, at)
            if kind == _PT_DYNAMIC:
                file.seek(offset)
                entries = struct.iter_unpack("<QQ", file.read(length))
                total += sum(value for tag, value in entries if tag == _DT_PREINIT_ARRAYSZ)
    return total // _POINTER
