# SPDX-License-Identifier: MIT OR Apache-2.0
"""The kinds of pages, one module per kind; nothing lists them.

A module has TITLE, PLACE (its position in the navigation, 0 = not in it), ADDRESS
(the path of its page, if it is in the navigation) and

    def pages(site: Site, folder: Path) -> Iterator[Page]

`folder` is the folder of the site, for pages that write files of their own.
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
    """The interface of such a module."""

    TITLE: str
    PLACE: int
    ADDRESS: str

    def pages(self, site: Site, folder: Path) -> Iterable[Page]: ...


def kinds() -> list[Kind]:
    """Return the modules of this package whose names do not begin with an underscore, by PLACE."""
    names = [module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")]
    modules = [cast(Kind, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return sorted(modules, key=lambda kind: (kind.PLACE or 99, kind.TITLE))
