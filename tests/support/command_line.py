# SPDX-License-Identifier: MIT OR Apache-2.0
"""The installed command, called as a user calls it.

said = cyclometer("check", "salsa20")
assert said.status == 0
said.complains("no such file")      # bad input: one line, exit status 2
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cyclometer.store import list_runs

PROGRAM = Path(sys.executable).with_name("cyclometer")


@dataclass(frozen=True)
class Said:
    """How a call ended and what it printed."""

    status: int
    stdout: str
    stderr: str

    def line(self, *parts: str) -> str:
        """The one line of standard output that contains all parts."""
        found = [line for line in self.stdout.splitlines() if all(part in line for part in parts)]
        assert len(found) == 1, f"{len(found)} lines contain {parts}:\n{self.stdout}\n{self.stderr}"
        return found[0]

    def kinds(self, verdict: str = "wrong") -> dict[str, str]:
        """The kind of failure of each implementation with that verdict: of `check --format json`."""
        failures = json.loads(self.stdout)["failures"]
        return {f["subject"]["implementation"]: f["kind"] for f in failures if f["verdict"] == verdict}

    def right(self) -> set[str]:
        """The implementations with an executable that is right: of `check --format json`."""
        return {subject["implementation"] for subject in json.loads(self.stdout)["ok"]}

    def complains(self, *parts: str) -> None:
        """Asserts what every bad input gets: exit status 2 and one line on standard error, no traceback."""
        assert self.status == 2, f"exit status {self.status}:\n{self.stdout}\n{self.stderr}"
        lines = self.stderr.splitlines()
        assert len(lines) == 1, f"not one line but:\n{self.stderr}"
        assert lines[0].startswith("cyclometer: ")
        for part in parts:
            assert part in lines[0], f"{part!r} is not in {lines[0]!r}"


@dataclass(frozen=True)
class CommandLine:
    """`cyclometer` with folders of its own; `environment` replaces variables of the caller's."""

    tree: Path
    cache: Path
    results: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str | Path, seconds: float = 300, **environment: str) -> Said:
        ended = subprocess.run(
            self._command(arguments),
            env=self.variables(**environment),
            cwd=self._folder(),
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
        return Said(ended.returncode, ended.stdout, ended.stderr)

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """The same, still running. It hears SIGINT, though tests that a shell runs in the background do not."""
        return subprocess.Popen(
            ["env", "--default-signal=INT", *self._command(arguments)],
            env=self.variables(),
            cwd=self._folder(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for_parts(self, parts: int) -> None:
        """Until an unfinished run holds so many parts; 0: until it has begun."""
        there = "*/.*.partial/parts/[!.]*.parquet" if parts else "*/.*.partial/run.json"
        until = time.monotonic() + 600
        while len(list(self.results.glob(there))) < max(parts, 1):
            assert time.monotonic() < until, f"no {parts} parts came within ten minutes"
            time.sleep(0.02)

    def killed_after(self, parts: int, *arguments: str | Path) -> None:
        """Started, and killed when so many parts are there."""
        begun = self.start(*arguments)
        try:
            self.wait_for_parts(parts)
        finally:
            begun.kill()
            begun.communicate()
        until = time.monotonic() + 10  # a process it was just starting may hold its lock for a moment
        while any(run.state == "under way" for run in list_runs(self.results)) and time.monotonic() < until:
            time.sleep(0.02)

    def _command(self, arguments: tuple[str | Path, ...]) -> list[str]:
        return [str(PROGRAM), *map(str, arguments)]

    def _folder(self) -> Path:
        return next(folder for folder in self.results.parents if folder.exists())

    def variables(self, **changes: str) -> dict[str, str]:
        """The environment the command is called in."""
        own = {
            "CYCLOMETER_TREE": str(self.tree),
            "CYCLOMETER_CACHE": str(self.cache),
            "CYCLOMETER_RESULTS": str(self.results),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }
        return {**os.environ, **own, **self.environment, **changes}
