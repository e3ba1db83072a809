# SPDX-License-Identifier: MIT OR Apache-2.0
"""Releases of a collection: dated, citable states of it that never change."""

from __future__ import annotations

import csv
import datetime
import hashlib
import io
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from cyclometer.analyse.across import Across
from cyclometer.analyse.across.changes import headlines_of, read_headlines, write_headlines
from cyclometer.errors import CyclometerError, StorageFailed, on_disk
from cyclometer.records.columns import Row

FACTS, HEADLINES, RUNS = "release.json", "headlines.parquet", "runs.csv"


@dataclass(frozen=True, kw_only=True)
class Release:
    """A release, as its release.json says."""

    date: str  # 2026-11-25
    title: str
    machines: int
    systems: int
    runs: int
    sha256: str  # of runs.csv, which has the digest of every run

    @property
    def citation(self) -> str:
        """Return how to cite it."""
        return (
            f"{self.title}. Release of {self.date}: {self.runs} runs of {self.systems} systems on {self.machines} "
            f"machines. SHA-256 of the list of runs: {self.sha256}."
        )


def write_release(across: Across, digests: Sequence[tuple[str, str, str]], folder: Path, title: str) -> Release:
    """Write a release of today into `folder`; `digests` are (machine, run, SHA-256) of all runs."""
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    target, making = folder / date, folder / f".{date}"
    if target.exists():
        raise CyclometerError(f"there is a release of {date} already; a release never changes, make the next tomorrow")
    runs = runs_csv(across, digests)
    systems = {(operation.name, system) for operation in across.operations for system in operation.systems}
    release = Release(
        date=date,
        title=title,
        machines=len(across.machines),
        systems=len(systems),
        runs=len(digests),
        sha256=hashlib.sha256(runs).hexdigest(),
    )
    with on_disk("write", target):
        shutil.rmtree(making, ignore_errors=True)
        making.mkdir(parents=True)
        write_headlines(making / HEADLINES, headlines_of(across))
        (making / RUNS).write_bytes(runs)
        (making / FACTS).write_text(json.dumps(asdict(release), indent=1) + "\n", encoding="utf-8")
        making.rename(target)
    return release


def list_releases(folder: Path) -> list[Release]:
    """Return all releases, the newest first."""
    found = []
    for file in sorted(folder.glob(f"[0-9]*/{FACTS}"), reverse=True):
        try:
            found.append(Release(**json.loads(file.read_text(encoding="utf-8"))))
        except (OSError, ValueError, TypeError):
            raise StorageFailed(f"{file} is not a release; restore it from a copy") from None
    return found


def release_headlines(folder: Path, release: Release) -> list[Row]:
    """Return the headlines that a release keeps."""
    with on_disk("read", folder / release.date / HEADLINES):
        return read_headlines(folder / release.date / HEADLINES)


def runs_csv(across: Across, digests: Sequence[tuple[str, str, str]]) -> bytes:
    """Return the list of runs: machine, run, start, CPU, version, and the SHA-256 of its SHA256SUMS."""
    infos = {(info.machine, info.run): info for info in across.infos}
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["machine", "run", "started", "cpu", "version", "sha256sums"])
    for machine, run, digest in digests:
        info = infos[machine, run]
        writer.writerow([machine, run, info.started.isoformat(), info.facts.get("cpu", ""), info.version, digest])
    return stream.getvalue().encode()
