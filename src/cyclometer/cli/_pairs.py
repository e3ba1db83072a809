# SPDX-License-Identifier: MIT OR Apache-2.0
"""The option --pairs of `cyclometer rank`."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cyclometer import campaign, paths
from cyclometer.cli._progress import ProgressReporter
from cyclometer.compile import contracts
from cyclometer.discover import MARK
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.table import Context, Table
from cyclometer.workload import (
    LEADING,
    Needs,
    PairEstimate,
    Ranking,
    Workload,
    candidates,
    estimates,
    measure_parts,
    pairs_table,
    parts_needed,
)

SHOWN = 30
"""Pairs of a table on the terminal; other formats have all."""


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """The pairs of each workload by their estimates, and those that are measured."""

    estimated: dict[str, list[PairEstimate]]
    leading: dict[str, Primitive]

    def tables(
        self, rankings: Sequence[Ranking], context: Context, date: datetime.date | None, format: str
    ) -> list[Table]:
        """Return a table of the estimates for each ranking."""
        most = SHOWN if format == "terminal" else max(map(len, self.estimated.values()))
        return [pairs_table(each, self.estimated[each.workload.name], context, date, most) for each in rankings]


def screen(
    catalogue: Catalogue,
    loads: Sequence[Workload],
    date: datetime.date | None,
    options: campaign.Options,
    results: Path,
    *,
    measure: bool,
) -> Pairs:
    """Estimate all pairs by their parts, measuring those first if asked to."""
    admitted = candidates(catalogue, loads, date)
    needs = parts_needed(admitted, loads)
    known = contracts(paths.root(), [catalogue.operations[name] for name in needs])
    costs = measure_parts(needs, options, known, results, ProgressReporter() if measure else None)
    estimated = {load.name: estimates(load, admitted[load.name], costs) for load in loads}
    leading = {each.pair.name: each.pair for several in estimated.values() for each in several[:LEADING]}
    return Pairs(estimated=estimated, leading=leading)


def plain_and_pairs(missing: Needs) -> list[Needs]:
    """Return what is missing of systems with a file of their own, then that of pairs; empty parts are left out."""
    plain = {name: points for name, points in missing.items() if MARK not in name}
    of_pairs = {name: points for name, points in missing.items() if MARK in name}
    return [each for each in (plain, of_pairs) if each]
