# SPDX-License-Identifier: MIT OR Apache-2.0
"""JSON: the records of tables unchanged, in full precision."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any, TextIO

from cyclometer.records.table import Report

FORMAT = 1
"""The version of the format; it increases when a key changes its meaning or is removed."""


def write(report: Report, stream: TextIO) -> None:
    """Write one object: format, tables, failures, notes; of a comparison also passed, verdicts, missing."""
    content = dataclasses.asdict(report)
    if report.verdicts:
        content["passed"] = report.passed
    of_comparison = ("passed", "verdicts", "missing") if report.verdicts else ()
    dump({name: content[name] for name in (*of_comparison, "tables", "failures", "notes")}, stream)


def dump(content: Mapping[str, Any], stream: TextIO) -> None:
    """Write one object: the version of the format, then the content."""
    json.dump({"format": FORMAT, **content}, stream, indent=2, ensure_ascii=True, allow_nan=False)
    stream.write("\n")
