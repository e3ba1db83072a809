# SPDX-License-Identifier: MIT OR Apache-2.0
"""The data of a web report: stored runs, with the titles and views that this tree declares."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import cache, partial

from cyclometer import paths
from cyclometer.analyse.site_data import ANY_SECURITY, SecurityFilter, SiteData, site_data
from cyclometer.analyse.traffic_rows import Traffic
from cyclometer.cli._systems import declared
from cyclometer.discover import discover, foreign_operations
from cyclometer.discover.published import has_published, read_published
from cyclometer.protocols.results import study_results
from cyclometer.store import StoredRun
from cyclometer.untrusted import MAX_HEADER, read_text
from cyclometer.workload import OPERATION, RESAMPLES, find_workload, shipped


def site_data_of(
    stored: Sequence[StoredRun], *, least: SecurityFilter = ANY_SECURITY, threads: int | None = None
) -> AbstractContextManager[SiteData]:
    """Return the data of these runs as a context that the builder of the site enters."""
    foreign = partial(foreign_operations, paths.root())
    published = read_published(paths.root()) if has_published(paths.root()) else None
    return site_data(
        stored,
        declared,
        foreign,
        _traffic,
        least=least,
        threads=threads,
        published=published,
        studies=partial(study_results, stored),
    )


@cache
def _traffic() -> Traffic:
    """Return the workloads of this tree, and what it declares of the systems that they rank."""
    tree = paths.root()
    files = shipped(tree)
    loads = [find_workload(name, tree) for name in files]
    return Traffic(
        operation=OPERATION,
        presets={name: read_text(file, limit=MAX_HEADER) for name, file in files.items()},
        lengths={length for load in loads for length, _ in load.packets},
        systems={
            primitive.name: {**primitive.facts, **primitive.sizes, "associated_data": primitive.associated_data}
            for primitive in discover(tree).primitives.values()
            if primitive.operation == OPERATION
        },
        resamples=RESAMPLES,
    )
