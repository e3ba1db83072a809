# SPDX-License-Identifier: MIT OR Apache-2.0
"""Changes to a stored run: its name, its label, its removal. The measured data are never rewritten."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.records.run import RunInfo
from cyclometer.store.digests import read_digests, write_digests
from cyclometer.store.files import rename_folder, storage
from cyclometer.store.folder import LOCK_FILE, RUN_FILE, finished_folder, partial_folder
from cyclometer.store.lock import is_locked
from cyclometer.store.runfile import read_run_info, write_run_info
from cyclometer.store.stored_run import StoredRun
from cyclometer.untrusted import name_is_not_utf8


def rename_run(results: Path, entry: StoredRun, name: str) -> Path:
    """Give a complete run the name RUN or MACHINE/RUN; return its folder, or raise `StorageFailed` if that exists."""
    _require_complete(entry)
    info = read_run_info(entry.folder / RUN_FILE)
    machine, _, run = name.rpartition("/")
    machine = machine or entry.folder.parent.name
    target = finished_folder(results, machine, run)
    for folder in (target, partial_folder(results, machine, run)):
        if folder.exists():
            raise StorageFailed(f"{folder} exists; choose another name")
    with storage("write", target):
        target.parent.mkdir(exist_ok=True)
    recorded_as = info.recorded_as or (info.run, info.machine)
    _write(entry.folder, replace(info, run=run, machine=machine, recorded_as=recorded_as))
    rename_folder(entry.folder, target)
    _remove_if_empty(entry.folder.parent)
    return target


def label_run(entry: StoredRun, label: str) -> None:
    """Give a complete run a label, by which it can be selected; '' removes it."""
    _require_complete(entry)
    if name_is_not_utf8(label):
        raise StorageFailed(f"the label of {entry.folder} has bytes that are not UTF-8; write it in UTF-8")
    _write(entry.folder, replace(read_run_info(entry.folder / RUN_FILE), label=label))


def remove_run(entry: StoredRun) -> None:
    """Remove a run, in any state except under way."""
    if entry.state == "under way" or is_locked(entry.folder / LOCK_FILE):
        raise StorageFailed(f"{entry.folder} is being written; wait for it, or stop it first")
    with storage("remove", entry.folder):
        shutil.rmtree(entry.folder)
    _remove_if_empty(entry.folder.parent)


def _require_complete(entry: StoredRun) -> None:
    if entry.state != "complete":
        remedy = f": {entry.reason}" if entry.reason else ""
        raise StorageFailed(f"{entry.folder} is {entry.state}; only complete runs are renamed or labelled{remedy}")


def _write(folder: Path, info: RunInfo) -> None:
    """Replace run.json, of which only the description changes, and list the digest of the new one only."""
    digests = read_digests(folder)
    if digests is None:  # format 1
        raise StorageFailed(f"{folder} was stored by an older version, without digests; it cannot be changed")
    write_run_info(folder / RUN_FILE, info)
    digests = read_digests(folder) or {}
    write_digests(folder, {name: listed[-1] for name, listed in digests.items() if (folder / name).exists()})


def _remove_if_empty(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
