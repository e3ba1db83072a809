# SPDX-License-Identifier: MIT OR Apache-2.0
"""Each timed process reads its executable and its libraries from copies, which lie in other pages of memory."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from cyclometer.execute import page_copies
from cyclometer.execute.bubblewrap import bubblewrap
from cyclometer.execute.page_copies import COPIES, PageCopies
from cyclometer.execute.sandbox import Limits, start
from cyclometer.records.executable import Executable
from support.fakes import executable

pytestmark = pytest.mark.skipif(not bubblewrap(), reason="bubblewrap is not installed, or may make no namespaces")

ENV = Path(os.path.realpath(shutil.which("env") or "/usr/bin/env"))  # a program that loads the C library


def copies_in(folder: Path) -> PageCopies:
    @contextmanager
    def scratch() -> Iterator[Path]:
        with TemporaryDirectory(dir=folder) as made:
            yield Path(made)

    return PageCopies(scratch)


def program(*packages: str) -> Executable:
    """Return a program as an executable that is linked with these packages."""
    one = executable("one")
    return replace(one, path=ENV, implementation=replace(one.implementation, packages=packages))


def test_each_process_has_a_copy_of_its_executable(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    made = [copies.of(program())[ENV] for _ in range(3)]
    assert len({copy.stat().st_ino for copy in (ENV, *made)}) == 4
    assert {copy.read_bytes() for copy in made} == {ENV.read_bytes()}


def test_a_copy_outlives_its_process_as_the_next_one_would_get_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_copies, "START_SECONDS", 0)
    copies = copies_in(tmp_path)
    made = [copies.of(program())[ENV] for _ in range(COPIES + 2)]
    assert [copy.exists() for copy in made] == [False] * 2 + [True] * COPIES


def test_a_copy_waits_for_its_process_however_many_others_are_started(tmp_path: Path) -> None:
    """Several threads start processes at a time; code whose copy is gone would be accused of giving no answer."""
    copies = copies_in(tmp_path)
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda _: copies.of(program("openssl")), range(3 * COPIES)))
    assert all(copy.exists() for each in made for copy in each.values())
    assert len({each[library] for each in made for library in each.keys() - {ENV}}) == COPIES


def test_libraries_have_a_few_copies_of_which_a_process_reads_any(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    made = [copies.of(program("openssl")) for _ in range(3 * COPIES)]
    [library] = made[0].keys() - {ENV}
    assert library.name.startswith(("libc.", "libc-", "ld-musl"))
    assert len({each[library] for each in made}) == COPIES
    assert {each[library].read_bytes() for each in made} == {library.read_bytes()}


def test_the_c_library_alone_is_not_copied(tmp_path: Path) -> None:
    assert copies_in(tmp_path).of(program()).keys() == {ENV}


def test_a_program_in_the_sandbox_reads_the_copy(tmp_path: Path) -> None:
    file, copy = tmp_path / "file", tmp_path / "copy"
    file.write_text("as it was")
    copy.write_text("from the copy")
    outcome = start(["cat", str(file)], limits=Limits(), visible=[tmp_path], copies={file: copy}).outcome()
    assert outcome.stdout == b"from the copy"


def test_nothing_is_left_of_the_copies(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    copies.of(program("openssl"))
    assert list(tmp_path.iterdir())
    del copies
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_nearly_full_is_left_to_the_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_copies, "ROOM", shutil.disk_usage(tmp_path).total)
    copies = copies_in(tmp_path)
    assert copies.of(program("openssl")) == {}
    assert not list(tmp_path.glob("*/*"))


def test_where_nothing_can_be_copied_files_are_read_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert copies_in(tmp_path / "none").of(program()) == {}
    monkeypatch.setattr(page_copies, "bubblewrap", lambda: "")
    assert copies_in(tmp_path).of(program()) == {}
