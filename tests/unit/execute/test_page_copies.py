# SPDX-License-Identifier: MIT OR Apache-2.0
"""Each timed process reads its executable and its libraries from copies, which lie in other pages of memory."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Barrier

import pytest

from cyclometer.execute import page_copies
from cyclometer.execute.bubblewrap import bubblewrap
from cyclometer.execute.page_copies import COPIES, PageCopies
from cyclometer.execute.sandbox import Limits, start
from cyclometer.execute.timed import PreparedCall, converse
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


def made_for(executable: Executable, copies: PageCopies) -> dict[Path, Path]:
    """Return the copies for a process that has ended."""
    with copies.of(executable) as made:
        return made


def test_each_process_has_a_copy_of_its_executable(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    made = [made_for(program(), copies)[ENV] for _ in range(3)]
    assert len({copy.stat().st_ino for copy in (ENV, *made)}) == 4
    assert {copy.read_bytes() for copy in made} == {ENV.read_bytes()}


def test_a_copy_outlives_its_process_as_the_next_one_would_get_its_pages(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    made = [made_for(program(), copies)[ENV] for _ in range(COPIES + 2)]
    assert [copy.exists() for copy in made] == [False] * 2 + [True] * COPIES


def test_a_copy_is_there_until_its_process_has_ended(tmp_path: Path) -> None:
    """Bubblewrap opens it some time after it was started, when other threads may have started many more."""
    copies = copies_in(tmp_path)
    with copies.of(program()) as first:
        with ExitStack() as others:
            made = [others.enter_context(copies.of(program()))[ENV] for _ in range(2 * COPIES)]
            assert all(copy.exists() for copy in (first[ENV], *made))
        assert [copy.exists() for copy in (first[ENV], *made)] == [True] + [False] * COPIES + [True] * COPIES
    assert [copy.exists() for copy in (first[ENV], *made)] == [False] * (COPIES + 1) + [True] * COPIES


def test_a_call_holds_its_copy(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    calls = [PreparedCall(program(), "info", limits=Limits(), copies=copies) for _ in range(2 * COPIES)]
    assert len(list(tmp_path.glob("*/*"))) == 2 * COPIES
    calls[0].outcome()
    for call in calls[1:]:
        call.end()
    assert len(list(tmp_path.glob("*/*"))) == COPIES


def test_a_conversation_holds_its_copy(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    with converse(program(), "info", limits=Limits(), cpu=None, copies=copies):
        [first] = tmp_path.glob("*/*")
        for _ in range(COPIES):
            made_for(program(), copies)
        assert first.exists()
    assert not first.exists()


def test_threads_share_it(tmp_path: Path) -> None:
    """All of them need the folder while it is made, which takes a moment, and copies of one library."""
    library = tmp_path / "library"
    library.write_bytes(bytes(1 << 20))
    loading = replace(program(), loads=(library,))
    folders = [tmp_path / "first", tmp_path / "second"]
    together, unused = Barrier(4 * COPIES), iter(folders)

    @contextmanager
    def scratch() -> Iterator[Path]:
        folder = next(unused)
        time.sleep(0.2)
        folder.mkdir()
        yield folder

    copies = PageCopies(scratch)

    def process(_: int) -> bool:
        together.wait()
        with copies.of(loading) as made:
            return all(copy.exists() for copy in (made[ENV], made[library]))

    with ThreadPoolExecutor(4 * COPIES) as pool:
        assert all(pool.map(process, range(4 * COPIES)))
    assert not folders[1].exists()
    assert len(list(folders[0].iterdir())) == 2 * COPIES, "so many of the library, and of the executable"


def test_libraries_have_a_few_copies_of_which_a_process_reads_any(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    made = [made_for(program("openssl"), copies) for _ in range(3 * COPIES)]
    [library] = made[0].keys() - {ENV}
    assert library.name.startswith(("libc.", "libc-", "ld-musl"))
    assert len({each[library] for each in made}) == COPIES
    assert {each[library].read_bytes() for each in made} == {library.read_bytes()}


def test_the_c_library_alone_is_not_copied(tmp_path: Path) -> None:
    assert made_for(program(), copies_in(tmp_path)).keys() == {ENV}


def test_a_program_in_the_sandbox_reads_the_copy(tmp_path: Path) -> None:
    file, copy = tmp_path / "file", tmp_path / "copy"
    file.write_text("as it was")
    copy.write_text("from the copy")
    outcome = start(["cat", str(file)], limits=Limits(), visible=[tmp_path], copies={file: copy}).outcome()
    assert outcome.stdout == b"from the copy"


def test_nothing_is_left_of_the_copies(tmp_path: Path) -> None:
    copies = copies_in(tmp_path)
    made_for(program("openssl"), copies)
    assert list(tmp_path.iterdir())
    del copies
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_nearly_full_is_left_to_the_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_copies, "ROOM", shutil.disk_usage(tmp_path).total)
    copies = copies_in(tmp_path)
    assert made_for(program("openssl"), copies) == {}
    assert not list(tmp_path.glob("*/*"))


def test_where_nothing_can_be_copied_files_are_read_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert made_for(program(), copies_in(tmp_path / "none")) == {}
    monkeypatch.setattr(page_copies, "bubblewrap", lambda: "")
    assert made_for(program(), copies_in(tmp_path)) == {}
