# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs that arrive from another machine are stored whole, under that machine, or refused with the reason."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cyclometer.errors import StorageFailed, UnusableRun
from cyclometer.store import add_run, list_runs, rename_run, run_files
from support.synthetic import process, run_info, write_run

SALSA = process("salsa20-poly1305", cycles={("encrypt", 576): 3000})


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    """Return the files of a run of the machine `box`, as they are sent."""
    return run_files(write_run(tmp_path / "there", run_info(id="8a" * 8), [SALSA]))


def test_a_run_is_stored_once(tmp_path: Path, files: dict[str, bytes]) -> None:
    here = tmp_path / "here"
    folder = add_run(here, files, "box")
    assert folder.parent == here / "box"
    assert add_run(here, files, "box") == folder
    assert [run.state for run in list_runs(here)] == ["complete"]


def test_it_is_known_after_its_machine_was_renamed_here(tmp_path: Path, files: dict[str, bytes]) -> None:
    here = tmp_path / "here"
    add_run(here, files, "box")
    renamed = rename_run(here, list_runs(here)[0], "desk/first")
    assert add_run(here, files, "box") == renamed


def test_a_machine_may_send_its_own_runs_only(tmp_path: Path, files: dict[str, bytes]) -> None:
    with pytest.raises(UnusableRun, match="desk was asked for a run, and sent one of box"):
        add_run(tmp_path / "here", files, "desk")
    assert list((tmp_path / "here").iterdir()) == []


@pytest.mark.parametrize("name", ["run.json", "samples.parquet", "SHA256SUMS", "trials.parquet"])
def test_a_damaged_file_is_named_without_the_temporary_folder(
    tmp_path: Path, files: dict[str, bytes], name: str
) -> None:
    files[name] = files[name][:-9] + b"?" + files[name][-8:]
    with pytest.raises(UnusableRun, match="a run that arrived/") as refused:
        add_run(tmp_path / "here", files)
    assert ".arriving" not in str(refused.value)
    assert list((tmp_path / "here").iterdir()) == []


def test_a_run_of_an_older_version_lacks_a_table_and_its_digest(tmp_path: Path, files: dict[str, bytes]) -> None:
    del files["earlier.parquet"]
    with pytest.raises(UnusableRun, match=r"earlier\.parquet"):  # its digest says that it was there
        add_run(tmp_path / "here", files)
    lines = files["SHA256SUMS"].splitlines(keepends=True)
    files["SHA256SUMS"] = b"".join(line for line in lines if b"earlier.parquet" not in line)
    folder = add_run(tmp_path / "here", files)
    assert [run.state for run in list_runs(tmp_path / "here")] == ["complete"]
    assert run_files(folder) == files


def test_a_disk_that_does_not_take_a_run_is_not_the_fault_of_the_run(tmp_path: Path, files: dict[str, bytes]) -> None:
    (tmp_path / "here").write_text("a file where the folder of results should be")
    with pytest.raises(StorageFailed) as failed:
        add_run(tmp_path / "here", files)
    assert not isinstance(failed.value, UnusableRun)
    assert os.listdir(tmp_path / "there" / "box")
