# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a study of protocols found, for whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass

from cyclometer.records.bars import Bars
from cyclometer.records.table import Table


@dataclass(frozen=True, kw_only=True)
class StudyResult:
    """One study on one machine."""

    study: str  # as on the command line: ladder, experiment, tls, api
    title: str
    machine: str
    run: str
    verdict: tuple[str, ...]  # sentences
    tables: tuple[Table, ...] = ()
    pictures: tuple[Bars, ...] = ()
