# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables out of samples: `build_tables` is the way from a database of runs to records a reporter prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from cyclometer.analyse.control import control_spreads
from cyclometer.analyse.drafts import drafts
from cyclometer.analyse.maker import Maker
from cyclometer.analyse.samples import prepare
from cyclometer.analyse.scope import Scope, comparable
from cyclometer.analyse.size_tables import size_tables
from cyclometer.analyse.tunings import tuning_table
from cyclometer.analyse.views import View, Wishes
from cyclometer.figures import Table
from cyclometer.model import RunInfo


def build_tables(
    connection: duckdb.DuckDBPyConnection,
    infos: Sequence[RunInfo],
    views: Mapping[str, Sequence[View]],
    wishes: Wishes,
) -> tuple[list[Table], list[str]]:
    """The tables of the views given for each operation, and notes on what was left out.

    `connection` has the views of `store.connect` over the runs `infos` tell of.
    """
    prepare(connection, infos)
    tables, notes = [], []
    for operation, wanted in views.items():
        scope, left_out = comparable(infos, operation, across=wishes.across_contracts)
        notes += left_out
        tables += _of_operation(connection, scope, wanted, wishes)
    return tables, notes


def _of_operation(
    connection: duckdb.DuckDBPyConnection, scope: Scope, views: Sequence[View], wishes: Wishes
) -> list[Table]:
    spreads = control_spreads(connection, scope)
    tables = []
    for view, planned in zip(views, drafts(connection, scope, views, wishes), strict=True):
        tables += tuning_table(connection, scope, view, wishes) if view.tunings else []
        tables += size_tables(connection, scope, view, wishes) if view.sizes_alone else []
        tables += [Maker.of(connection, draft, spreads, wishes).table() for draft in planned]
    return tables
