# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether names and numbers in the tables of a run that somebody sent are such as a measurement gives."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Mapping
from typing import Any

import duckdb

from cyclometer.records.run import CALIBRATION
from cyclometer.untrusted import shortened

_NAMED = ("operation", "primitive", "implementation", "compiler", "measure")
_NAME = re.compile(r"([\w.+-]{1,200}(/[\w.+-]{1,200}){0,8})?")
_AMOUNT = re.compile(r"2\^\d{1,4}(\.\d{1,9})? (bits|bytes|words|blocks|packets)")
_SIZES = ("block_bits", "forgery_bits", "tag_bytes")
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


def wrong_run(samples: duckdb.DuckDBPyRelation, info: Mapping[str, Any]) -> str:
    """Say whether samples are of another run or machine than run.json, by the names that they were recorded with."""
    recorded = tuple(info.get("recorded_as") or (info["run"], info["machine"]))
    found = samples.project("run, machine").distinct().fetchall()
    return "" if set(found) <= {recorded} else "it has samples of another run or machine than its run.json"


def wrong_declaration(primitives: Mapping[str, Mapping[str, Any]]) -> str:
    """Name the first system whose declaration has a size, a level or an attack that cannot be one; '' if none has."""
    for key, declared in primitives.items():
        numbers = [value for name, value in declared.items() if name.startswith("security_bits") or name in _SIZES]
        attacks = declared.get("attacks", [])
        if not all(isinstance(number, int | float) for number in numbers):
            return f"a size or a security level of {shortened(key)} is no number"
        if not isinstance(attacks, list) or not all(map(_is_attack, attacks)):
            return f"the attacks on {shortened(key)} are not declared as attacks"
    return ""


def _is_attack(attack: object) -> bool:
    if not isinstance(attack, dict) or not isinstance(attack.get("remaining_bits"), int):
        return False
    try:
        datetime.date.fromisoformat(attack.get("published") or "2006-01-01")
    except (TypeError, ValueError):
        return False
    return bool(_AMOUNT.fullmatch(str(attack.get("data") or "2^1 packets"))) and isinstance(attack.get("year", 1), int)


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
