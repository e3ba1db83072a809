# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ctrl-C ends every command with one line, at any moment, and nothing goes on in the background."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from cyclometer import paths
from support.command_line import CommandLine, handling_signals
from support.synthetic import process, run_info, sample, write_run

MOMENTS = (0.1, 0.6, 1.4, 2.9)  # seconds after signals are handled: imports, queries, builds, and what is being made
LIMIT_SECONDS = 120  # a command that goes on until it has finished is not ended by Ctrl-C

COMMANDS = {
    "plot": ("plot", "sheet", "-o", "sheet.png"),
    "report": ("report", "-o", "site"),
    "compare": ("compare", "crypto_stream/salsa20", "crypto_stream/chacha20", "--now", "--rounds", "500"),
    "rank": ("rank", "imix", "--system", "aes-128-gcm", "--rounds", "500"),
    "check": ("check", "salsa20", "chacha20", "--constant-time"),
    "protocol": ("protocol", "ladder", "--rounds", "500"),
    "fleet": ("fleet", "run", "fleet.toml", "salsa20", "--rounds", "500"),
}


@pytest.fixture(scope="module")
def command_line(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> CommandLine:
    """Return the command on this tree, with a stored run of a thousand lengths to draw."""
    home = tmp_path_factory.mktemp("ctrl-c")
    info = run_info()
    rows = [sample("encrypt", 300 + length, length) for length in range(1000)]
    write_run(home / "results", info, [process("salsa20-poly1305", rows, round=n, info=info) for n in range(3)])
    (home / "fleet.toml").write_text('[[machine]]\nname = "here"\n', encoding="utf-8")
    return CommandLine(tree=paths.root(), cache=build_cache, results=home / "results")


@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_is_one_line_and_ends_all_programs(name: str, command_line: CommandLine) -> None:
    for moment in MOMENTS:
        begun = handling_signals(started(command_line, *COMMANDS[name]))
        time.sleep(moment)
        is_done = begun.poll() is not None  # on a busy machine, the moment may be a long one
        family = [] if is_done else psutil.Process(begun.pid).children(recursive=True)
        if not is_done:
            os.killpg(begun.pid, signal.SIGINT)
        _, err = begun.communicate(timeout=LIMIT_SECONDS)
        assert "Traceback" not in err
        assert psutil.wait_procs(family, timeout=LIMIT_SECONDS)[1] == []
        if (is_done or moment > MOMENTS[0]) and begun.returncode in {0, -signal.SIGINT}:
            break  # it had done its work
        assert begun.returncode == 128 + signal.SIGINT, err
        assert err.splitlines()[-1].startswith("cyclometer: interrupted")


def started(command_line: CommandLine, *arguments: str) -> subprocess.Popen[str]:
    """Start a command as a shell does: in a process group of its own, to which the terminal sends Ctrl-C."""
    return subprocess.Popen(
        ["env", "--default-signal=INT,HUP", *command_line.command(*arguments)],
        env=command_line.variables(),
        cwd=command_line.results.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
