# SPDX-License-Identifier: MIT OR Apache-2.0
"""One module a kind of picture, found by its file name; overview.py is the shortest to begin a new one from.

A module has a docstring whose first line says what is to be seen, `NEEDS`, and

    def draw(materials: Sequence[Material], taste: Taste) -> Iterator[Picture]

Modules whose name begins with an underscore are what the kinds share.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclometer.errors import UnknownName
from cyclometer.records.curve import PlotData, PlotInputs, PlotOptions

if TYPE_CHECKING:  # matplotlib takes a while, and every subcommand is imported for each
    from cyclometer.report.plots._page import Picture

Draw = Callable[[Sequence[PlotData], PlotOptions], "Iterator[Picture]"]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of picture."""

    name: str
    needs: PlotInputs
    draw: Draw


def kind_names() -> list[str]:
    """The names of all kinds, sorted. Imports none of them."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


def kind(name: str) -> Kind:
    """The kind of that name."""
    if name not in kind_names():
        raise UnknownName("picture", name, kind_names(), "one of " + ", ".join(kind_names()))
    module = importlib.import_module(f"{__name__}.{name}")
    return Kind(name=name, needs=module.NEEDS, draw=module.draw)


def summaries() -> dict[str, str]:
    """What is to be seen on each kind: the first line of its module, which is not imported for that."""
    sources = {name: Path(__path__[0]) / f"{name}.py" for name in kind_names()}
    documents = {name: ast.get_docstring(ast.parse(path.read_text())) or "" for name, path in sources.items()}
    return {name: text.partition("\n")[0].rstrip(".") for name, text in documents.items()}


__all__ = ["Draw", "Kind", "kind", "kind_names", "summaries"]
