# SPDX-License-Identifier: MIT OR Apache-2.0
"""Figures that published documents print, and what is ours beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class PublishedFigure:
    """One figure as printed."""

    document: str
    table: str
    machine: str
    system: str
    measure: str
    length: int | None  # bytes
    keys: int | None  # active
    value: float
    unit: str  # cycles | cycles/byte | bytes | ms | Mb/s


@dataclass(frozen=True, kw_only=True)
class Match:
    """What the systems and measures of some tables of a document are called here."""

    document: str
    tables: tuple[str, ...]
    operation: str
    measures: Mapping[str, str]
    sizes: Mapping[str, str]  # of sizes, which are not timed
    systems: Mapping[str, str]  # the name, or how it begins, to ours; another one is the same
    length: int | None  # ours, if it is not the document's
    bytes: int | None  # that our call processes, if that is not its length
    timings: Mapping[str, int] = field(default_factory=dict)  # measure -> number after an eviction; 0: settled
    sites: Mapping[str, int] = field(default_factory=dict)  # of such timings: system -> call site
    cold: str = ""  # what was evicted before them
    alignment: int = 0  # of all buffers, modulo 64

    def system(self, name: str) -> str:
        """Return our name of a system."""
        start = next((each for each in self.systems if name.startswith(each)), None)
        return name if start is None else self.systems[start] + name.removeprefix(start)


@dataclass(frozen=True, kw_only=True)
class Published:
    """All documents."""

    titles: Mapping[str, str]
    figures: tuple[PublishedFigure, ...]
    matches: tuple[Match, ...]
    cpus: Mapping[tuple[str, str], str]  # (document, machine) -> CPU
    megahertz: Mapping[tuple[str, str], float]

    def match(self, figure: PublishedFigure) -> Match | None:
        """Return what a figure's system and measure are here; None if they have no counterpart."""
        for each in self.matches:
            named = figure.measure in each.measures or figure.measure in each.sizes
            if each.document == figure.document and figure.table in each.tables and named:
                return each
        return None
