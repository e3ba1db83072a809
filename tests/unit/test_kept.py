# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a cache keeps is read as it was written, or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from cyclometer.compile.cache import Cache
from cyclometer.errors import StorageFailed
from cyclometer.kept import keep, kept


def test_a_text_comes_back_as_it_was_written(tmp_path: Path) -> None:
    keep(tmp_path / "new" / "text", "naïve \udcff\n\nend")
    assert kept(tmp_path / "new" / "text") == "naïve \udcff\n\nend"
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["text"]
    assert kept(tmp_path / "absent") == ""


@pytest.mark.parametrize("at", [0, 30, 64, 66, -1])
def test_one_flipped_bit_makes_it_absent(tmp_path: Path, at: int) -> None:
    keep(tmp_path / "text", '{"cycles": 1000}')
    content = bytearray((tmp_path / "text").read_bytes())
    content[at] ^= 1
    (tmp_path / "text").write_bytes(content)
    assert kept(tmp_path / "text") == ""


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe", b'{"a": 8}', bytes(100)])
def test_a_value_that_was_damaged_is_found_out_again(tmp_path: Path, damage: bytes) -> None:
    asked: list[int] = []

    def find() -> dict[str, int]:
        asked.append(1)
        return {"a": 7}

    for _ in range(2):
        assert Cache(tmp_path).make_value("ab12", ".json", find) == {"a": 7}
    assert len(asked) == 1
    (tmp_path / "ab" / "ab12.json").write_bytes(damage)
    for _ in range(2):
        assert Cache(tmp_path).make_value("ab12", ".json", find) == {"a": 7}
    assert len(asked) == 2


def test_a_cache_that_can_only_be_read_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even root cannot write to a read-only file system, nor remove the file that was not made."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    cache = Cache(tmp_path)
    monkeypatch.setattr(Path, "unlink", refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StorageFailed, match=r"cannot write the build cache .*: Read-only file system"):
        cache.make("ab12", ".o", lambda _: "")


ODD = {
    "folder": lambda path: (path / "inside").mkdir(parents=True),
    "pipe": os.mkfifo,
    "endless": lambda path: path.symlink_to("/dev/zero"),
    "loop": lambda path: path.symlink_to(path.name),
}


@pytest.mark.parametrize("odd", ODD)
def test_what_is_no_file_is_absent_and_makes_room(odd: str, tmp_path: Path) -> None:
    """A pipe would never end."""
    ODD[odd](tmp_path / "text")
    assert kept(tmp_path / "text") == ""
    keep(tmp_path / "text", "new")
    assert kept(tmp_path / "text") == "new"


def fill(out: Path) -> str:
    out.write_text("made")
    return ""


@pytest.mark.parametrize("odd", ODD)
def test_an_entry_that_is_no_file_is_made_again(odd: str, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    (tmp_path / "ab").mkdir()
    ODD[odd](tmp_path / "ab" / "abcd.o")
    made = cache.make("abcd", ".o", fill)
    assert isinstance(made, Path)
    assert made.read_text() == "made"
