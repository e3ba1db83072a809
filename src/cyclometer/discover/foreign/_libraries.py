# SPDX-License-Identifier: MIT OR Apache-2.0
"""The libraries that a foreign tree's includes ask for: adapters/<kind>/libraries.toml."""

from __future__ import annotations

import shutil
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from cyclometer.discover import schema as declare
from cyclometer.records.catalogue import VendoredLibrary

SYSTEM_HEADERS = (Path("/usr/include"), Path("/usr/local/include"))


def known(adapter: Path) -> dict[str, declare.ForeignLibrary]:
    """All that the adapter names."""
    file = adapter / "libraries.toml"
    return {
        name: declare.validated(declare.ForeignLibrary, value, file) for name, value in declare.read_toml(file).items()
    }


def wanted(headers: Iterable[str], adapter: Path) -> dict[str, declare.ForeignLibrary]:
    """Those of which a header is included, by name."""
    tops = {name.split("/")[0] for name in headers}
    return {name: library for name, library in known(adapter).items() if tops.intersection(library.headers)}


def vendored(asked: Container[str], root: Path, adapter: Path) -> Iterator[VendoredLibrary]:
    """Those whose sources stand in the tree and can be built here; `asked`: what includes want."""
    for name, library in known(adapter).items():
        if library.carried and (root / library.carried).is_dir() and all(map(shutil.which, library.tools)):
            recipe = adapter / "libraries" / f"{name}.sh"
            yield VendoredLibrary(name=name, folder=root / library.carried, recipe=recipe, asked=name in asked)


def lacking(libraries: dict[str, declare.ForeignLibrary]) -> str:
    """'' unless there is one that pkg-config does not know and whose headers are not there."""
    for name, library in libraries.items():
        places = [folder / header for folder in SYSTEM_HEADERS for header in library.headers]
        if not library.packages and not any(place.exists() for place in places):
            return f"needs the library {name} (Debian: {library.debian})"
    return ""
