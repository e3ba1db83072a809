# SPDX-License-Identifier: MIT OR Apache-2.0
"""Where runs live: <results>/<machine>/<run>, and .<run>.partial while one is under way."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

from cyclometer.errors import StorageFailed

RUN_FILE = "run.json"
SAMPLES_FILE = "samples.parquet"
PARTS = "parts"
LOCK_FILE = "lock"
PARTIAL_SUFFIX = ".partial"


def results_folder(argument: Path | str | None = None) -> Path:
    """The folder all runs live in: the argument, else $CYCLOMETER_RESULTS, else ./results."""
    return Path(argument or os.environ.get("CYCLOMETER_RESULTS") or "results")


def finished_folder(results: Path, machine: str, run: str) -> Path:
    """Where a complete run stands."""
    return results / _plain("machine", machine) / _plain("run", run)


def partial_folder(results: Path, machine: str, run: str) -> Path:
    """Where a run stands while it is under way or interrupted."""
    finished = finished_folder(results, machine, run)
    return finished.with_name(f".{finished.name}{PARTIAL_SUFFIX}")


def numbered(name: str) -> Iterator[str]:
    """The name, then with -2, -3 ... behind it."""
    yield name
    for number in itertools.count(2):
        yield f"{name}-{number}"


def unused_name(results: Path, machine: str, run: str) -> str:
    """The run's name, numbered where a run of that name stands already (of the same second)."""
    places = (finished_folder, partial_folder)
    return next(name for name in numbered(run) if not any(place(results, machine, name).exists() for place in places))


def is_partial(folder: Path) -> bool:
    """Whether a folder's name is that of a run that is not complete."""
    return folder.name.startswith(".") and folder.name.endswith(PARTIAL_SUFFIX)


def run_name(folder: Path) -> str:
    """The run's name from its folder's name, complete or not."""
    return folder.name[1 : -len(PARTIAL_SUFFIX)] if is_partial(folder) else folder.name


def _plain(kind: str, name: str) -> str:
    if not name or name.startswith(".") or "/" in name or "\0" in name:
        raise StorageFailed(f"{kind} name {name!r} cannot name a folder; choose one without '/' or a leading dot")
    return name
