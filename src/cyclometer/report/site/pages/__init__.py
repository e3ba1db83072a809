# SPDX-License-Identifier: MIT OR Apache-2.0
"""Kinds of pages, one a module; nothing lists them.

A module has TITLE and PLACE (in the navigation: by number, 0 = not there), ADDRESS
(of its page, where it is in the navigation) and

    def pages(site: Site, folder: Path) -> Iterator[Page]

`folder` is the site being made, for a page that has files of its own.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from cyclometer.report.site.site import Page, Site


class Kind(Protocol):
    """What such a module has."""

    TITLE: str
    PLACE: int
    ADDRESS: str

    def pages(self, site: Site, folder: Path) -> Iterable[Page]: ...


def kinds() -> list[Kind]:
    """All modules of this package whose names have no underscore in front, by place."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")]
    found = [cast(Kind, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return sorted(found, key=lambda kind: (kind.PLACE or 99, kind.TITLE))
