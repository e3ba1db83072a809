# SPDX-License-Identifier: MIT OR Apache-2.0
"""The installed command, called as a user calls it.

result = cyclometer("check", "salsa20")
assert result.status == 0
result.complains("no such file")      # bad input: one line, exit status 2
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cyclometer.store import list_runs
from support.fork_server import ForkServer

PROGRAM = Path(sys.executable).with_name("cyclometer")
OUTPUT = {"COLUMNS": "200", "NO_COLOR": "1"}
INHERITED = {**os.environ, **OUTPUT}


@dataclass(frozen=True)
class Result:
    """The exit status and the output of a call."""

    status: int
    stdout: str
    stderr: str

    def line(self, *parts: str) -> str:
        """Return the one line of standard output that contains all parts."""
        found = [line for line in self.stdout.splitlines() if all(part in line for part in parts)]
        assert len(found) == 1, f"{len(found)} lines contain {parts}:\n{self.stdout}\n{self.stderr}"
        return found[0]

    def kinds(self, verdict: str = "wrong") -> dict[str, str]:
        """Map each implementation with that verdict to its kind of failure, in the output of `check --format json`."""
        failures = json.loads(self.stdout)["failures"]
        return {f["subject"]["implementation"]: f["kind"] for f in failures if f["verdict"] == verdict}

    def reason(self, implementation: str) -> str:
        """Return the reason of the first failure of an implementation, in the output of `check --format json`."""
        failures = json.loads(self.stdout)["failures"]
        return next(str(f["reason"]) for f in failures if f["subject"]["implementation"] == implementation)

    def right(self) -> set[str]:
        """Return the implementations that passed, in the output of `check --format json`."""
        return {subject["implementation"] for subject in json.loads(self.stdout)["ok"]}

    def complains(self, *parts: str) -> None:
        """Assert the response to bad input: exit status 2 and one line on standard error."""
        assert self.status == 2, f"exit status {self.status}:\n{self.stdout}\n{self.stderr}"
        lines = self.stderr.splitlines()
        assert len(lines) == 1, f"not one line but:\n{self.stderr}"
        assert lines[0].startswith("cyclometer: ")
        for part in parts:
            assert part in lines[0], f"{part!r} is not in {lines[0]!r}"


@dataclass(frozen=True)
class CommandLine:
    """The command with its own folders; `environment` replaces variables of the caller's."""

    tree: Path
    cache: Path
    results: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, *arguments: str | Path, seconds: float = 600, **environment: str) -> Result:
        """Run the command to its end; forked from a process with its imports where the environment allows it."""
        words, variables, folder = self.command(*arguments), self.variables(**environment), self._folder()
        if _server().can_fork(variables):
            ended = _server().run(words, variables, folder, seconds)
        else:
            ended = subprocess.run(
                words, env=variables, cwd=folder, capture_output=True, text=True, timeout=seconds, check=False
            )
        return Result(ended.returncode, ended.stdout, ended.stderr)

    def start(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """Start the command in the background; it receives SIGINT even if the tests ignore it."""
        return subprocess.Popen(
            ["env", "--default-signal=INT,HUP", *self.command(*arguments)],
            env=self.variables(),
            cwd=self._folder(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def start_and_wait(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """Start the command in the background and wait until it has said how it responds to signals.

        Before that, its interpreter is still starting, which takes long on a busy machine.
        """
        return handling_signals(self.start(*arguments))

    def wait_for_parts(self, parts: int) -> None:
        """Wait until an unfinished run has this number of parts; 0: until it has begun."""
        there = "*/.*.partial/parts/[!.]*.parquet" if parts else "*/.*.partial/run.json"
        until = time.monotonic() + 600
        while len(list(self.results.glob(there))) < max(parts, 1):
            assert time.monotonic() < until, f"the run had fewer than {parts} parts after ten minutes"
            time.sleep(0.02)

    def killed_after(self, parts: int, *arguments: str | Path) -> None:
        """Start the command and kill it when its run has this number of parts."""
        begun = self.start(*arguments)
        try:
            self.wait_for_parts(parts)
        finally:
            begun.kill()
            begun.communicate()
        until = time.monotonic() + 60  # a process that was just starting may hold the lock for a moment
        while any(run.state == "under way" for run in list_runs(self.results)) and time.monotonic() < until:
            time.sleep(0.02)

    def command(self, *arguments: str | Path) -> list[str]:
        """Return the words that start the command."""
        return [str(PROGRAM), *map(str, arguments)]

    def _folder(self) -> Path:
        return next(folder for folder in self.results.parents if folder.exists())

    def variables(self, **changes: str) -> dict[str, str]:
        """Return the environment of the command."""
        own = {
            "CYCLOMETER_TREE": str(self.tree),
            "CYCLOMETER_CACHE": str(self.cache),
            "CYCLOMETER_RESULTS": str(self.results),
        }
        return {**os.environ, **OUTPUT, **own, **self.environment, **changes}


def handling_signals(begun: subprocess.Popen[str]) -> subprocess.Popen[str]:
    """Wait until a command that was started handles signals, or has ended; return it."""
    last = 1 << signal.SIGHUP - 1  # the command sets this handler last, and Python itself never does
    until = time.monotonic() + 600
    while begun.poll() is None:
        status = Path(f"/proc/{begun.pid}/status").read_text(encoding="ascii", errors="replace")
        caught = re.search(r"^SigCgt:\s*([0-9a-f]+)", status, re.MULTILINE)
        if caught and int(caught[1], 16) & last:
            break
        assert time.monotonic() < until, "the command did not start within ten minutes"
        time.sleep(0.002)
    return begun


@cache
def _server() -> ForkServer:
    return ForkServer(PROGRAM, INHERITED)
