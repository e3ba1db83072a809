# SPDX-License-Identifier: MIT OR Apache-2.0
"""JSON: the records of cyclometer.figures as they are, in full precision."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, TextIO

from cyclometer.records.table import Report

FORMAT = 1
"""Raised when a key changes its meaning or goes."""


def write(report: Report, stream: TextIO) -> None:
    """One object: format, tables, failures, notes."""
    content = dataclasses.asdict(report)
    dump({name: content[name] for name in ("tables", "failures", "notes")}, stream)


def dump(content: Mapping[str, Any], stream: TextIO) -> None:
    """The object that every command prints: its format, then what it has to say."""
    json.dump({"format": FORMAT, **content}, stream, indent=2, ensure_ascii=False, allow_nan=False)
    stream.write("\n")
