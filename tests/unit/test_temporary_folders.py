# SPDX-License-Identifier: MIT OR Apache-2.0
"""Temporary folders vanish with their process, or with the next one if it was killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cyclometer import paths
from cyclometer.paths import temporary_folder

KILLED = """
import os, signal, sys, tempfile
from cyclometer.paths import temporary_folder
tempfile.tempdir = sys.argv[1]
with temporary_folder("test") as folder:
    (folder / "file").touch()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_is_removed_and_what_another_holds_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    subprocess.run([sys.executable, "-c", KILLED, tmp_path], check=False)
    [left] = tmp_path.iterdir()
    (tmp_path / "cyclometer-tmp-of-somebody" / "x").mkdir(parents=True)  # without a lock: not made by this function
    (tmp_path / "cyclometer-tmp-empty").mkdir()  # by a process that was killed before it took the lock
    with temporary_folder("test"):
        assert left.exists(), "it is so new that its process may be about to hold it"
    monkeypatch.setattr(paths, "_STARTING_SECONDS", -1)
    with temporary_folder("test") as held, temporary_folder("test") as other:
        assert held.exists()
        assert other.exists()
        assert not left.exists()
    assert [path.name for path in tmp_path.iterdir()] == ["cyclometer-tmp-of-somebody"]


def test_the_lock_goes_last_so_that_what_a_process_killed_meanwhile_leaves_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    seen = []

    def watched(path: Path, ignore_errors: bool) -> None:
        seen.append(sorted(each.name for each in path.parent.iterdir()))
        path.rmdir()

    with temporary_folder("test") as folder:
        (folder / "a").mkdir()
        (folder / "file").touch()
        monkeypatch.setattr(paths.shutil, "rmtree", watched)
        paths._empty(folder)
        monkeypatch.undo()
        assert [path.name for path in folder.iterdir()] == [".held"]
    assert all(".held" in names for names in seen)
    assert seen
    assert not folder.exists()
