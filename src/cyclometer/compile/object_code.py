# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an object or executable contains: symbols, bytes of code, writable code, and what runs before `main`.

All of them find nothing in other formats than little-endian ELF.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cyclometer.execute import elf

_PREINIT_BYTES = 33  # DT_PREINIT_ARRAYSZ (gABI, chapter 5)
_START_FILES = {elf.RISC_V: 1}
"""By machine: how many such functions the start files have. On RISC-V, one of glibc's sets the global pointer."""


@dataclass(frozen=True)
class Symbols:
    """The names of an object's global symbols."""

    defined: frozenset[str]
    undefined: frozenset[str]


def global_symbols(paths: Iterable[Path]) -> Symbols:
    """Return the global symbols of objects."""
    defined: set[str] = set()
    undefined: set[str] = set()
    for path in paths:
        for name, section in _symbols_of(path):
            (defined if section else undefined).add(name)
    return Symbols(frozenset(defined), frozenset(undefined))


@cache
def _symbols_of(path: Path) -> tuple[tuple[str, int], ...]:
    read = elf.read_elf(path.read_bytes())
    symbols = read.symbols(elf.SYMBOL_TABLE) if read else ()
    return tuple((symbol.name, symbol.section) for symbol in symbols if symbol.is_global)


@cache
def code_bytes(path: Path) -> int:
    """Return the bytes of an object that are loaded and never written: code and constants, the `text` of size(1)."""
    read = elf.read_elf(path.read_bytes())
    try:
        sections = [section for section in read.sections if section.flags & elf.ALLOC] if read else []
    except struct.error:  # torn
        return 0
    constant = (each for each in sections if each.flags & elf.EXECUTABLE or not each.flags & elf.WRITE)
    return sum(each.size for each in constant)


@cache
def writable_code(path: Path) -> str:
    """Return the name of a section of an object that is both writable and executable, or ''."""
    read = elf.read_elf(path.read_bytes())
    if read is None:
        return ""
    both = elf.ALLOC | elf.WRITE | elf.EXECUTABLE
    return next((read.name(section) for section in read.sections if section.flags & both == both), "")


def early_functions(executable: Path) -> int:
    """Return the number of functions that run before all constructors, without those of the C library's start files."""
    read = elf.read_elf(executable.read_bytes())
    if read is None:
        return 0
    tables = (read.entries(segment, f"<2{read.word}") for segment in read.segments if segment.kind == elf.DYNAMIC)
    total = sum(value for table in tables for tag, value in table if tag == _PREINIT_BYTES)
    return max(0, total // struct.calcsize(read.word) - _START_FILES.get(read.machine, 0))


def maps_writable_code(executable: Path) -> bool:
    """Return whether a page of the program or its stack is both writable and executable when it starts."""
    read = elf.read_elf(executable.read_bytes())
    if read is None:
        return False
    both = elf.SEGMENT_EXECUTABLE | elf.SEGMENT_WRITABLE
    mapped = (segment for segment in read.segments if segment.kind in (elf.LOADED, elf.STACK))
    return any(segment.flags & both == both for segment in mapped)
