# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whether names and numbers in the tables of a run that somebody sent are such as a measurement gives."""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Mapping
from typing import Any

import duckdb

from cyclometer.records.columns import INT64_LIST, NUMBER, TEXT, Types
from cyclometer.records.run import CALIBRATION
from cyclometer.untrusted import shortened

_NAMED = ("operation", "primitive", "implementation", "compiler", "measure")
_NAME = re.compile(r"([\w.+-]{1,200}(/[\w.+-]{1,200}){0,8})?")
_AMOUNT = re.compile(r"2\^\d{1,4}(\.\d{1,9})? (bits|bytes|words|blocks|packets)")
_SIZES = ("block_bits", "forgery_bits", "tag_bytes")
_LEAST = {"round": 0, "length": 0, "ad_length": 0, "keys": 0, "tsc": 0, "retakes": 0, "context_switches": 0}
_UNKNOWN = ("quick_ratio",)  # columns in which a value may be missing
MAX_TEXT, MAX_TEXTS = 1 << 20, 256 << 20  # bytes of a text, and of all in a column
MAX_SERIES = 1000  # timings of a sample
NANOSECONDS = 1e9  # in a second
CHAIN = (0.95, 1.5)  # what the reference kernel takes, overhead included, in its cycles where core cycles are counted
MAX_OVERALL = 3.0  # a core may run faster than the rate of its counter
SLACK = 1.01  # a counter and the time-stamp counter are not read at the same moment


def too_much(table: duckdb.DuckDBPyRelation, types: Types) -> str:
    """Say what is larger than a measurement makes it, such as a text that a small file repeats a million times."""
    for column, kind in types.items():
        if kind == TEXT:
            longest, size = f'max(strlen("{column}"))', f'sum(strlen("{column}")::BIGINT)'
            ((most, total),) = table.aggregate(f"{longest}, {size}").fetchall()
            if (most or 0) > MAX_TEXT or (total or 0) > MAX_TEXTS:
                return f"the texts of {column} have more than {MAX_TEXT:,} bytes each, or {MAX_TEXTS:,} together"
        elif kind == INT64_LIST:
            ((most,),) = table.aggregate(f'max(len("{column}"))').fetchall()
            if (most or 0) > MAX_SERIES:
                return f"a sample has {most:,} raw timings, more than {MAX_SERIES:,}"
    return ""


def missing_value(table: duckdb.DuckDBPyRelation, types: Types) -> str:
    """Name the first column in which a value is missing or is no finite number; '' if there is none."""
    needed = [name for name in types if name not in _UNKNOWN]
    lacks = [f'coalesce(bool_or("{name}" IS NULL), false)' for name in needed]
    numbers = [name for name, kind in types.items() if kind == NUMBER]
    odd = [f'coalesce(bool_or(NOT isfinite("{name}") OR "{name}" < 0), false)' for name in numbers]
    (found,) = table.aggregate(", ".join(lacks + odd)).fetchall()
    for name, is_wrong in zip([*needed, *numbers], found, strict=True):
        if is_wrong:
            return f"a value of {name} is missing, negative or infinite"
    return ""


def wrong_name(table: duckdb.DuckDBPyRelation, operations: Collection[str]) -> str:
    """Name what cannot be the name of a system or an operation of the run; '' if there is nothing of the kind.

    Trials, sizes and failures are also of what the measured systems are made of, which has no contract.
    """
    is_measured = "measure" in table.columns
    for column in set(_NAMED) & set(table.columns):
        for (name,) in table.project(f'"{column}"').distinct().fetchall():
            if not isinstance(name, str) or not _NAME.fullmatch(name) or {".", ".."} & {*name.split("/")}:
                return f"'{shortened(name, 60)}' cannot name {'an' if column[0] in 'aeiou' else 'a'} {column}"
            if column == "operation" and is_measured and name not in (*operations, CALIBRATION):
                return f"it has no contract for the operation {name}"
    return ""


def wrong_run(samples: duckdb.DuckDBPyRelation, info: Mapping[str, Any]) -> str:
    """Say whether samples are of another run or machine than run.json, by the names that they were recorded with."""
    recorded = tuple(info.get("recorded_as") or (info["run"], info["machine"]))
    found = samples.project("run, machine").distinct().fetchall()
    return "" if set(found) <= {recorded} else "it has samples of another run or machine than its run.json"


def wrong_counter(samples: duckdb.DuckDBPyRelation, counter: Mapping[str, Any]) -> str:
    """Say whether samples were taken with another counter than run.json says, or one that counts something else."""
    if set(samples.project("counter").distinct().fetchall()) - {(counter["name"],)}:
        return f"it has samples of another counter than {counter['name']}"
    if counter["unit"] == "ns" and counter["per_second"] != NANOSECONDS:
        return f"it counts nanoseconds, but {counter['per_second']:g} of them in a second"
    if counter["unit"] == "core cycles":
        ((chain,),) = samples.aggregate("median(chain_before)").fetchall()
        if not CHAIN[0] <= chain / counter["chain_cycles"] <= CHAIN[1]:
            return f"it counts core cycles, but the reference kernel of {counter['chain_cycles']:g} took {chain:g}"
    return ""


def wrong_time(samples: duckdb.DuckDBPyRelation, counter: Mapping[str, Any], seconds: float) -> str:
    """Say whether the raw timings take longer than the series, or the whole run, that they are part of."""
    total = "sum(list_sum(series)::DOUBLE)"
    ((timed,),) = samples.aggregate(total).fetchall()
    if timed / counter["per_second"] > MAX_OVERALL * seconds:
        return f"its timings take {timed / counter['per_second']:,.0f} s, but the run took {seconds:,.0f} s"
    if counter["unit"] == "TSC ticks":
        beyond = samples.filter(f"tsc > 0 AND list_sum(series)::DOUBLE > {SLACK} * tsc").limit(1)
        if beyond.fetchall():
            return "the timings of a sample take longer than the sample by the time-stamp counter"
    return ""


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
