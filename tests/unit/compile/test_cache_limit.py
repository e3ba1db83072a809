# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cache has a limit: what was not used for longest goes first."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cyclometer.compile.cache import Cache
from cyclometer.compile.cache_limit import DAY, STAMP, limit_bytes, trim
from cyclometer.errors import CyclometerError


def entry(folder: Path, name: str, days: float, size: int = 1000) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    when = time.time() - days * DAY
    os.utime(path, (when, when))
    return path


def test_the_oldest_entries_go_until_the_limit_holds(tmp_path: Path) -> None:
    oldest, older, newer = (entry(tmp_path, f"{n:02x}/{n}.o", days) for n, days in enumerate((9, 8, 7)))
    today = entry(tmp_path, "ff/today.o", 0.5)
    unsent = entry(tmp_path, "fleet/campaign/machine/samples.parquet", 99)
    assert trim(tmp_path, 2000) == 2000
    assert [path.exists() for path in (oldest, older, newer, today)] == [False, False, True, True]
    assert trim(tmp_path, 0) == 1000
    assert today.exists(), "what was used within a day may be in use"
    assert unsent.exists(), "a run that the client does not have yet is no cache"


def test_a_use_keeps_an_entry(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    built = cache.make("ab" * 20, ".o", lambda path: path.write_bytes(bytes(10)) and "")
    assert isinstance(built, Path)
    entry(tmp_path, str(built.relative_to(tmp_path)), 5, size=10)
    assert cache.make("ab" * 20, ".o", lambda _: "is not built again") == built
    trim(tmp_path, 0)
    assert built.exists()


def test_it_is_done_at_most_once_a_day_and_removes_what_a_killed_build_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CYCLOMETER_CACHE_GIB", "0")
    left = entry(tmp_path, "scratch-00/half.o", 3)
    os.utime(left.parent, (0, 0))
    old = entry(tmp_path, "00/old.o", 3)
    Cache(tmp_path)
    assert not old.exists()
    assert not left.exists()
    again = entry(tmp_path, "00/again.o", 3)
    Cache(tmp_path)
    assert again.exists()
    os.utime(tmp_path / STAMP, (0, 0))
    Cache(tmp_path)
    assert not again.exists()


def test_a_limit_that_is_no_number_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CYCLOMETER_CACHE_GIB", "much")
    with pytest.raises(CyclometerError, match="CYCLOMETER_CACHE_GIB=much"):
        limit_bytes()
