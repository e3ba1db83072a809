# SPDX-License-Identifier: MIT OR Apache-2.0
"""The values that the shell completes, read from folders and small files.

An option takes one of these functions as its `autocompletion`. They import little and build nothing: a shell waits.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import typer

from cyclometer import paths

PACKAGE = Path(__file__).resolve().parent.parent


def systems(incomplete: str) -> list[str]:
    """Return operations and systems; `operation/system` once a slash is typed. The shell completes folders."""
    if incomplete.startswith((".", "/", "~")):
        return []
    operations = _folders(paths.root() / "primitives")
    pairs = [
        (operation, name) for operation in operations for name in _folders(paths.root() / "primitives" / operation)
    ]
    if "/" in incomplete:
        return _beginning([f"{operation}/{name}" for operation, name in pairs], incomplete)
    return _beginning([*operations, *(name for _, name in pairs)], incomplete)


def operations(incomplete: str) -> list[str]:
    """Return operations, and `operation/system` once a slash is typed."""
    return systems(incomplete) if "/" in incomplete else _beginning(_folders(paths.root() / "operations"), incomplete)


def runs(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the names of the stored runs, the newest first."""
    found = {name for machine in _machine_folders(ctx) for name in _folders(machine)}
    return sorted(_beginning(found, incomplete), reverse=True)


def machines(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the machines that have runs."""
    return _beginning([machine.name for machine in _machine_folders(ctx)], incomplete)


def formats(incomplete: str) -> list[str]:
    """Return the formats of tables."""
    return _beginning(_modules("report/formats"), incomplete)


def verdict_formats(incomplete: str) -> list[str]:
    """Return the formats of comparisons."""
    return _beginning(_modules("report/formats") + _modules("report/verdicts"), incomplete)


def plots(incomplete: str) -> list[str]:
    """Return the kinds of plot."""
    return _beginning(_modules("report/plots"), incomplete)


def exports(incomplete: str) -> list[str]:
    """Return the formats of other tools."""
    return _beginning([name.replace("_", "-") for name in _modules("report/exports")], incomplete)


def studies(incomplete: str) -> list[str]:
    """Return the studies of protocols."""
    return _beginning(_modules("protocols/studies"), incomplete)


def toolchains(incomplete: str) -> list[str]:
    """Return the toolchains."""
    return _beginning(_stems("toolchains"), incomplete)


def compilers(incomplete: str) -> list[str]:
    """Return the compilers of all toolchains."""
    return _beginning(
        [variant["name"] for file in _tables("toolchains/*.toml") for variant in file["variant"]], incomplete
    )


def workloads(incomplete: str) -> list[str]:
    """Return the workloads of the tree; the shell completes files."""
    return [] if incomplete.startswith((".", "/", "~")) else _beginning(_stems("workloads"), incomplete)


def modes(incomplete: str) -> list[str]:
    """Return the modes of this machine."""
    return _beginning(_stems("modes"), incomplete)


def features(incomplete: str) -> list[str]:
    """Return CPU features; each after a comma."""
    before, comma, last = incomplete.rpartition(",")
    names = [name for file in _tables("toolchains/features/*.toml") for name in file]
    return [f"{before}{comma}{name}" for name in _beginning(names, last)]


def implementations(incomplete: str) -> list[str]:
    """Return the names of implementations: those of this tree, and libraries."""
    tree = paths.root()
    own = {name for system in tree.glob("primitives/*/[!_]*") for name in _folders(system)}
    return _beginning(own - {"attacks"} | set(_folders(tree / "providers")), incomplete)


def measures(incomplete: str) -> list[str]:
    """Return the measures of all operations."""
    return _beginning({name for view in _views() for name in view.get("measures", ())}, incomplete)


def views(incomplete: str) -> list[str]:
    """Return the views of all operations."""
    return _beginning({"implementation", "machine", "placement", *(view["name"] for view in _views())}, incomplete)


def profiles(incomplete: str) -> list[str]:
    """Return the profiles of all operations."""
    found = {name for file in _tables("operations/*/operation.toml") for name in file.get("profiles", ())}
    return _beginning(found | {"placement"}, incomplete)  # which is the same for all operations


def _views() -> Iterator[dict[str, Any]]:
    for file in _tables("operations/*/operation.toml"):
        yield from file.get("view", ())


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return sorted({name for name in names if name.startswith(incomplete)})


def _folders(parent: Path) -> list[str]:
    """Return the names of the folders that are shown: not .hidden, not _shared."""
    try:
        with os.scandir(parent) as entries:
            return [entry.name for entry in entries if entry.name[0] not in "._" and entry.is_dir()]
    except OSError:
        return []


def _machine_folders(ctx: typer.Context) -> list[Path]:
    results = Path(ctx.params.get("results") or os.environ.get("CYCLOMETER_RESULTS") or "results")
    return [results / name for name in _folders(results)]


def _modules(folder: str) -> list[str]:
    return [path.stem for path in (PACKAGE / folder).glob("[!_]*.py")]


def _stems(folder: str) -> list[str]:
    return [path.stem for path in (paths.root() / folder).glob("*.toml")]


def _tables(pattern: str) -> Iterator[dict[str, Any]]:
    for path in paths.root().glob(pattern):
        yield tomllib.loads(path.read_text(encoding="utf-8"))
