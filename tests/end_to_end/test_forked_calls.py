# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests call the command in a process forked after its imports (support/fork_server.py), which makes no difference."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from support.command_line import CommandLine, Result

# Forks after what a subcommand only uses is imported; tests/policy/test_imports.py forbids circles among the rooms.
EACH_ALONE = """
import importlib, os, pkgutil, sys
import typer.rich_utils
from cyclometer import analyse, campaign, cli, discover, report, store

for module in pkgutil.iter_modules(cli.__path__):
    if module.name.startswith("_"):
        continue
    process = os.fork()
    if not process:
        importlib.import_module(f"cyclometer.cli.{module.name}")
        os._exit(0)
    if os.waitpid(process, 0)[1]:
        sys.exit(f"{module.name} cannot be imported first")
"""


@pytest.mark.parametrize("words", [("--version",), ("check", "no-such-system"), ("table", "--help")], ids=" ".join)
def test_a_forked_call_is_like_a_new_process(words: tuple[str, ...], cyclometer: CommandLine) -> None:
    forked = cyclometer(*words)
    begun = subprocess.run(
        cyclometer.command(*words),
        env=cyclometer.variables(),
        cwd=cyclometer.results.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert forked == Result(begun.returncode, begun.stdout, begun.stderr)


def test_it_has_its_own_environment_and_folder(cyclometer: CommandLine, tmp_path: Path) -> None:
    narrow = replace(cyclometer, environment={"COLUMNS": "60"})("--help").stdout
    assert max(map(len, narrow.splitlines())) <= 60
    assert max(map(len, cyclometer("--help").stdout.splitlines())) > 60
    (tmp_path / "mine.c").touch()
    cyclometer("table", "--results", "mine.c").complains("mine.c", "not a folder")


def test_a_call_that_takes_too_long_is_killed(cyclometer: CommandLine) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        cyclometer("serve", "--port", "0", seconds=0.01)


def test_each_subcommand_is_imported_without_the_others() -> None:
    subprocess.run([sys.executable, "-c", EACH_ALONE], check=True)
