# SPDX-License-Identifier: MIT OR Apache-2.0
"""The functions of an ELF executable: where they are in the file, and how long (gABI, chapter 4)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

_ELF64_LITTLE_ENDIAN = b"\x7fELF\x02\x01"
_SYMBOL_TABLE, _FUNCTION, _SYMBOL_BYTES = 2, 2, 24


@dataclass(frozen=True, kw_only=True)
class Functions:
    """The entry point of an executable and its functions: name -> address and bytes."""

    entry: int
    of: dict[str, tuple[int, int]]


def functions(executable: Path) -> Functions | None:
    """Return the functions of a 64-bit executable; None for another format or without symbols."""
    content = executable.read_bytes()
    if not content.startswith(_ELF64_LITTLE_ENDIAN):
        return None
    [entry] = struct.unpack_from("<Q", content, 24)
    [table] = struct.unpack_from("<Q", content, 40)
    size, number = struct.unpack_from("<HH", content, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", content, table + size * index) for index in range(number)]
    found: dict[str, tuple[int, int]] = {}
    for _, kind, _, _, offset, length, link, *_ in sections:
        if kind == _SYMBOL_TABLE:
            names = sections[link][4]
            for name, info, _, _, value, extent in struct.iter_unpack(
                "<IBBHQQ", content[offset : offset + length // _SYMBOL_BYTES * _SYMBOL_BYTES]
            ):
                if info & 15 == _FUNCTION and value:
                    start = names + name
                    text = content[start : content.index(b"\0", start)].decode(errors="replace")
                    found.setdefault(text, (value, extent))
    return Functions(entry=entry, of=found) if found else None
