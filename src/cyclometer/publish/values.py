# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether names and numbers in the tables of a run that somebody sent are such as a measurement gives."""

from __future__ import annotations

import re
from collections.abc import Collection

import duckdb

from cyclometer.records.run import CALIBRATION
from cyclometer.untrusted import shortened

_NAMED = ("operation", "primitive", "implementation", "compiler", "measure")
_NAME = re.compile(r"([\w.+-]{1,200}(/[\w.+-]{1,200}){0,8})?")
_LEAST = {"round": 0, "length": 0, "ad_length": 0, "keys": 0}


def wrong_name(table: duckdb.DuckDBPyRelation, operations: Collection[str]) -> str:
    """Name what cannot be the name of a system or an operation of the run; '' if there is nothing of the kind."""
    for column in set(_NAMED) & set(table.columns):
        for (name,) in table.project(f'"{column}"').distinct().fetchall():
            if not isinstance(name, str) or not _NAME.fullmatch(name) or {".", ".."} & {*name.split("/")}:
                return f"'{shortened(name, 60)}' cannot name {'an' if column[0] in 'aeiou' else 'a'} {column}"
            if column == "operation" and name not in (*operations, CALIBRATION, ""):
                return f"it has no contract for the operation {name}"
    return ""


def wrong_number(samples: duckdb.DuckDBPyRelation) -> str:
    """Name what is less than it can be; '' if there is nothing of the kind."""
    least = ", ".join(f"min({name})" for name in _LEAST)
    ((shortest, *found),) = samples.aggregate(f"min(list_min(series)), {least}").fetchall()
    if (shortest or 0) < 0:
        return f"a raw timing is {shortest:,}, but time does not run backwards"
    for (name, limit), value in zip(_LEAST.items(), found, strict=True):
        if value is None or value < limit:
            return f"{name} is {value}, less than {limit}"
    return ""
