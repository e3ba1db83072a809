# SPDX-License-Identifier: MIT OR Apache-2.0
"""The libraries that a foreign tree's includes ask for: adapters/<kind>/libraries.toml."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from cyclometer.discover import declarations as declare
from cyclometer.model import Carried

SYSTEM_HEADERS = (Path("/usr/include"), Path("/usr/local/include"))


def wanted(headers: Iterable[str], adapter: Path) -> dict[str, declare.ForeignLibrary]:
    """Those of which a header is included, by name."""
    known = {
        name: declare.validated(declare.ForeignLibrary, value, adapter / "libraries.toml")
        for name, value in declare.read_toml(adapter / "libraries.toml").items()
    }
    tops = {name.split("/")[0] for name in headers}
    return {name: library for name, library in known.items() if tops.intersection(library.headers)}


def carried(libraries: dict[str, declare.ForeignLibrary], root: Path, adapter: Path) -> Iterator[Carried]:
    """Those whose sources stand in the tree and can be built here."""
    for name, library in libraries.items():
        if library.carried and (root / library.carried).is_dir() and all(map(shutil.which, library.tools)):
            recipe = adapter / "libraries" / f"{name}.sh"
            yield Carried(name=name, folder=root / library.carried, recipe=recipe)


def lacking(libraries: dict[str, declare.ForeignLibrary]) -> str:
    """'' unless there is one that pkg-config does not know and whose headers are not there."""
    for name, library in libraries.items():
        places = [folder / header for folder in SYSTEM_HEADERS for header in library.headers]
        if not library.packages and not any(place.exists() for place in places):
            return f"needs the library {name} (Debian: {library.debian})"
    return ""
