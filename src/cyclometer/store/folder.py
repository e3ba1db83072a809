# SPDX-License-Identifier: MIT OR Apache-2.0
"""The folders of runs: <results>/<machine>/<run>, or .<run>.partial while a run is incomplete.

A run starts as .<run>.starting, which no reader sees, and becomes .<run>.partial together with its run.json.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from cyclometer.errors import StorageFailed
from cyclometer.untrusted import shortened

RUN_FILE = "run.json"
SAMPLES_FILE = "samples.parquet"
PARTS = "parts"
LOCK_FILE = "lock"
DIGESTS_FILE = "SHA256SUMS"
PARTIAL_SUFFIX = ".partial"
STARTING_SUFFIX = ".starting"
MAX_NAME = 200  # bytes of the name of a run or a machine, to which suffixes are added


def results_folder(argument: Path | str | None = None) -> Path:
    """Return the folder of all runs: the argument, else $CYCLOMETER_RESULTS, else ./results."""
    return Path(argument or os.environ.get("CYCLOMETER_RESULTS") or "results")


def finished_folder(results: Path, machine: str, run: str) -> Path:
    """Return the folder of a complete run; `StorageFailed` if a name cannot name a folder."""
    return results / _folder_name("machine", machine) / _folder_name("run", run)


def partial_folder(results: Path, machine: str, run: str) -> Path:
    """Return the folder of a run that is under way or interrupted."""
    finished = finished_folder(results, machine, run)
    return finished.with_name(f".{finished.name}{PARTIAL_SUFFIX}")


def numbered(name: str) -> Iterator[str]:
    """Yield the name, then the name with -2, -3 ... appended."""
    yield name
    for number in itertools.count(2):
        yield f"{name}-{number}"


def unused_name(results: Path, machine: str, run: str) -> str:
    """Return the run's name, numbered if a run of that name exists (two started in the same second)."""
    folders = (finished_folder, partial_folder)
    return next(
        name for name in numbered(run) if not any(folder_of(results, machine, name).exists() for folder_of in folders)
    )


def is_partial(folder: Path) -> bool:
    """Return whether a folder's name is that of an incomplete run."""
    return folder.name.startswith(".") and folder.name.endswith(PARTIAL_SUFFIX)


def run_name(folder: Path) -> str:
    """Return the run's name from the name of its folder, complete or not."""
    return folder.name[1 : -len(PARTIAL_SUFFIX)] if is_partial(folder) else folder.name


def _folder_name(kind: str, name: str) -> str:
    if not name.isprintable() or not name or name[0] == "." or "/" in name or len(name.encode()) > MAX_NAME:
        advice = f"choose one of at most {MAX_NAME} bytes without '/', control characters or a leading dot"
        raise StorageFailed(f"{kind} name {shortened(ascii(name))} cannot name a folder; {advice}")
    return name
