# SPDX-License-Identifier: MIT OR Apache-2.0
"""Traces: captures and CSV, with the place of what is wrong."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.workload.trace import read_trace

ETHERNET, RAW = 1, 101
SNAP = 60  # bytes kept of each packet


def pcap(lengths: list[int], *, order: str = "<", magic: int = 0xA1B2C3D4, link: int = ETHERNET) -> bytes:
    records = [struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, SNAP, link)]
    for number, length in enumerate(lengths):
        kept = min(SNAP, length)
        records.append(struct.pack(f"{order}IIII", number, 0, kept, length) + bytes(kept))
    return b"".join(records)


def pcapng(lengths: list[int], order: str = "<") -> bytes:
    def block(kind: int, body: bytes) -> bytes:
        size = 12 + len(body)
        return struct.pack(f"{order}II", kind, size) + body + struct.pack(f"{order}I", size)

    blocks = [block(0x0A0D0D0A, struct.pack(f"{order}IHHq", 0x1A2B3C4D, 1, 0, -1))]
    blocks.append(block(1, struct.pack(f"{order}HHI", ETHERNET, 0, SNAP)))
    for length in lengths:
        kept = -(-min(SNAP, length) // 4) * 4
        blocks.append(block(6, struct.pack(f"{order}IIIII", 0, 0, 0, min(SNAP, length), length) + bytes(kept)))
    return b"".join(blocks)


@pytest.mark.parametrize(
    "content",
    [
        pcap([54, 1514, 54]),
        pcap([54, 1514, 54], order=">"),
        pcap([54, 1514, 54], magic=0xA1B23C4D),
        pcap([40, 1500, 40], link=RAW),
        pcapng([54, 1514, 54]),
        pcapng([54, 1514, 54], order=">"),
    ],
)
def test_lengths_are_those_of_the_network_layer_before_the_capture_cut_them(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.pcap").write_bytes(content)
    trace = read_trace(tmp_path / "c.pcap")
    assert trace.packets == {(40, 0): 2, (1500, 0): 1}
    assert trace.forged is None


@pytest.mark.parametrize(("cut", "record"), [(1, 3), (70, 3), (80, 2)])
def test_a_truncated_record_is_named_with_its_place(tmp_path: Path, cut: int, record: int) -> None:
    content = pcap([100, 200, 300])
    (tmp_path / "c.pcap").write_bytes(content[:-cut])
    place = 24 + (record - 1) * (16 + SNAP)
    with pytest.raises(CyclometerError, match=f"record {record} at byte {place} is truncated"):
        read_trace(tmp_path / "c.pcap")


def test_a_truncated_block_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "c.pcapng").write_bytes(pcapng([100, 200])[:-3])
    with pytest.raises(CyclometerError, match="block 4 at byte 140 is truncated"):
        read_trace(tmp_path / "c.pcapng")


@pytest.mark.parametrize("content", [b"", b"GIF89a", pcap([]), pcapng([])])
def test_a_file_without_packets_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "c.pcap").write_bytes(content)
    with pytest.raises(CyclometerError, match=r"has no packets|is not a capture"):
        read_trace(tmp_path / "c.pcap")


def test_a_table_of_packets_has_keys_and_forgeries(tmp_path: Path) -> None:
    lines = ["length,ad_length,key,forged", "40,8,1,0", "40,8,2,1", "576,0,1,0", "40,0,3,0"]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    trace = read_trace(tmp_path / "t.csv")
    assert trace.packets == {(40, 8): 2, (576, 0): 1, (40, 0): 1}
    assert (trace.keys, trace.forged) == (3, 0.25)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("length\n40\nmany\n", "line 3: length 'many' is not a number"),
        ("length,key\n40,1\n40\n", "line 3 has 1 of 2 values"),
        ("length\n4\x1e0\n", "line 2: length '4\\x1e0' is not a number"),
        ("length\n" + "1" * 200_000, "line 2: "),
        ("length\n40\n99999999\n", "line 3: longer than 16,777,216 bytes"),
        ("length,forged\n40,2\n", "line 2: forged 2 is neither 0 nor 1"),
        ("lenght\n40\n", "unknown column 'lenght'; did you mean 'length'"),
        ("key\n1\n", "line 1: the header must name"),
        ("length\n", "has no packets"),
        ("", "line 1: the header must name"),
    ],
)
def test_a_bad_table_is_named_with_the_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(CyclometerError) as caught:
        read_trace(tmp_path / "t.csv")
    assert message in str(caught.value)
    assert "t.csv" in str(caught.value)
