# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a cache keeps is read as it was written, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.compile.cache import Cache
from cyclometer.execute.kept import keep, kept


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

    cache = Cache(tmp_path)
    assert cache.make_value("ab12", ".json", find) == {"a": 7}
    assert cache.make_value("ab12", ".json", find) == {"a": 7}
    assert len(asked) == 1
    (tmp_path / "ab" / "ab12.json").write_bytes(damage)
    assert cache.make_value("ab12", ".json", find) == {"a": 7}
    assert cache.make_value("ab12", ".json", find) == {"a": 7}
    assert len(asked) == 2
