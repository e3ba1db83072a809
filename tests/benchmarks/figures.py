# SPDX-License-Identifier: MIT OR Apache-2.0
"""The figures of docs/trust.md: a line of the table, and the command that is measured."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.small_tree import REPOSITORY

PROGRAM = Path(sys.executable).with_name("cyclometer")


@dataclass(frozen=True, kw_only=True)
class Line:
    """One figure and its target."""

    what: str
    measured: str
    target: str
    reached: bool

    def row(self) -> str:
        """Return it as a row of the Markdown table."""
        return f"| {self.what} | {self.measured} | {self.target} | {'yes' if self.reached else '**no**'} |"


@dataclass(frozen=True)
class Tool:
    """The installed command with folders of its own; `cache` is shared by what need not be built again."""

    scratch: Path
    cache: Path
    tree: Path = REPOSITORY

    def __call__(self, *arguments: str, cache: Path | None = None) -> str:
        """Run the command and return its standard output; a failure ends the benchmark with its message."""
        variables = {"CYCLOMETER_TREE": str(self.tree), "CYCLOMETER_CACHE": str(cache or self.cache)}
        ended = subprocess.run(
            [str(PROGRAM), *arguments], env=os.environ | variables, capture_output=True, text=True, check=False
        )
        if ended.returncode > 1:
            raise SystemExit(f"{' '.join(arguments)}: {ended.stderr.strip()}")
        return ended.stdout

    def run(self, number: int, name: str, *arguments: str, cache: Path | None = None) -> Cells:
        """Measure and return the cells of the run's tables."""
        results = self.scratch / name
        self("run", *arguments, "--machine", f"m{number}", "--results", str(results), "--no-tables", cache=cache)
        listed = self("table", "--machine", f"m{number}", "--results", str(results), "--format", "json", cache=cache)
        return _cells(json.loads(listed))


Key = tuple[str, str, str]  # operation and title of the table (operations share titles), system, column
Cells = dict[Key, dict[str, Any]]


def _cells(content: dict[str, Any]) -> Cells:
    return {
        (f"{table['operation']}: {table['title']}", row["primitive"], column["label"]): figure
        for table in content["tables"]
        for row in table["rows"]
        for column, figure in zip(table["columns"], row["figures"], strict=True)
        if figure and isinstance(figure["value"], int | float) and figure["timings"]
    }


def is_marked(cell: dict[str, Any]) -> bool:
    """Return whether a table marks the number as disturbed or as one that varies."""
    return bool(cell["disturbed"] or cell["varies"])
