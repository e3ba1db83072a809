# SPDX-License-Identifier: MIT OR Apache-2.0
"""The shell completes commands, options and values: bash runs the script that typer writes for it."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cyclometer.report import format_names
from cyclometer.report.plots import kind_names
from support.our_catalogue import our_catalogue
from support.synthetic import process, run_info, write_run

Complete = Callable[..., list[str]]
HEAVY = ("duckdb", "numpy", "pyarrow", "jinja2")

BASH = """
cyclometer() {{ {python} -m cyclometer "$@"; }}
eval "$(_CYCLOMETER_COMPLETE=source_bash cyclometer)"
COMP_WORDS=({words}) COMP_CWORD={at}
"$(complete -p cyclometer | sed 's/.*-F \\([^ ]*\\) .*/\\1/')" cyclometer
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


PROGRAMS = Path(sys.executable).parent  # where the installed command is, which the shell calls by its name


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("results")
    for run in ("before", "after"):
        info = run_info(run=run, machine="box")
        write_run(folder, info, [process("salsa20-poly1305", cycles={("encrypt", 40): 300.0}, info=info)])
    return folder


@pytest.fixture
def complete(results: Path) -> Complete:
    """Return what bash offers after some words, the last of which is incomplete."""

    def offered(*words: str) -> list[str]:
        typed = ["cyclometer", *words]
        script = BASH.format(python=sys.executable, words=shlex.join(typed), at=len(words))
        done = subprocess.run(
            ["bash", "--norc", "-c", script],
            env={**os.environ, "CYCLOMETER_RESULTS": str(results), "PATH": f"{PROGRAMS}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        return done.stdout.split()

    return offered


def test_commands_options_and_groups_are_completed(complete: Complete) -> None:
    assert complete("ta") == ["table"]
    assert complete("fleet", "r") == ["run"]
    assert {"--by", "--view", "--per-byte", "--length"} <= set(complete("table", "--"))


def test_systems_are_those_of_the_tree_and_folders_are_left_to_the_shell(complete: Complete) -> None:
    found = our_catalogue()
    assert set(complete("run", "")) == {*found.operations, *(p.name for p in found.primitives.values())}
    assert complete("check", "crypto_hash/sha-2") == ["crypto_hash/sha-224", "crypto_hash/sha-256"]
    assert complete("check", "./") == []


def test_stored_runs_and_machines_are_completed(complete: Complete, tmp_path: Path) -> None:
    assert complete("table", "--run", "") == ["before", "after"]
    assert complete("table", "--machine", "b") == ["box"]
    assert complete("table", "--results", str(tmp_path), "--run", "") == []


def test_values_of_options_are_completed(complete: Complete) -> None:
    assert complete("table", "--format", "") == format_names()
    assert complete("compare", "--format", "j") == ["json", "junit"]
    assert complete("plot", "") == kind_names()
    assert complete("run", "--compiler", "gcc-O") == ["gcc-O2", "gcc-O3", "gcc-Os"]
    assert complete("run", "--toolchain", "m") == ["m32", "musl"]
    assert complete("run", "--without", "aes,pcl") == ["aes,pclmulqdq"]
    assert complete("run", "--profile", "") == ["full", "placement", "quick"]


def test_the_shell_does_not_wait_for_the_analysis(complete: Complete) -> None:
    """What takes long to import is not imported, once the commands are known."""
    complete("ta")
    asked = {"_CYCLOMETER_COMPLETE": "complete_bash", "COMP_WORDS": "cyclometer run aes-", "COMP_CWORD": "2"}
    command = [sys.executable, "-X", "importtime", "-m", "cyclometer"]
    done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=True)
    assert "aes-128-gcm" in done.stdout.split()
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in imported
    assert imported.isdisjoint(HEAVY)
