# SPDX-License-Identifier: MIT OR Apache-2.0
"""The kinds of plots, one module per kind, found by its file name; overview.py is a short example.

A module has a docstring whose first line says what the plot shows, `NEEDS`, and

    def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]

Modules whose names begin with an underscore hold what the kinds share.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cyclometer.errors import MachineUnfit, UnknownName
from cyclometer.records.curve import PlotData, PlotInputs, PlotOptions

if TYPE_CHECKING:  # importing matplotlib takes long, and --help imports every subcommand
    from cyclometer.report.plots._page import Picture

Draw = Callable[[Sequence[PlotData], PlotOptions], "Iterator[Picture]"]


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of plot."""

    name: str
    needs: PlotInputs
    draw: Draw


def kind_names() -> list[str]:
    """Return the names of all kinds, sorted, without importing them."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name[0] != "_")


def kind(name: str) -> Kind:
    """Return the kind of this name. Raises `UnknownName`, or `MachineUnfit` without matplotlib."""
    if name not in kind_names():
        raise UnknownName("plot", name, kind_names(), "one of " + ", ".join(kind_names()))
    try:
        module = importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise MachineUnfit("plots need matplotlib: pip install 'cyclometer[plots]'") from error
    return Kind(name=name, needs=module.NEEDS, draw=module.draw)


def summaries() -> dict[str, str]:
    """Return what each kind shows: the first line of its module's docstring, read without importing it."""
    sources = {name: Path(__path__[0]) / f"{name}.py" for name in kind_names()}
    documents = {name: ast.get_docstring(ast.parse(path.read_text())) or "" for name, path in sources.items()}
    return {name: text.partition("\n")[0].rstrip(".") for name, text in documents.items()}


__all__ = ["Draw", "Kind", "kind", "kind_names", "summaries"]
