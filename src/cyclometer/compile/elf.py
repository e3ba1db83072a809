# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is read from ELF files: what an executable runs first, what is writable code, an object's symbols and its size.

Segments and the DT_PREINIT_ARRAY are in chapter 5 of the gABI, the tables of symbols and sections in chapter 4.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import BinaryIO

_PT_LOAD, _PT_DYNAMIC, _PT_GNU_STACK = 1, 2, 0x6474E551
_SEGMENT_EXECUTABLE, _SEGMENT_WRITABLE = 1, 2
_DT_PREINIT_ARRAYSZ = 33

_HEADER = 64  # bytes of an ELF header, at most
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
    access: int
    segment: str
    word: str
    sections: tuple[str, int]  # of the offset of the section headers
    section: str
    symbol: str
    fields: tuple[int, int]  # of a symbol: those with its binding and its section


_CLASSES = {
    b"\x7fELF\x01\x01": _Class(
        table=("<I", 28),
        sizes=42,
        offset=1,
        length=4,
        access=6,
        segment="<8I",
        word="I",
        sections=("<I", 32),
        section="<10I",
        symbol="<IIIBBH",
        fields=(3, 5),
    ),
    b"\x7fELF\x02\x01": _Class(
        table=("<Q", 32),
        sizes=54,
        offset=2,
        length=5,
        access=1,
        segment="<IIQQQQ",
        word="Q",
        sections=("<Q", 40),
        section="<IIQQQQIIQQ",
        symbol="<IBBHQQ",
        fields=(1, 3),
    ),
}
_SYMBOL_TABLE = 2
_ELSEWHERE = 0xFFFF  # the number of the section with the names of sections is in the first section
_WRITE, _ALLOC, _EXECUTABLE = 1, 2, 4  # flags of a section


@dataclass(frozen=True)
class Symbols:
    """The names of an object's global symbols."""

    defined: frozenset[str]
    undefined: frozenset[str]


def global_symbols(paths: Iterable[Path]) -> Symbols:
    """Return the global symbols of objects, none of other formats than little-endian ELF."""
    defined: set[str] = set()
    undefined: set[str] = set()
    for path in paths:
        for name, section in _symbols_of(path):
            (defined if section else undefined).add(name)
    return Symbols(frozenset(defined), frozenset(undefined))


@cache
def _symbols_of(path: Path) -> tuple[tuple[str, int], ...]:
    return tuple(_global_symbols(path.read_bytes()))


def _global_symbols(content: bytes) -> Iterator[tuple[str, int]]:
    """Yield the name and the section of each symbol that is not local; section 0: it is not defined here."""
    elf = _CLASSES.get(content[:6])
    if elf is None:
        return
    headers = _sections(content, elf)
    binding, section = elf.fields
    for header in headers:
        if header[1] == _SYMBOL_TABLE:
            start, length, names = header[4], header[5], headers[header[6]][4]
            each = struct.calcsize(elf.symbol)
            for symbol in struct.iter_unpack(elf.symbol, content[start : start + length // each * each]):
                if symbol[binding] >> 4 and symbol[0]:
                    at = names + symbol[0]
                    yield content[at : content.index(b"\0", at)].decode(errors="replace"), symbol[section]


@cache
def code_bytes(path: Path) -> int:
    """Return the bytes of an object that are loaded and never written: code and constants, the `text` of size(1).

    0 for other formats than little-endian ELF.
    """
    content = path.read_bytes()
    elf = _CLASSES.get(content[:6])
    if elf is None:
        return 0
    try:
        sections = [(header[2], header[5]) for header in _sections(content, elf)]
    except struct.error:  # torn
        return 0
    return sum(size for flags, size in sections if flags & _ALLOC and (flags & _EXECUTABLE or not flags & _WRITE))


@cache
def writable_code(path: Path) -> str:
    """Return the name of a section of an object that is both writable and executable, or ''.

    '' for other formats than little-endian ELF, too.
    """
    content = path.read_bytes()
    elf = _CLASSES.get(content[:6])
    if elf is None:
        return ""
    headers = _sections(content, elf)
    [names] = struct.unpack_from("<H", content, elf.sizes + 8)
    names = headers[0][6] if names == _ELSEWHERE else names
    both = _ALLOC | _WRITE | _EXECUTABLE
    found = (headers[names][4] + header[0] for header in headers if header[2] & both == both)
    return next((content[at : content.index(b"\0", at)].decode(errors="replace") for at in found), "")


def _sections(content: bytes, elf: _Class) -> list[tuple[int, ...]]:
    """Return the section headers: name, type, flags, address, offset, size, link and more."""
    [table] = struct.unpack_from(elf.sections[0], content, elf.sections[1])
    size, number = struct.unpack_from("<HH", content, elf.sizes + 4)
    if table and not number:  # more than 65,279: the size of the first section is their number
        number = struct.unpack_from(elf.section, content, table)[5]
    return [struct.unpack_from(elf.section, content, table + size * index) for index in range(number)]


def early_functions(executable: Path) -> int:
    """Return the number of functions that run before all constructors, without those of the C library's start files.

    0 for other formats than little-endian ELF.
    """
    with executable.open("rb") as file:
        header = file.read(_HEADER)
        elf = _CLASSES.get(header[:6])
        if elf is None:
            return 0
        total = 0
        for fields in _segments(file, header, elf):
            if fields[0] == _PT_DYNAMIC:
                file.seek(fields[elf.offset])
                entries = struct.iter_unpack(f"<2{elf.word}", file.read(fields[elf.length]))
                total += sum(value for tag, value in entries if tag == _DT_PREINIT_ARRAYSZ)
        [machine] = struct.unpack_from("<H", header, _MACHINE)
    return max(0, total // struct.calcsize(elf.word) - _START_FILES.get(machine, 0))


def maps_writable_code(executable: Path) -> bool:
    """Return whether a page of the program or its stack is both writable and executable when it starts.

    False for other formats than little-endian ELF.
    """
    with executable.open("rb") as file:
        header = file.read(_HEADER)
        elf = _CLASSES.get(header[:6])
        if elf is None:
            return False
        both = _SEGMENT_EXECUTABLE | _SEGMENT_WRITABLE
        mapped = [fields for fields in _segments(file, header, elf) if fields[0] in (_PT_LOAD, _PT_GNU_STACK)]
        return any(fields[elf.access] & both == both for fields in mapped)


def _segments(file: BinaryIO, header: bytes, elf: _Class) -> list[tuple[int, ...]]:
    """Return the program headers, whose fields the class names."""
    [table] = struct.unpack_from(elf.table[0], header, elf.table[1])
    size, number = struct.unpack_from("<HH", header, elf.sizes)
    file.seek(table)
    segments = file.read(size * number)
    return [struct.unpack_from(elf.segment, segments, at) for at in range(0, len(segments), size)]
