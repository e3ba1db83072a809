# SPDX-License-Identifier: MIT OR Apache-2.0
"""Traces: packet captures (pcap, pcapng) and CSV files with one line per packet."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dpkt

from cyclometer.errors import RefusedFile, UnknownName
from cyclometer.records.grid import MAX_KEYS, MAX_LENGTH
from cyclometer.untrusted import read_bytes, text_of

MAX_TRACE = 1 << 30  # bytes
COLUMNS = ("length", "ad_length", "key", "forged")

_PCAPNG = {b"\x4d\x3c\x2b\x1a": "little", b"\x1a\x2b\x3c\x4d": "big"}  # the byte-order magic of a section
_SECTION, _INTERFACE, _PACKET = 0x0A0D0D0A, 1, 6  # block types


@dataclass(frozen=True, kw_only=True)
class Trace:
    """What a trace shows of a workload."""

    packets: Mapping[tuple[int, int], int]  # (length, associated-data length) -> how many
    keys: int = 1  # different key numbers
    forged: float | None = None  # share of packets; None: the trace does not say

    @property
    def count(self) -> int:
        """The number of packets."""
        return sum(self.packets.values())


def read_trace(file: Path) -> Trace:
    """Read a trace; `RefusedFile` names the place of what is wrong.

    The length of a captured packet is that of its network layer, even if the capture holds less of it.
    """
    content = read_bytes(file, limit=MAX_TRACE)
    if file.suffix == ".csv":
        return _of_csv(file, content)
    lengths = _pcap(file, content) if content[:4] != b"\x0a\x0d\x0d\x0a" else _pcapng(file, content)
    packets = Counter((max(0, length), 0) for length in lengths)
    return _with_packets(file, Trace(packets=packets))


def _with_packets(file: Path, trace: Trace) -> Trace:
    if not trace.packets:
        raise RefusedFile(f"{file} has no packets")
    longest = max(length for packet in trace.packets for length in packet)
    if longest > MAX_LENGTH:
        raise RefusedFile(f"{file} has a packet of {longest:,} bytes; at most {MAX_LENGTH:,} can be measured")
    return trace


def _of_csv(file: Path, content: bytes) -> Trace:
    reader = _lines(file, content)
    header = [name.strip() for name in next(reader, (1, []))[1]]
    for name in header:
        if name not in COLUMNS:
            raise UnknownName("column", name, COLUMNS, f"{file}, line 1; it needs length, and may have the others")
    if "length" not in header or len(set(header)) < len(header):
        raise RefusedFile(f"{file}, line 1: the header must name {', '.join(COLUMNS)} once each; only length is needed")
    packets: Counter[tuple[int, int]] = Counter()
    keys, forged = set(), 0
    for row in _rows(file, header, reader):
        packets[row["length"], row.get("ad_length", 0)] += 1
        keys.add(row.get("key", 0))
        forged += row.get("forged", 0)
    if len(keys) > MAX_KEYS:
        raise RefusedFile(f"{file} has {len(keys):,} different keys; at most {MAX_KEYS:,} can be measured")
    share = forged / max(1, packets.total()) if "forged" in header else None
    return _with_packets(file, Trace(packets=packets, keys=max(1, len(keys)), forged=share))


def _lines(file: Path, content: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the values of each line that has some."""
    reader = csv.reader(io.StringIO(text_of(content, file), newline=""))
    try:
        yield from ((reader.line_num, words) for words in reader if words)
    except csv.Error as error:
        raise RefusedFile(f"{file}, line {reader.line_num}: {error}") from None


def _rows(file: Path, header: list[str], lines: Iterator[tuple[int, list[str]]]) -> Iterator[dict[str, int]]:
    for number, words in lines:
        place = f"{file}, line {number}"
        if len(words) != len(header):
            raise RefusedFile(f"{place} has {len(words)} of {len(header)} values")
        row = {}
        for name, word in zip(header, map(str.strip, words), strict=True):
            if not (word.isascii() and word.isdigit() and len(word) < 19):
                raise RefusedFile(f"{place}: {name} {word[:40]!r} is not a number")
            row[name] = int(word)
        if max(row.get(name, 0) for name in ("length", "ad_length")) > MAX_LENGTH:
            raise RefusedFile(f"{place}: longer than {MAX_LENGTH:,} bytes, the most that can be measured")
        if row.get("forged", 0) > 1:
            raise RefusedFile(f"{place}: forged {row['forged']} is neither 0 nor 1")
        yield row


def _pcap(file: Path, content: bytes) -> Iterable[int]:
    """Yield the network-layer length of each record."""
    header = _unpacked(dpkt.pcap.FileHdr, content, 0)
    little = header is not None and header.magic in {dpkt.pcap.PMUDPCT_MAGIC, dpkt.pcap.PMUDPCT_MAGIC_NANO}
    if little:
        header = _unpacked(dpkt.pcap.LEFileHdr, content, 0)
    if header is None or header.magic not in {dpkt.pcap.TCPDUMP_MAGIC, dpkt.pcap.TCPDUMP_MAGIC_NANO}:
        raise RefusedFile(f"{file} is not a capture: it is neither pcap nor pcapng, nor does it end in .csv")
    kind = dpkt.pcap.LEPktHdr if little else dpkt.pcap.PktHdr
    link = dpkt.pcap.dltoff.get(header.linktype, 0)
    at, number = dpkt.pcap.FileHdr.__hdr_len__, 0
    while at < len(content):
        number += 1
        record = _unpacked(kind, content, at)
        if record is None or at + kind.__hdr_len__ + record.caplen > len(content):
            raise RefusedFile(f"{file}: record {number} at byte {at:,} is truncated; the capture was cut off there")
        yield record.len - link
        at += kind.__hdr_len__ + record.caplen


def _unpacked(kind: Any, content: bytes, at: int) -> Any:
    """Return the header at a place; None if the content ends before it does."""
    words = content[at : at + kind.__hdr_len__]
    return kind(words) if len(words) == kind.__hdr_len__ else None


def _pcapng(file: Path, content: bytes) -> Iterable[int]:
    """Yield the network-layer length of each enhanced packet block."""
    at, number, order, links = 0, 0, "little", [0]
    while at < len(content):
        number += 1
        if content[at : at + 4] == b"\x0a\x0d\x0d\x0a":
            order, links = _PCAPNG.get(content[at + 8 : at + 12], ""), []
        size = int.from_bytes(content[at + 4 : at + 8], "little" if order == "little" else "big")
        if not order or size < 12 or size % 4 or at + size > len(content):
            raise RefusedFile(f"{file}: block {number} at byte {at:,} is truncated or damaged")
        block = content[at : at + size]
        kind = int.from_bytes(block[:4], "little" if order == "little" else "big")
        if kind == _INTERFACE:
            interface = _block(file, at, order, "InterfaceDescriptionBlock", block)
            links.append(dpkt.pcap.dltoff.get(interface.linktype, 0))
        elif kind == _PACKET:
            packet = _block(file, at, order, "EnhancedPacketBlock", block)
            yield packet.pkt_len - (links[packet.iface_id] if packet.iface_id < len(links) else 0)
        at += size


def _block(file: Path, at: int, order: str, name: str, block: bytes) -> Any:
    kind = getattr(dpkt.pcapng, f"{name}{'LE' if order == 'little' else ''}")
    try:
        return kind(block)
    except (dpkt.Error, ValueError, IndexError) as error:
        raise RefusedFile(f"{file}: block at byte {at:,} is damaged: {error}") from None
