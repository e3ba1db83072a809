# SPDX-License-Identifier: MIT OR Apache-2.0
"""The libraries that a foreign tree's sources include: adapters/<kind>/libraries.toml."""

from __future__ import annotations

import shutil
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from cyclometer.discover import schema, toml_files
from cyclometer.records.catalogue import VendoredLibrary

SYSTEM_HEADERS = (Path("/usr/include"), Path("/usr/local/include"))


def declared_libraries(adapter: Path) -> dict[str, schema.ForeignLibrary]:
    """Return all libraries that the adapter declares, by name."""
    file = adapter / "libraries.toml"
    return {
        name: toml_files.validated(schema.ForeignLibrary, value, file)
        for name, value in toml_files.read_toml(file).items()
    }


def included_libraries(headers: Iterable[str], adapter: Path) -> dict[str, schema.ForeignLibrary]:
    """Return the libraries of which a header is included, by name."""
    top_folders = {name.split("/")[0] for name in headers}
    return {
        name: library
        for name, library in declared_libraries(adapter).items()
        if top_folders.intersection(library.headers)
    }


def vendored(included: Container[str], root: Path, adapter: Path) -> Iterator[VendoredLibrary]:
    """Yield the libraries whose sources are in the tree and can be built here.

    `included` has the names of libraries that the sources include.
    """
    for name, library in declared_libraries(adapter).items():
        if library.carried and (root / library.carried).is_dir() and all(map(shutil.which, library.tools)):
            recipe = adapter / "libraries" / f"{name}.sh"
            yield VendoredLibrary(name=name, folder=root / library.carried, recipe=recipe, asked=name in included)


def missing_library(libraries: dict[str, schema.ForeignLibrary]) -> str:
    """Return why a library is missing: pkg-config does not know it and its headers are not installed; '' if none is."""
    for name, library in libraries.items():
        paths = [folder / header for folder in SYSTEM_HEADERS for header in library.headers]
        if not library.packages and not any(path.exists() for path in paths):
            return f"needs the library {name} (Debian: {library.debian})"
    return ""
