# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which systems a campaign is about, before anything is prepared for it."""

from __future__ import annotations

from pathlib import Path

from cyclometer import paths
from cyclometer.campaign.options import Options
from cyclometer.discover import adapt, discover, recognise
from cyclometer.records.catalogue import Catalogue


def catalogue_of(options: Options) -> Catalogue:
    """Return our own catalogue, or the one of the foreign tree that the options name."""
    native = discover(paths.root())
    if not options.tree:
        return native
    return adapt(native, recognise(Path(options.tree)), options.systems, paths.root() / "adapters")[0]
