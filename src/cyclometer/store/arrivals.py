# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs that come from another machine: taken whole and verified, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.store.digests import read_digests, verify, write_digests
from cyclometer.store.files import rename_folder, storage
from cyclometer.store.folder import DIGESTS_FILE, RUN_FILE, SAMPLES_FILE, finished_folder, unused_name
from cyclometer.store.reader import list_runs
from cyclometer.store.runfile import read_run_info, write_run_info
from cyclometer.store.schema import SMALL_TABLES

FILES = (RUN_FILE, SAMPLES_FILE, DIGESTS_FILE, *(f"{name}.parquet" for name in SMALL_TABLES))
"""The files of a complete run."""


def run_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a complete run by name, verified; `StorageFailed` if one is missing or damaged."""
    files = {}
    for name in FILES:
        with storage("read", folder / name):
            files[name] = (folder / name).read_bytes()
    verify(folder, [name for name in FILES if name != DIGESTS_FILE], read_digests(folder) or {}, thorough=True)
    return files


def add_run(results: Path, files: Mapping[str, bytes]) -> Path:
    """Store a complete run under its machine, by another name if its own is taken; return its folder.

    A run that is there already stays as it is. `StorageFailed` if a file is missing, unknown or damaged, or if the run
    is not complete; nothing is stored then.
    """
    if unknown := set(files) ^ set(FILES):
        raise StorageFailed(f"a run that arrived lacks {min(unknown)} or has it beyond its files; send it again")
    arriving = results / f".arriving.{os.getpid()}"
    shutil.rmtree(arriving, ignore_errors=True)
    try:
        with storage("write", arriving):
            arriving.mkdir(parents=True)
            for name, content in files.items():
                (arriving / name).write_bytes(content)
        verify(arriving, [n for n in FILES if n != DIGESTS_FILE], read_digests(arriving) or {}, thorough=True)
        return _placed(results, arriving)
    finally:
        shutil.rmtree(arriving, ignore_errors=True)


def samples_by_identity(results: Path) -> dict[str, str]:
    """Return the digest of the samples of each complete run that is stored, by the run's id."""
    stored = [entry for entry in list_runs(results) if entry.info and entry.state == "complete"]
    return {entry.info.id: _samples_of(entry.folder) for entry in stored if entry.info and entry.info.id}


def _samples_of(folder: Path) -> str:
    return (read_digests(folder) or {}).get(SAMPLES_FILE, ("",))[-1]


def _placed(results: Path, arriving: Path) -> Path:
    info = read_run_info(arriving / RUN_FILE)
    if not info.finished:
        raise StorageFailed(f"run {info.run} of {info.machine} is not complete; only complete runs are sent")
    for stored in list_runs(results):
        if stored.info and stored.info.id == info.id and stored.state == "complete":
            if _samples_of(stored.folder) == _samples_of(arriving):
                return stored.folder
            if info.id:
                raise StorageFailed(
                    f"a run that arrived has the id of {stored.folder}, but other samples; remove one of them"
                )
    name = unused_name(results, info.machine, info.run)
    if name != info.run:
        recorded_as = info.recorded_as or (info.run, info.machine)
        write_run_info(arriving / RUN_FILE, replace(info, run=name, recorded_as=recorded_as))
        digests = read_digests(arriving) or {}
        write_digests(arriving, {file: listed[-1] for file, listed in digests.items()})
    target = finished_folder(results, info.machine, name)
    with storage("write", target):
        target.parent.mkdir(parents=True, exist_ok=True)
    rename_folder(arriving, target)
    return target
