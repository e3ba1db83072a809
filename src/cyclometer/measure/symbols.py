# SPDX-License-Identifier: MIT OR Apache-2.0
"""The functions of an ELF executable: where they are in the file, and how long."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclometer.execute import elf


@dataclass(frozen=True, kw_only=True)
class Functions:
    """The entry point of an executable and its functions: name -> address and bytes."""

    entry: int
    of: dict[str, tuple[int, int]]


def functions(executable: Path) -> Functions | None:
    """Return the functions of a 64-bit executable; None for another format or without symbols."""
    read = elf.read_elf(executable.read_bytes())
    if read is None or read.word != "Q":
        return None
    found: dict[str, tuple[int, int]] = {}
    for symbol in read.symbols(elf.SYMBOL_TABLE):
        if symbol.type == elf.FUNCTION and symbol.address:
            found.setdefault(symbol.name, (symbol.address, symbol.size))
    return Functions(entry=read.entry, of=found) if found else None
