# SPDX-License-Identifier: MIT OR Apache-2.0
"""The build cache makes an entry once, keeps it whole, and remembers failures."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cyclometer.compile import Cache
from cyclometer.compile.cache import ToolFailure
from cyclometer.errors import StorageFailed


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


def fill(path: Path) -> str:
    path.write_text("made")
    return ""


def must_not_be_called(path: Path) -> str:
    raise AssertionError("built again")


def test_the_key_names_everything_that_goes_in() -> None:
    key = Cache.key("object", "gcc", ["-O2"], {"main.c": "1234"})
    assert key == Cache.key("object", "gcc", ["-O2"], {"main.c": "1234"})
    assert key == Cache.key("object", "gcc", ("-O2",), {"main.c": "1234"})
    assert key != Cache.key("object", "gcc", ["-O3"], {"main.c": "1234"})
    assert key != Cache.key("object", "gcc", ["-O2"], {"main.c": "1235"})
    assert Cache.key("a", "bc") != Cache.key("ab", "c")


def test_an_entry_is_made_once(cache: Cache) -> None:
    made = cache.make("abcdef", ".o", fill)
    assert isinstance(made, Path)
    assert made.read_text() == "made"
    assert cache.make("abcdef", ".o", must_not_be_called) == made
    assert cache.built == 1


def test_a_failure_is_cached_with_its_message(cache: Cache) -> None:
    assert cache.make("abcdef", ".o", lambda path: "expected ';'") == ToolFailure("expected ';'")
    assert cache.make("abcdef", ".o", must_not_be_called) == ToolFailure("expected ';'")


def flip_a_bit(entry: Path) -> None:
    content = bytearray(entry.read_bytes())
    content[len(content) // 2] ^= 1
    when = entry.stat()
    entry.write_bytes(content)
    os.utime(entry, ns=(when.st_atime_ns, when.st_mtime_ns))  # a failing disk changes no time


def truncate(entry: Path) -> None:
    os.truncate(entry, 2)


def empty(entry: Path) -> None:
    os.truncate(entry, 0)


def become_another(entry: Path) -> None:
    entry.write_text("another program")


DAMAGE = [flip_a_bit, truncate, empty, become_another, Path.unlink]


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", ["abcdef.exe", "abcdef.exe.sha256"])
def test_an_entry_that_is_damaged_is_made_again(cache: Cache, damage: Callable[[Path], None], name: str) -> None:
    made = cache.make("abcdef", ".exe", fill)
    assert isinstance(made, Path)
    damage(made.with_name(name))
    later = Cache(cache.folder)
    assert later.make("abcdef", ".exe", fill) == made
    assert later.built == 1
    assert made.read_text() == "made"
    assert Cache(cache.folder).make("abcdef", ".exe", must_not_be_called) == made


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_failure_whose_message_is_damaged_is_found_again(cache: Cache, damage: Callable[[Path], None]) -> None:
    cache.make("abcdef", ".o", lambda path: "expected ';'")
    damage(cache.folder / "ab" / "abcdef.failed")
    assert Cache(cache.folder).make("abcdef", ".o", lambda path: "expected ';'") == ToolFailure("expected ';'")


def test_the_digest_beside_an_entry_is_what_sha256sum_checks(cache: Cache) -> None:
    made = cache.make("abcdef", ".o", fill)
    assert isinstance(made, Path)
    assert subprocess.run(["sha256sum", "--check", f"{made.name}.sha256"], cwd=made.parent, check=False).returncode == 0


def test_a_builder_that_raises_leaves_nothing(cache: Cache) -> None:
    def interrupted(path: Path) -> str:
        path.write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cache.make("abcdef", ".o", interrupted)
    assert {path.name for path in cache.folder.rglob("*") if path.is_file()} <= {".trimmed"}  # when it was last trimmed
    assert isinstance(cache.make("abcdef", ".o", fill), Path)


def test_many_at_once_get_the_same_whole_file(cache: Cache) -> None:
    def slowly(path: Path) -> str:
        with path.open("w") as file:
            for _ in range(100):
                file.write("line\n")
        return ""

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: cache.make("abcdef", ".o", slowly), range(32)))
    assert len(set(made)) == 1
    assert isinstance(made[0], Path)
    assert made[0].read_text() == "line\n" * 100


def test_the_folder_is_the_users_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "chosen"))
    assert Cache().folder == tmp_path / "chosen"
    monkeypatch.delenv("CYCLOMETER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert Cache().folder == tmp_path / "xdg/cyclometer"


def test_a_folder_that_cannot_be_made_names_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailed, match="set CYCLOMETER_CACHE"):
        Cache(tmp_path / "file" / "cache")


def test_threads_that_need_one_entry_wait_for_the_one_that_makes_it(cache: Cache) -> None:
    def slowly(path: Path) -> str:
        time.sleep(0.05)
        return fill(path)

    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: cache.make("abcdef", ".o", slowly), range(8)))
    assert len(set(made)) == 1
    assert cache.built == 1
