# SPDX-License-Identifier: MIT OR Apache-2.0
"""The data behind the pages, as files: the runs and the tables."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer.analyse.site_data import RunFolder
from cyclometer.errors import on_disk
from cyclometer.records.table import Report
from cyclometer.report import format_names, reporter
from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.slugs import slug

TITLE = "Downloads"
PLACE = 9
ADDRESS = "downloads.html"

LARGE = 500_000
"""Bytes above which a text file is compressed."""

SUFFIXES = {"csv": "csv", "json": "json", "markdown": "md", "latex": "tex"}


@dataclass(frozen=True, kw_only=True)
class File:
    """One file in the folder downloads/."""

    path: str
    name: str
    bytes: int
    about: str = ""


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield one page, and write the files that it links to."""
    runs = [(entry, _run(entry, folder) if site.with_raw else []) for entry in site.material.stored]
    values = {"tables": _tables(site, folder), "runs": runs}
    yield Page(path=ADDRESS, template="downloads.html", title="Downloads", values=values)


def _tables(site: Site, folder: Path) -> list[File]:
    """Write all tables in every file format; return the files."""
    material = site.material
    report = Report(tables=material.tables, failures=material.failures, notes=material.notes, verbose=True)
    files = []
    for name in format_names():
        if name in SUFFIXES:
            path = folder / "downloads" / f"tables.{SUFFIXES[name]}"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", encoding="utf-8", newline="") as stream:
                reporter(name)(report, stream)
            files.append(_file(folder, path))
    foreign = [replace(_file(folder, folder / "downloads" / name), about=about) for name, about in site.foreign.items()]
    return [_compressed(folder, file) if file.bytes > LARGE else file for file in (*files, *foreign)]


def _compressed(folder: Path, file: File) -> File:
    """Replace a file by its compressed form; the same content gives the same bytes."""
    path = folder / file.path
    small = path.with_name(f"{path.name}.gz")
    with (
        path.open("rb") as source,
        small.open("wb") as target,
        gzip.GzipFile("", "wb", compresslevel=6, fileobj=target, mtime=0) as stream,
    ):
        shutil.copyfileobj(source, stream)
    path.unlink()
    return replace(_file(folder, small), about=file.about)


def _run(entry: RunFolder, folder: Path) -> list[File]:
    """Copy the files of a complete run; a run in progress is still changing."""
    if entry.state != "complete":
        return []
    target = folder / "downloads" / slug(entry.machine) / slug(entry.run)
    target.mkdir(parents=True, exist_ok=True)
    files = []
    with on_disk("read", entry.folder):
        for path in sorted(entry.folder.iterdir()):
            if path.suffix in {".parquet", ".json"} or path.name == "SHA256SUMS":
                shutil.copyfile(path, target / path.name)
                files.append(_file(folder, target / path.name))
    return files


def _file(folder: Path, path: Path) -> File:
    return File(path=path.relative_to(folder).as_posix(), name=path.name, bytes=path.stat().st_size)
