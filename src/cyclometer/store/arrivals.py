# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs that come from another machine: taken whole and verified, or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.errors import StorageFailed, UnusableRun
from cyclometer.records.run import RunInfo
from cyclometer.store.digests import read_digests, verify, write_digests
from cyclometer.store.files import rename_folder, storage
from cyclometer.store.folder import DIGESTS_FILE, RUN_FILE, SAMPLES_FILE, finished_folder, unused_name
from cyclometer.store.reader import list_runs
from cyclometer.store.runfile import read_run_info, write_run_info
from cyclometer.store.schema import SMALL_TABLES, files_of_tables
from cyclometer.store.stored_run import StoredRun
from cyclometer.untrusted import shortened

FILES = (RUN_FILE, SAMPLES_FILE, DIGESTS_FILE, *(f"{name}.parquet" for name in SMALL_TABLES))
"""The files of a complete run."""


def wrong_files(names: Iterable[str]) -> list[str]:
    """Return what a complete run lacks among files with these names, and what does not belong to it; sorted."""
    present = set(names)
    return sorted(present ^ {RUN_FILE, SAMPLES_FILE, DIGESTS_FILE, *files_of_tables(present)})


def run_files(folder: Path) -> dict[str, bytes]:
    """Return the files of a complete run by name, verified; `StorageFailed` if one is missing or damaged."""
    digests = read_digests(folder) or {}
    names = [RUN_FILE, SAMPLES_FILE, *files_of_tables(digests)]
    files = {}
    for name in (*names, DIGESTS_FILE):
        with storage("read", folder / name):
            files[name] = (folder / name).read_bytes()
    verify(folder, names, digests, thorough=True)
    return files


def add_run(results: Path, files: Mapping[str, bytes], machine: str = "") -> Path:
    """Store a complete run under its machine, by another name if its own is taken; return its folder.

    A run that is there already stays as it is. `UnusableRun` if a file is missing, unknown or damaged, if the run is
    not complete, or not of the `machine` that was asked for it; `StorageFailed` if the disk does not take it. Nothing
    is stored then.
    """
    if wrong := wrong_files(files):
        raise UnusableRun(f"a run that arrived lacks {wrong[0]} or has it beyond its files; send it again")
    arriving = results / f".arriving.{os.getpid()}"
    shutil.rmtree(arriving, ignore_errors=True)
    try:
        with storage("write", arriving):
            arriving.mkdir(parents=True)
            for name, content in files.items():
                (arriving / name).write_bytes(content)
        with _blamed_on_the_sender(arriving):
            info = _examined(arriving, machine)
        return _known(results, arriving, info) or _placed(results, arriving, info)
    finally:
        shutil.rmtree(arriving, ignore_errors=True)


@contextmanager
def _blamed_on_the_sender(arriving: Path) -> Iterator[None]:
    """Name the files of a run that is wrong without the temporary folder, and say that it will never be right."""
    try:
        yield
    except StorageFailed as error:
        raise UnusableRun(str(error).replace(str(arriving), "a run that arrived")) from None


def _examined(arriving: Path, machine: str) -> RunInfo:
    """Return what a run says of itself, after its files were found to be as they were stored."""
    digests = read_digests(arriving) or {}
    tables = files_of_tables({*digests, *os.listdir(arriving)})
    verify(arriving, [RUN_FILE, SAMPLES_FILE, *tables], digests, thorough=True)
    info = read_run_info(arriving / RUN_FILE)
    if not info.finished:
        raise StorageFailed(f"run {info.run} of {info.machine} is not complete; only complete runs are sent")
    if machine and info.machine != machine:
        raise StorageFailed(f"{machine} was asked for a run, and sent one of {shortened(info.machine)}")
    finished_folder(arriving, info.machine, info.run)  # are they names of folders?
    return info


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What tells a run from others: its id, the digest of its samples, and the names of its machine."""

    id: str
    samples: str
    machines: frozenset[str]

    def difference(self, other: Identity) -> str:
        """Say what differs in another run with the same id; '' if it is the same run."""
        if other.samples != self.samples:
            return "other samples"
        return "" if other.machines & self.machines else "another machine"


def stored_identities(results: Path) -> dict[str, Identity]:
    """Return the identity of each complete run that is stored, by the run's id."""
    found: dict[str, Identity] = {}
    for entry in list_runs(results):
        if entry.info and entry.info.id and entry.state == "complete":
            found.setdefault(entry.info.id, _identity_here(entry))
    return found


def _identity_here(stored: StoredRun) -> Identity:
    """Return the identity of a stored run, with all names that its machine has had here."""
    assert stored.info
    machines = frozenset({stored.machine, stored.info.machine, stored.recorded_as[1]})
    return Identity(id=stored.info.id, samples=_samples_of(stored.folder), machines=machines)


def _samples_of(folder: Path) -> str:
    return (read_digests(folder) or {}).get(SAMPLES_FILE, ("",))[-1]


def _known(results: Path, arriving: Path, info: RunInfo) -> Path | None:
    """Return where a run is stored already, None if it is not; `UnusableRun` if another has its id."""
    identity = Identity(id=info.id, samples=_samples_of(arriving), machines=frozenset({info.machine}))
    for stored in list_runs(results):
        if not stored.info or stored.info.id != info.id or stored.state != "complete":
            continue
        difference = _identity_here(stored).difference(identity)
        if not difference:
            return stored.folder
        if info.id:
            raise UnusableRun(f"a run that arrived has the id of {stored.folder}, but {difference}; remove one of them")
    return None


def _placed(results: Path, arriving: Path, info: RunInfo) -> Path:
    """Move a run to its place."""
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
