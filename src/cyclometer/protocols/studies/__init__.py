# SPDX-License-Identifier: MIT OR Apache-2.0
"""The studies of `cyclometer protocol`: one module each, which nothing else names.

A study is a module with

    TITLE                                     one line
    PREDICTS = True                           only if its findings have pictures
    measure(request, results, progress)       measures; returns the folder of the finished run
    findings(run)                             returns the verdict in words, and tables, of such a run
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, cast

from cyclometer import campaign
from cyclometer.errors import UnknownName
from cyclometer.protocols.rungs import DEFAULT_MAC
from cyclometer.records.bars import Bars
from cyclometer.records.table import MachineFailure, Table
from cyclometer.store import StoredRun


@dataclass(frozen=True, kw_only=True)
class Request:
    """What the user asked for; an empty value leaves the choice to the study."""

    options: campaign.Options
    systems: tuple[str, ...] = ()
    mac: str = DEFAULT_MAC
    transports: tuple[str, ...] = ()
    payloads: tuple[int, ...] = ()
    under_way: tuple[int, ...] = ()
    keys: tuple[int, ...] = ()
    apart: bool = False
    formats: bool = False
    rounds: int | None = None
    all_compilers: bool = False


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a study found: the verdict in words, then tables."""

    verdict: Sequence[str]
    tables: Sequence[Table]
    failures: Sequence[MachineFailure] = field(default_factory=tuple)
    pictures: Sequence[Bars] = field(default_factory=tuple)


class Study(Protocol):
    """What a module of this package offers."""

    TITLE: str

    def measure(self, request: Request, results: Path, progress: campaign.Progress) -> Path: ...

    def findings(self, run: StoredRun) -> Findings: ...


def studies() -> list[str]:
    """Return the names of all studies, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def study(name: str) -> Study:
    """Return a study; UnknownName if there is none of that name."""
    if name not in studies():
        raise UnknownName("study", name, studies(), f"there are {', '.join(studies())}")
    return cast(Study, importlib.import_module(f"{__name__}.{name}"))


def predicts(what: Study) -> bool:
    """Return whether a study predicts something, which can be drawn."""
    return bool(getattr(what, "PREDICTS", False))
