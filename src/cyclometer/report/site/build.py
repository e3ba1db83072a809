# SPDX-License-Identifier: MIT OR Apache-2.0
"""The build of a site: gather the data of runs, write data files, render pages, replace the old folder."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from cyclometer.analyse.site_data import SiteData
from cyclometer.errors import CyclometerError, on_disk
from cyclometer.report.site import assets, pages
from cyclometer.report.site.curves import write_curves
from cyclometer.report.site.export_files import write_foreign
from cyclometer.report.site.placement import write_placement
from cyclometer.report.site.render import Renderer
from cyclometer.report.site.site import Site
from cyclometer.report.site.traffic import write_traffic

MARKER = "cyclometer-report.json"
"""The file that marks a folder as a report; only such a folder, or an empty one, is replaced."""

Stage = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""A report of progress: a title and a number of steps; yields the function to call after each."""


@contextmanager
def silent_stage(title: str, steps: int) -> Iterator[Callable[[], None]]:
    """Report nothing."""
    yield lambda: None


@dataclass(frozen=True, kw_only=True)
class Summary:
    """What a build wrote."""

    folder: Path
    pages: int
    systems: int
    timings: int
    bytes: int
    notes: tuple[str, ...]


def build_site(
    opening: AbstractContextManager[SiteData],
    folder: Path,
    *,
    live: bool = False,
    with_raw: bool = True,
    stage: Stage = silent_stage,
) -> Summary:
    """Write the report to `folder`, whole or not at all, and replace an older report there.

    `opening` is entered once the folder is known to be usable, and `stage` is told of the progress. Raises
    `CyclometerError` if the folder is not usable.
    """
    with written_whole(folder) as fresh:
        summary = _fill(opening, fresh, live=live, with_raw=with_raw, stage=stage)
    return Summary(**{**vars(summary), "folder": folder})


@contextmanager
def written_whole(folder: Path) -> Iterator[Path]:
    """Yield an empty folder beside `folder`, which it replaces if the block ends well; else nothing is left of it."""
    check_target(folder)
    fresh = folder.with_name(f".{folder.name}.making")
    with on_disk("write", folder):
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
    try:
        yield fresh
        with on_disk("write", folder):
            replace_folder(fresh, folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def check_target(folder: Path) -> None:
    """Raise `CyclometerError` if `folder` is a file or holds anything but a report."""
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).exists():
        raise CyclometerError(
            f"{folder} is not empty and was not written by `cyclometer report`; choose another folder with -o"
        )
    if folder.exists() and not folder.is_dir():
        raise CyclometerError(f"{folder} is a file; choose a folder with -o")


def runs_of_report(folder: Path) -> list[str]:
    """Return the names of the runs that the report in a folder is about; none if there is no report."""
    try:
        return list(json.loads((folder / MARKER).read_text(encoding="utf-8"))["runs"])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def replace_folder(fresh: Path, folder: Path) -> None:
    """Replace `folder` by `fresh`; readers see the old or the new one, except for an instant between two renames."""
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _fill(
    opening: AbstractContextManager[SiteData], folder: Path, *, live: bool, with_raw: bool, stage: Stage
) -> Summary:
    with ExitStack() as opened:
        with stage("reading runs", 1) as step:
            data = opened.enter_context(opening)
            step()
        material = data.material
        with stage("writing data files", sum(len(system.machines) for system in material.systems)) as step:
            curves = write_curves(data, folder, step, with_raw=with_raw)
        write_placement(data, folder)
        has_traffic = write_traffic(data, folder)
        foreign = {} if live else write_foreign(data, folder)
    site = Site(
        material=material,
        curves=tuple(curves),
        foreign=foreign,
        live=live,
        with_raw=with_raw,
        has_traffic=has_traffic,
    )
    with on_disk("write", folder):
        assets.write(folder, live=live)
        renderer = Renderer(site, folder)
        with stage("writing pages", len(material.systems)) as step:
            made = []
            for page in itertools.chain.from_iterable(kind.pages(site, folder) for kind in pages.kinds()):
                made.append(renderer.write(page))
                if "system" in page.values:
                    step()
        (folder / MARKER).write_text(json.dumps({"format": 1, "runs": [info.run for info in material.infos]}) + "\n")
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return Summary(
        folder=folder,
        pages=len(made),
        systems=len(material.systems),
        timings=sum(entry.timings for entries in material.noise.values() for entry in entries),
        bytes=size,
        notes=material.notes,
    )
