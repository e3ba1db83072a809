# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which systems a campaign is about, and whether they are many."""

from __future__ import annotations

from pathlib import Path

from cyclometer import paths
from cyclometer.campaign.options import Options
from cyclometer.choose import MAX_EXHAUSTIVE_SYSTEMS
from cyclometer.discover import adapt, discover, recognise, select
from cyclometer.records.catalogue import Catalogue


def catalogue_of(options: Options) -> Catalogue:
    """Return our own catalogue, or the one of the foreign tree that the options name."""
    native = discover(paths.root())
    if not options.tree:
        return native
    return adapt(native, recognise(Path(options.tree)), options.systems, paths.root() / "adapters")[0]


def is_large(catalogue: Catalogue, options: Options) -> bool:
    """Return whether a campaign has so many systems that each of them has less time.

    Those that are selected count, whether or not they prove to work. `UnknownName` for a system that there is not.
    """
    return len(select(catalogue, options.systems)) > MAX_EXHAUSTIVE_SYSTEMS
