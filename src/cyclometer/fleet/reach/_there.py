# SPDX-License-Identifier: MIT OR Apache-2.0
"""Another system, reached by a command line: asked what it is, and given Cyclometer if it has none.

The first time, Cyclometer, its tree and its packages travel there, and stay in the user's cache.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from cyclometer.errors import MachineUnfit
from cyclometer.fleet.luggage import PLATFORM, Luggage

ASK_SECONDS = 80
COPY_SECONDS = 1800

QUESTION = (
    "import json, os, platform, sys; print(json.dumps({'platform': '%s-%s-python%d.%d' % (platform.machine(), "
    "platform.libc_ver()[0], *sys.version_info[:2]), 'folder': os.path.join(os.environ.get('XDG_CACHE_HOME') or "
    "os.path.expanduser('~/.cache'), 'cyclometer', 'fleet')}))"
)

UNPACK = (
    "import os, shutil, sys, tarfile\n"
    "target = sys.argv[1]; arriving = '%s.%d' % (target, os.getpid())\n"
    "try:\n"
    "    tarfile.open(fileobj=sys.stdin.buffer, mode='r|gz').extractall(arriving)\n"
    "    os.rename(arriving, target)\n"
    "except OSError:\n"
    "    if not os.path.isdir(target): raise\n"
    "finally:\n"
    "    shutil.rmtree(arriving, ignore_errors=True)\n"
)


@dataclass(frozen=True, kw_only=True)
class There:
    """Another system: `line` makes the command line here that runs a command there."""

    label: str  # for messages: "ssh to epyc.example.org"
    line: Callable[[list[str]], list[str]]
    lacking: str  # what to install here if that command line cannot be started
    python: str

    def worker(self) -> list[str]:
        """Take along what is missing there and return the command that starts a worker; `MachineUnfit` if it cannot."""
        there = json.loads(self.ask([self.python, "-c", QUESTION]))
        if there["platform"] != PLATFORM:
            raise MachineUnfit(
                f"it is {there['platform']}, the client {PLATFORM}, whose packages do not work there; use the same "
                "Python"
            )
        luggage = Luggage()
        folder = f"{there['folder']}/{luggage.name}"
        if self.ask(["sh", "-c", f"test -d {shlex.quote(folder)} && echo there || echo absent"]) != "there":
            self._copy(luggage, folder)
        return ["env", f"PYTHONPATH={folder}", "PYTHONNOUSERSITE=1", self.python, "-m", "cyclometer.fleet.worker"]

    def ask(self, command: list[str]) -> str:
        """Return the last line that a command prints there."""
        try:
            ended = subprocess.run(
                self.line(command),
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
                timeout=ASK_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise MachineUnfit(f"{self.label} does not answer in {ASK_SECONDS} s") from None
        except FileNotFoundError:
            raise MachineUnfit(self.lacking) from None
        lines = (ended.stdout if ended.returncode == 0 else ended.stderr).strip().splitlines() or ["it says nothing"]
        if ended.returncode:
            raise MachineUnfit(f"{self.label}: {lines[-1]}")
        return lines[-1]

    def _copy(self, luggage: Luggage, folder: str) -> None:
        script = 'mkdir -p "$(dirname "$1")" && exec "$2" -c "$3" "$1"'
        command = ["sh", "-c", script, "sh", folder, self.python, UNPACK]
        with subprocess.Popen(
            self.line(command), stdin=subprocess.PIPE, stdout=sys.stderr, stderr=subprocess.PIPE
        ) as process:
            assert process.stdin
            assert process.stderr
            try:
                luggage.write(process.stdin)
                process.stdin.close()
            except OSError:
                pass  # what it says on standard error tells more
            words = process.stderr.read().decode(errors="replace").strip().splitlines()
            if process.wait(COPY_SECONDS):
                raise MachineUnfit(f"{self.label}: cannot unpack there: {words[-1] if words else 'no reason'}")
