# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer new`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.cli import _values
from cyclometer.cli._output import say
from cyclometer.cli._skeleton import Skeleton, described_operations
from cyclometer.discover import discover, select
from cyclometer.errors import CyclometerError, UnknownName, on_disk
from cyclometer.records.catalogue import Catalogue, Primitive

PANEL = "Measure"

OperationName = Annotated[
    str,
    typer.Argument(
        metavar="OPERATION",
        autocompletion=_values.operations,
        help="What the code computes: an operation, such as crypto_hash, or a system whose sizes to take, such as "
        "crypto_hash/sha-256.",
    ),
]

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write; new or empty.")]


def command(operation: OperationName, folder: Folder) -> None:
    """Write a folder for your own code: api.h, a stub with the prototypes, a README, and an example of test vectors."""
    catalogue = discover(paths.root())
    operation = _in_full(catalogue, operation)
    chosen = _operation(catalogue, operation)
    model, system = _model(catalogue, operation, chosen)
    _require_new(folder)
    has_own_api = any((paths.root() / "adapters").glob(f"*/operations/{chosen}"))
    skeleton = Skeleton(catalogue.operations[chosen], model, system, folder, has_own_api)
    with on_disk("write", folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in skeleton.files().items():
            (folder / name).write_text(text, encoding="utf-8")
    say(f"wrote {folder}: {', '.join(skeleton.files())}")
    say(f"next: write {skeleton.source}, then {skeleton.check}")


def _in_full(catalogue: Catalogue, text: str) -> str:
    """Return OPERATION/SYSTEM for the name of a system; any other text as it is."""
    described = described_operations(catalogue)
    found = [p.key for p in catalogue.primitives.values() if p.name == text and p.operation in described]
    if len(found) > 1:
        raise CyclometerError(f"{text} means {len(found)} systems: {', '.join(found)}; name one")
    return found[0] if found else text


def _operation(catalogue: Catalogue, text: str) -> str:
    """Return the operation that OPERATION, OPERATION/SYSTEM, or either without crypto_, names."""
    known = described_operations(catalogue)
    name = text.partition("/")[0]
    for each in (name, f"crypto_{name}"):
        if each in known:
            return each
    if name in catalogue.operations:
        raise CyclometerError(
            f"{name} has no C interface for folders of your own; CONTRIBUTING.md says how to add to the tree itself"
        )
    raise UnknownName("operation", name, _spelt(name, known), "one of " + ", ".join(known))


def _spelt(name: str, known: list[str]) -> list[str]:
    """Return the operations as the user spells them, with crypto_ or without."""
    return known if name.startswith("crypto") else [each.removeprefix("crypto_") for each in known]


def _model(catalogue: Catalogue, text: str, operation: str) -> tuple[Primitive, str]:
    """Return a primitive of the operation with all sizes, and its key if the user named it."""
    if "/" in text:
        found = select(catalogue, [f"{operation}/{text.partition('/')[2]}"])
        if len(found) > 1:
            raise CyclometerError(f"{text} means {len(found)} systems; name one")
        return found[0], found[0].key
    of_it = [p for p in catalogue.primitives.values() if p.operation == operation]
    return next((p for p in of_it if p.facts.get("first")), of_it[0]), ""


def _require_new(folder: Path) -> None:
    """Raise `CyclometerError` unless the folder does not exist or is empty."""
    with on_disk("read", folder):
        if folder.exists() and not folder.is_dir():
            raise CyclometerError(f"{folder} is a file; name a folder to write")
        if folder.is_dir() and next(folder.iterdir(), None):
            raise CyclometerError(f"{folder} is not empty, and nothing in it is overwritten; name a new folder")
