# SPDX-License-Identifier: MIT OR Apache-2.0
"""run.json: a RunInfo as JSON, accepted only if its keys and types are exactly those of RunInfo."""

from __future__ import annotations

import dataclasses
import difflib
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from cyclometer.errors import StorageFailed, first_line
from cyclometer.records.run import FORMAT, RunInfo
from cyclometer.store.digests import Digests, append_digest, read_digests, verify
from cyclometer.store.files import REMEDY, read_whole, write_whole
from cyclometer.store.folder import DIGESTS_FILE, RUN_FILE
from cyclometer.store.runshape import Shape

_RUN_INFO = TypeAdapter(RunInfo)
_KEYS = [field.name for field in dataclasses.fields(RunInfo)]
_COUNTER_NUMBERS = (
    "per_second",
    "chain_cycles",
    "resolution",
    "dither_cycles",
    "read_gap",
    "quiet_ratio",
    "core_hertz",
)
_ADDED = {"id", "label", "recorded_as"}  # by format 2


def write_run_info(path: Path, info: RunInfo) -> None:
    """Write `info` to `path`, replacing an existing file atomically, and list its digest."""
    try:
        content = _RUN_INFO.dump_json(info, indent=2) + b"\n"
    except ValueError:  # pydantic cannot encode it
        raise StorageFailed("a folder or file has a name that is not UTF-8; rename it and repeat") from None
    write_whole(
        path,
        lambda temporary: temporary.write_bytes(content),
        lambda _, temporary: append_digest(path.parent, path, temporary),
    )


def read_run_info(path: Path) -> RunInfo:
    """Return the record at `path`; `StorageFailed` says what is wrong with the file."""
    content = read_whole(path)
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise StorageFailed(f"{path} is not JSON ({first_line(error)}); {REMEDY}") from error
    _check_keys(path, value)
    try:
        info = _RUN_INFO.validate_json(content)
        Shape.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise StorageFailed(f"{path}: {key}: {first['msg']}") from error
    for name in _COUNTER_NUMBERS:
        if not _is_number(info.counter.get(name) or 0):
            raise StorageFailed(f"{path}: counter.{name} is not a number; {REMEDY}")
    return info


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and abs(value) <= sys.float_info.max


def digests_of(folder: Path, info: RunInfo) -> Digests | None:
    """Return the digests of a run after verifying its run.json; None for a run of format 1 that has none."""
    digests = read_digests(folder)
    if digests is not None:
        verify(folder, [RUN_FILE], digests)
    elif info.format > 1:
        raise StorageFailed(f"{folder / DIGESTS_FILE} does not exist; {REMEDY}")
    return digests


def _check_keys(path: Path, value: Any) -> None:
    if not isinstance(value, dict):
        raise StorageFailed(f"{path} is not a JSON object; {REMEDY}")
    version = value.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise StorageFailed(
            f"{path} has format {version}, but this cyclometer reads formats up to {FORMAT}; install a newer version"
        )
    for key in value:
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1, cutoff=0.0)
            raise StorageFailed(f"{path}: unknown key {key!r}; the nearest valid one is {near[0]!r}")
    missing = [key for key in _KEYS if key not in value and (key not in _ADDED or version != 1)]
    if missing:
        raise StorageFailed(f"{path}: missing key {missing[0]!r}; {REMEDY}")
