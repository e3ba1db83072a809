# SPDX-License-Identifier: MIT OR Apache-2.0
"""The catalogue of this repository, read once for all tests of a process: reading takes a quarter of a second."""

from __future__ import annotations

from functools import cache

from cyclometer.discover import discover
from cyclometer.records.catalogue import Catalogue
from support.small_tree import REPOSITORY


@cache
def our_catalogue() -> Catalogue:
    """Return what `discover` finds in the repository."""
    return discover(REPOSITORY)
