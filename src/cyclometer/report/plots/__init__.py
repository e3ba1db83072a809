# SPDX-License-Identifier: MIT OR Apache-2.0
"""The kinds of plots, one module per kind, found by its file name; overview.py is a short example.

A module has a docstring whose first line says what the plot shows, `NEEDS`, and

    def draw(datasets: Sequence[PlotData], options: PlotOptions) -> Iterator[Picture]

Modules whose names begin with an underscore hold what the kinds share.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cyclometer.errors import CyclometerError, MachineUnfit, UnknownName
from cyclometer.records.curve import PlotData, PlotInputs, PlotOptions
from cyclometer.report.picture_file import format_of

if TYPE_CHECKING:  # importing matplotlib takes long, and --help imports every subcommand
    from cyclometer.report.plots._page import Picture

_MISSING = "plots need matplotlib: pip install 'cyclometer[plots]'"

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
    module = _module(name)
    return Kind(name=name, needs=module.NEEDS, draw=module.draw)


def require_drawable(path: Path) -> None:
    """Refuse a file that nothing can be drawn into, before anything is read or measured for it."""
    format_of(path)
    if not path.parent.is_dir():
        raise CyclometerError(f"cannot write {path}: No such file or directory; make its folder, or name another file")
    if not importlib.util.find_spec("matplotlib"):
        raise MachineUnfit(_MISSING)


def save(pictures: Callable[[], Iterator[Picture]], path: Path) -> list[Path]:
    """Draw pictures in the style of print and save them; several are pages of a PDF, or files of their own."""
    page = _module("_page")
    with page.style():
        written: list[Path] = page.save(pictures(), path)
    return written


def save_other(kind: Literal["history", "ranking", "stacked_bars"], records: Sequence[Any], path: Path) -> list[Path]:
    """Draw records of another command than `plot` with the module `_KIND.py`, and save the pictures."""
    module = _module(f"_{kind}")
    return save(lambda: module.draw(records), path)


def _module(name: str) -> Any:
    """Import a module that draws. Raises `MachineUnfit` without matplotlib, which takes long to import."""
    try:
        return importlib.import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise MachineUnfit(_MISSING) from error


def summaries() -> dict[str, str]:
    """Return what each kind shows: the first line of its module's docstring, read without importing it."""
    sources = {name: Path(__path__[0]) / f"{name}.py" for name in kind_names()}
    documents = {name: ast.get_docstring(ast.parse(path.read_text())) or "" for name, path in sources.items()}
    return {name: text.partition("\n")[0].rstrip(".") for name, text in documents.items()}


__all__ = ["Draw", "Kind", "kind", "kind_names", "require_drawable", "save", "save_other", "summaries"]
