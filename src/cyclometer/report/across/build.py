# SPDX-License-Identifier: MIT OR Apache-2.0
"""The build of a site over many machines: database, pages, and the exchange of the old folder for the new one."""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from cyclometer.analyse.across import Across, changes_since
from cyclometer.analyse.across.changes import HEADLINES, headlines_of, write_headlines
from cyclometer.analyse.site_data import RunFolder
from cyclometer.errors import on_disk
from cyclometer.records.columns import Row
from cyclometer.report.across.pages import AcrossSite, pages
from cyclometer.report.across.releases import Release, list_releases, release_headlines, runs_csv
from cyclometer.report.site import assets
from cyclometer.report.site.build import MARKER, written_whole
from cyclometer.report.site.render import templates
from cyclometer.report.site.slugs import slug

NAVIGATION = (("Overview", "index.html"), ("Machines", "machines.html"), ("Downloads", "downloads.html"))

Lines = Callable[[RunFolder], Path]
"""Returns the file of a run's SUPERCOP data lines, compressed."""


@dataclass(frozen=True, kw_only=True)
class Database:
    """What can be downloaded besides the headlines."""

    runs: Sequence[RunFolder]
    newest: Sequence[RunFolder]  # of each machine
    lines: Lines


@dataclass(frozen=True, kw_only=True)
class AcrossSummary:
    """What a build wrote."""

    folder: Path
    pages: int
    largest: int  # bytes of the largest page
    orders: int  # pairs at points whose order differs


def build_across(
    across: Across,
    database: Database,
    folder: Path,
    *,
    releases: Path | None = None,
    reports: Mapping[str, str] = MappingProxyType({}),
) -> AcrossSummary:
    """Write the site to `folder`, whole or not at all, and replace an older one there.

    `releases` is the folder of the releases, `reports` maps machines to the addresses of reports on their newest runs.
    """
    with written_whole(folder) as fresh:
        summary = _fill(across, database, fresh, releases, reports)
    return AcrossSummary(**{**vars(summary), "folder": folder})


def digests_of(runs: Sequence[RunFolder]) -> list[tuple[str, str, str]]:
    """Return (machine, run, SHA-256 of its SHA256SUMS); '' where a run of an older format has none."""
    found = []
    for entry in runs:
        sums = entry.folder / "SHA256SUMS"
        digest = hashlib.sha256(sums.read_bytes()).hexdigest() if sums.exists() else ""
        found.append((entry.machine, entry.run, digest))
    return found


def _fill(
    across: Across, database: Database, folder: Path, releases: Path | None, reports: Mapping[str, str]
) -> AcrossSummary:
    listed: list[Release] = list_releases(releases) if releases else []
    headlines = headlines_of(across)
    changes = changes_since(release_headlines(releases, listed[0]), headlines) if releases and listed else None
    site = AcrossSite(across, listed, changes, (), across.notes, reports)
    with on_disk("write", folder):
        site.database = _write_database(site, database, headlines, folder)
        if releases and listed:
            shutil.copytree(releases, folder / "releases", ignore=shutil.ignore_patterns(".*"))
        assets.write(folder, live=False)
        sizes = _write_pages(site, folder)
        (folder / MARKER).write_text(json.dumps({"format": 1, "runs": []}) + "\n", encoding="utf-8")
    return AcrossSummary(
        folder=folder, pages=len(sizes), largest=max(sizes), orders=sum(map(len, site.orders.values()))
    )


def _write_pages(site: AcrossSite, folder: Path) -> list[int]:
    environment = templates()
    environment.globals.update(site=site, across=site.across, navigation=NAVIGATION)
    sizes = []
    for page in pages(site):
        depth = page.path.count("/")
        content = environment.get_template(page.template).render(page=page, root="../" * depth, **page.values)
        path = folder / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        sizes.append(path.write_text(content, encoding="utf-8"))
    return sizes


def _write_database(
    site: AcrossSite, database: Database, headlines: Sequence[Row], folder: Path
) -> list[tuple[str, int, str]]:
    """Write the files for download; return path, size and content of each."""
    target = folder / "database"
    target.mkdir()
    write_headlines(target / "headlines.parquet", headlines)
    with gzip.open(target / "headlines.csv.gz", "wt", encoding="utf-8", newline="") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([[*HEADLINES], *(map(_word, row.values()) for row in headlines)])
    with gzip.open(target / "orders.csv.gz", "wt", encoding="utf-8", newline="") as text:
        _write_orders(site, csv.writer(text, lineterminator="\n"))
    (target / "runs.csv").write_bytes(runs_csv(site.across, digests_of(database.runs)))
    with (target / "supercop-data.txt.gz").open("wb") as joined:
        for entry in database.newest:
            joined.write(database.lines(entry).read_bytes())  # gzip files one after another are one gzip file
    for entry in database.runs:
        _link(entry, target / "runs" / slug(entry.machine) / slug(entry.run))
    about = {
        "headlines.parquet": "every number of the tables, with interval, tuning and A/A spread",
        "headlines.csv.gz": "the same as CSV",
        "orders.csv.gz": "every pair of systems whose order differs by machine",
        "runs.csv": "all runs with their digests; the files of each are below runs/",
        "supercop-data.txt.gz": "the newest run of each machine as SUPERCOP data lines, raw timings included",
    }
    return [(f"database/{name}", (target / name).stat().st_size, text) for name, text in about.items()]


def _word(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _write_orders(site: AcrossSite, writer: csv.Writer) -> None:  # type: ignore[name-defined]
    columns = ("operation", "measure", "length", "first", "second", "ahead", "behind", "ties", "best", "worst")
    writer.writerow(columns)
    for operation, found in site.orders.items():
        for each in found:
            place = (operation, each.point.measure, each.point.length, each.first, each.second)
            machines = (" ".join(each.ahead), " ".join(each.behind), each.ties)
            writer.writerow([*place, *machines, f"{each.best:.4g}", f"{each.worst:.4g}"])


def _link(entry: RunFolder, target: Path) -> None:
    """Make the files of a run appear in the site without a second copy on the disk, if that is possible."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(entry.folder.iterdir()):
        if path.suffix in {".parquet", ".json"} or path.name == "SHA256SUMS":
            try:
                os.link(path, target / path.name)
            except OSError:
                shutil.copyfile(path, target / path.name)
