# SPDX-License-Identifier: MIT OR Apache-2.0
"""The data of a web report: stored runs, with the titles and views that this tree declares."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from functools import partial

from cyclometer import paths
from cyclometer.analyse.site_data import ANY_SECURITY, SecurityFilter, SiteData, site_data
from cyclometer.cli._systems import declared
from cyclometer.discover import foreign_operations
from cyclometer.discover.published import has_published, read_published
from cyclometer.store import StoredRun


def site_data_of(
    stored: Sequence[StoredRun], *, least: SecurityFilter = ANY_SECURITY, threads: int | None = None
) -> AbstractContextManager[SiteData]:
    """Return the data of these runs as a context that the builder of the site enters."""
    foreign = partial(foreign_operations, paths.root())
    published = read_published(paths.root()) if has_published(paths.root()) else None
    return site_data(stored, declared, foreign, least=least, threads=threads, published=published)
