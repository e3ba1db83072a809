# SPDX-License-Identifier: MIT OR Apache-2.0
"""The archive of a stranger: written below one folder, or refused with the entry that is wrong."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import lzma
import random
import tarfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from cyclometer.errors import RefusedFile
from cyclometer.submissions import archive, pack, unpack


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int | None = None) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = kind, link
    made.size = (4 if kind == tarfile.REGTYPE else 0) if size is None else size
    return made


def tar(*entries: tarfile.TarInfo) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as written:
        for each in entries:
            written.addfile(each, io.BytesIO(b"code" * (each.size // 4)))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ([entry("../out.c")], "../out.c leads out of the archive"),
        ([entry("a/../../out.c")], "leads out of the archive"),
        ([entry("/etc/cron.d/mine")], "leads out of the archive"),
        ([entry("link", tarfile.SYMTYPE, "/etc/passwd")], "link is a link to /etc/passwd, which leads out"),
        ([entry("a/link", tarfile.SYMTYPE, "../../secret")], "a/link is a link to ../secret, which leads out"),
        ([entry("link", tarfile.LNKTYPE, "../secret")], "leads out"),
        ([entry("a.c"), entry("link", tarfile.SYMTYPE, "b.c")], "link is a link to b.c, which is no file"),
        ([entry("a", tarfile.SYMTYPE, "b"), entry("b", tarfile.SYMTYPE, "a"), entry("c")], "is no file"),
        ([entry("null", tarfile.CHRTYPE)], "null is neither a file"),
        ([entry("disk", tarfile.BLKTYPE)], "disk is neither a file"),
        ([entry("pipe", tarfile.FIFOTYPE)], "pipe is neither a file"),
        ([entry("a.c"), entry("a.c")], "has a.c twice"),
        ([entry("a"), entry("a/b.c")], "a is a file and a folder"),
        ([entry("/".join("d" * 40) + "/a.c")], "folders deep"),
        ([entry("n" * 300)], "is too long"),
        ([entry("folder", tarfile.DIRTYPE)], "has no files"),
    ],
)
def test_what_is_hostile_is_refused_and_nothing_is_written(
    entries: list[tarfile.TarInfo], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(RefusedFile) as refused:
        unpack(tar(*entries), tmp_path / "inside" / "target")
    assert reason in str(refused.value)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("squeeze", [gzip.compress, lzma.compress])
def test_a_bomb_is_refused_before_it_goes_off(
    squeeze: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1 << 20)
    bomb = squeeze(bytes((1 << 20) + 10))
    assert len(bomb) < 1 << 12
    with pytest.raises(RefusedFile, match="unpacks to more than"):
        unpack(bomb, tmp_path / "target")


SQUEEZERS = [gzip.compress, bz2.compress, lzma.compress]


@pytest.mark.parametrize("padding", [b"", bytes(512)])
@pytest.mark.parametrize("squeeze", SQUEEZERS)
def test_all_streams_of_an_archive_are_read(squeeze: Callable[[bytes], bytes], padding: bytes, tmp_path: Path) -> None:
    """So do pbzip2 and pigz write, and `cat` of compressed parts; padding fills the last block of a tape."""
    whole = tar(*(entry(f"{number}.c") for number in range(200)))
    cuts = [0, 512, 1000, 70_000, len(whole)]  # at an entry, inside one, beyond what is read at once
    parts = [squeeze(whole[start:end]) for start, end in itertools.pairwise(cuts)]
    unpack(b"".join(part + padding for part in parts), tmp_path / "target")
    assert len(list((tmp_path / "target").iterdir())) == 200


@pytest.mark.parametrize("squeeze", SQUEEZERS)
def test_an_archive_that_is_cut_off_is_no_smaller_submission(squeeze: Callable[[bytes], bytes], tmp_path: Path) -> None:
    whole = tar(entry("a.c"), entry("b.c"))
    packed = squeeze(whole[:1024]) + squeeze(whole[1024:])
    for missing in range(1, len(packed)):
        with pytest.raises(RefusedFile, match=r"cut off|damaged|bytes after the end"):
            unpack(packed[:-missing], tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_a_tar_without_its_end_is_refused(tmp_path: Path) -> None:
    """Entries have 1024 bytes here; a cut between two, or a damaged header, would leave out those that follow."""
    whole = tar(entry("a.c"), entry("b.c"))
    for end in (1024, 1500, 2048):
        with pytest.raises(RefusedFile, match=r"cut off|no end"):
            unpack(whole[:end], tmp_path / "target")
    with pytest.raises(RefusedFile, match="damaged"):
        unpack(whole[:1024] + b"x" + whole[1025:], tmp_path / "target")
    assert not (tmp_path / "target").exists()


@pytest.mark.parametrize("squeeze", SQUEEZERS)
def test_bytes_after_the_last_stream_are_refused(squeeze: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with pytest.raises(RefusedFile, match="bytes after the end of its compressed data"):
        unpack(squeeze(tar(entry("a.c"))) + b"more", tmp_path / "target")


@pytest.mark.parametrize("squeeze", SQUEEZERS)
def test_streams_of_nothing_are_refused_soon(squeeze: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with pytest.raises(RefusedFile, match="more than 20,000 compressed streams"):
        unpack(squeeze(b"") * 30_000, tmp_path / "target")


def test_a_bomb_in_many_streams_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1 << 20)
    with pytest.raises(RefusedFile, match="unpacks to more than"):
        unpack(gzip.compress(bytes(1 << 19)) * 3, tmp_path / "target")


def test_a_file_that_claims_to_be_huge_is_refused(tmp_path: Path) -> None:
    header = entry("a.c", size=1 << 40).tobuf(tarfile.GNU_FORMAT)
    with pytest.raises(RefusedFile, match=r"a\.c is larger than"):
        unpack(header + bytes(1024), tmp_path / "target")


def extended(kind: bytes, content: bytes) -> bytes:
    """Return a header that gives the next entry a long name (L, K) or attributes (x)."""
    header = tarfile.TarInfo("header")
    header.type, header.size = kind, len(content)
    return header.tobuf(tarfile.GNU_FORMAT) + content + bytes(-len(content) % 512)


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        (extended(b"L", b"name\0") * 3000, "a row of headers without an entry"),
        (extended(b"K", b"link\0") * 3000, "a row of headers without an entry"),
        (extended(b"x", b"13 comment=a\n") * 3000, "a row of headers without an entry"),
        (extended(b"x", b"9" * 400_000), "a number of more than 1,000 digits"),  # hours in tarfile of Python 3.11
        (extended(b"g", bytes((1 << 20) + 1)), "a header larger than"),
    ],
)
def test_headers_that_would_take_for_ever_are_refused(headers: bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(RefusedFile, match=reason):
        unpack(headers + tar(entry("a.c")), tmp_path / "target")


def test_a_long_name_and_attributes_are_no_attack(tmp_path: Path) -> None:
    name = "/".join(["folder"] * 20) + "/" + "n" * 150 + ".c"
    unpack(extended(b"x", b"27 comment=" + b"0123456789abcde\n") + tar(entry(name)), tmp_path / "target")
    assert (tmp_path / "target" / name).read_bytes() == b"code"


def test_a_folder_makes_the_same_archive_at_any_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.c").write_text("int one;\n")
    now = pack(tmp_path / "tree")
    monkeypatch.setattr("time.time", lambda: 1e9)
    assert pack(tmp_path / "tree") == now


def test_a_folder_of_holes_is_refused_before_all_of_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_UNPACKED", 1 << 20)
    for number in range(3):
        with (tmp_path / f"{number}.c").open("wb") as hole:
            hole.truncate(1 << 19)
    with pytest.raises(RefusedFile, match="have more than"):
        pack(tmp_path)


def test_links_inside_become_files_and_a_folder_survives_the_journey(tmp_path: Path) -> None:
    source = tmp_path / "tree"
    (source / "a").mkdir(parents=True)
    (source / "a" / "one.c").write_text("int one;\n")
    (source / "two.c").symlink_to("a/one.c")
    (source / "out.c").symlink_to("/etc/passwd")
    unpack(pack(source), tmp_path / "there")
    assert {path.name for path in (tmp_path / "there" / "tree").rglob("*.c")} == {"one.c", "two.c"}
    linked = tar(
        entry("a/one.c"), entry("two.c", tarfile.SYMTYPE, "a/one.c"), entry("three.c", tarfile.LNKTYPE, "two.c")
    )
    unpack(linked, tmp_path / "linked")
    for name in ("two.c", "three.c"):
        assert (tmp_path / "linked" / name).read_bytes() == b"code"
        assert not (tmp_path / "linked" / name).is_symlink()


def test_damaged_archives_are_refused_or_unpacked_inside(tmp_path: Path) -> None:
    """Change bytes of headers; whatever comes of it, nothing but a refusal or files inside."""
    chance = random.Random(21)
    whole = tar(entry("crypto_hash/a.c"), entry("b.c", tarfile.SYMTYPE, "crypto_hash/a.c"), entry("c.h"))
    for number in range(400):
        damaged = bytearray(whole)
        for _ in range(chance.randrange(1, 6)):
            damaged[chance.randrange(2048)] = chance.randrange(256)
        with suppress(RefusedFile):  # nothing else
            unpack(bytes(damaged), tmp_path / "home" / str(number))
    assert {path.name for path in tmp_path.iterdir()} <= {"home"}
