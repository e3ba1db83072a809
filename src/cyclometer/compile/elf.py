# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an ELF executable runs before everything else: the functions in its DT_PREINIT_ARRAY (gABI, chapter 5)."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

_PT_DYNAMIC, _DT_PREINIT_ARRAYSZ = 2, 33

_MACHINE = 18  # place of e_machine
_START_FILES = {243: 1}
"""By e_machine: how many such functions the start files have. On RISC-V, one of glibc's sets the global pointer."""


@dataclass(frozen=True)
class _Class:
    """Where a little-endian ELF file has what is read here, by the size of its words."""

    table: tuple[str, int]  # of the offset of the program headers: format, place
    sizes: int  # place of their size and number
    offset: int  # of a segment, as the index in its header
    length: int
    segment: str
    word: str


_CLASSES = {
    b"\x7fELF\x01\x01": _Class(table=("<I", 28), sizes=42, offset=1, length=4, segment="<8I", word="I"),
    b"\x7fELF\x02\x01": _Class(table=("<Q", 32), sizes=54, offset=2, length=5, segment="<IIQQQQ", word="Q"),
}


def early_functions(executable: Path) -> int:
    """Return the number of functions that run before all constructors, without those of the C library's start files.

    0 for other formats than little-endian ELF.
    """
    with executable.open("rb") as file:
        header = file.read(64)
        elf = _CLASSES.get(header[:6])
        if elf is None:
            return 0
        [table] = struct.unpack_from(elf.table[0], header, elf.table[1])
        size, number = struct.unpack_from("<HH", header, elf.sizes)
        file.seek(table)
        segments = file.read(size * number)
        total = 0
        for at in range(0, len(segments), size):
            fields = struct.unpack_from(elf.segment, segments, at)
            if fields[0] == _PT_DYNAMIC:
                file.seek(fields[elf.offset])
                entries = struct.iter_unpack(f"<2{elf.word}", file.read(fields[elf.length]))
                total += sum(value for tag, value in entries if tag == _DT_PREINIT_ARRAYSZ)
        [machine] = struct.unpack_from("<H", header, _MACHINE)
    return max(0, total // struct.calcsize(elf.word) - _START_FILES.get(machine, 0))
