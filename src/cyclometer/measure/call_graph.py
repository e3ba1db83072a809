# SPDX-License-Identifier: MIT OR Apache-2.0
"""The code that a function can reach: its calls, and those of the functions called, through libraries.

Functions are those of the symbol tables and of the unwinding tables (.eh_frame_hdr), which stripped libraries have.
An instruction that names another function (a call, a jump, its address, a slot of the global offset table) is found by
its bytes: an opcode with a 32-bit distance that ends exactly at the beginning of a function. Calls through other
pointers are not seen; what was executed through them is added by whoever asks.
"""

from __future__ import annotations

import bisect
import re
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from cyclometer.execute import elf

PADDING = 16  # bytes to which the size of a function is rounded up

_FUNCTIONS = (elf.FUNCTION, elf.INDIRECT_FUNCTION)
_SLOTS = (6, 7)  # R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT
_RELATIVE = 8

# call, jmp; conditional jump; lea of an address; call or jmp through a slot. The distance follows.
_NAMING = re.compile(
    rb"(?=([\xe8\xe9]|\x0f[\x80-\x8f]|[\x48\x4c]\x8d[\x05\x0d\x15\x1d\x25\x2d\x35\x3d]|\xff[\x15\x25]))", re.DOTALL
)

Node = tuple[int, int]  # number of the image, address of the function in its file


@dataclass(frozen=True, kw_only=True)
class Image:
    """An executable or a library, as its file describes it."""

    content: bytes
    segments: tuple[tuple[int, int, int], ...]  # executable ones: offset in the file, address, bytes
    starts: tuple[int, ...]  # of functions, ascending
    ends: Mapping[int, int]  # by start
    names: Mapping[str, int]  # of functions that others can call
    slots: Mapping[int, str | int]  # of the global offset table: the name or the address of the function

    def address_of(self, offset: int) -> int | None:
        """Return the address of a byte of the file; None if it is not in an executable segment."""
        return next((address + offset - at for at, address, size in self.segments if at <= offset < at + size), None)

    def function_at(self, address: int) -> int | None:
        """Return the start of the function that contains an address."""
        index = bisect.bisect_right(self.starts, address) - 1
        start = self.starts[index] if index >= 0 else None
        return start if start is not None and address < self.ends[start] else None

    def code(self, start: int, end: int) -> bytes:
        """Return the bytes between two addresses of a segment."""
        for offset, address, size in self.segments:
            if address <= start < address + size:
                return self.content[offset + start - address : offset + min(end, address + size) - address]
        return b""


def reachable_bytes(images: Sequence[Image], roots: Iterable[Node]) -> int:
    """Return the bytes of all functions that are reached from the roots, each rounded up to PADDING."""
    exported: dict[str, Node] = {}
    for number, image in enumerate(images):
        for name, address in image.names.items():
            exported.setdefault(name, (number, address))
    seen: set[Node] = set()
    waiting = [root for root in roots if root[1] in images[root[0]].ends]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += [each for each in _named_by(images, exported, node) if each not in seen]
    sizes = (images[number].ends[start] - start for number, start in seen)
    return sum(-(-size // PADDING) * PADDING for size in sizes)


def _named_by(images: Sequence[Image], exported: Mapping[str, Node], node: Node) -> list[Node]:
    number, start = node
    image = images[number]
    code = image.code(start, image.ends[start])
    found = []
    for match in _NAMING.finditer(code):
        opcode = match[1]
        at = match.start() + len(opcode)
        if at + 4 > len(code):
            continue
        target = start + at + 4 + struct.unpack_from("<i", code, at)[0]
        through_slot = opcode[0] == 0xFF
        slot = target if through_slot else _slot_of_stub(image, target)
        named = image.slots.get(slot) if slot is not None else None
        if isinstance(named, str):
            found += [exported[named]] if named in exported else []
        elif named is not None:
            found += [(number, named)] if named in image.ends else []
        elif not through_slot and target in image.ends:
            found.append((number, target))
    return found


def _slot_of_stub(image: Image, address: int) -> int | None:
    """Return the slot through which a stub of the procedure linkage table jumps; None for anything else."""
    stub = image.code(address, address + 11)
    at = 4 if stub.startswith(b"\xf3\x0f\x1e\xfa") else 0  # endbr64
    at += stub[at : at + 1] == b"\xf2"  # bnd
    if stub[at : at + 2] != b"\xff\x25" or len(stub) < at + 6:
        return None
    return address + at + 6 + int(struct.unpack_from("<i", stub, at + 2)[0])


@lru_cache(maxsize=64)
def read_image(path: Path) -> Image | None:
    """Read a file; None if it is not for x86-64, or not as the format says."""
    try:
        return _image(path.read_bytes())
    except (OSError, struct.error, ValueError, IndexError):
        return None


def _image(content: bytes) -> Image | None:
    read = elf.read_elf(content)
    if read is None or read.machine != elf.X86_64 or read.word != "Q":
        return None
    code = [each for each in read.segments if each.kind == elf.LOADED and each.flags & elf.SEGMENT_EXECUTABLE]
    names, extents = _symbols(read)
    extents |= {start: max(end, extents.get(start, 0)) for start, end in _unwound(read).items()}
    inside = {start: end for start, end in extents.items() if end > start}
    return Image(
        content=content,
        segments=tuple((each.offset, each.address, each.size) for each in code),
        starts=tuple(sorted(inside)),
        ends=inside,
        names=names,
        slots=_slots(read),
    )


def _symbols(read: elf.Elf) -> tuple[dict[str, int], dict[int, int]]:
    """Return the addresses of functions by name, and where each ends by its address."""
    names: dict[str, int] = {}
    extents: dict[int, int] = {}
    for symbol in read.symbols(elf.SYMBOL_TABLE, elf.DYNAMIC_SYMBOLS):
        if symbol.type in _FUNCTIONS and symbol.address:
            names.setdefault(symbol.name, symbol.address)
            end = symbol.address + symbol.size
            extents[symbol.address] = max(end, extents.get(symbol.address, 0))
    return names, extents


def _slots(read: elf.Elf) -> dict[int, str | int]:
    slots: dict[int, str | int] = {}
    for section in read.sections:
        if section.kind != elf.RELOCATIONS or section.link >= len(read.sections):
            continue
        symbols = read.sections[section.link]
        if symbols.kind != elf.DYNAMIC_SYMBOLS:
            continue
        for slot, info, addend in read.entries(section, "<QQq"):
            kind = info & 0xFFFFFFFF
            if kind in _SLOTS:
                slots[slot] = read.symbol_name(symbols, info >> 32)
            elif kind == _RELATIVE:
                slots[slot] = addend
    return slots


def _unwound(read: elf.Elf) -> dict[int, int]:
    """Return start and end of the functions of .eh_frame_hdr (Linux Standard Base, chapter 10.6)."""
    content, found = read.content, dict[int, int]()
    for segment in read.segments:
        offset, address = segment.offset, segment.address
        if segment.kind != elf.UNWINDING or content[offset : offset + 4] != b"\x01\x1b\x03\x3b" or not segment.size:
            continue  # the only encoding that compilers use: 32-bit distances
        [count] = struct.unpack_from("<I", content, offset + 8)
        for start, entry in struct.iter_unpack("<ii", content[offset + 12 : offset + 12 + 8 * count]):
            at = offset + entry  # the entry is as far from the header in the file as in memory
            if at >= 0 and at + 16 <= len(content):
                [extent] = struct.unpack_from("<I", content, at + 12)
                found[address + start] = address + start + extent
    return found
