# SPDX-License-Identifier: MIT OR Apache-2.0
"""`--format json` of commands without tables: one object with its format, for any exit status."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.command_line import CommandLine, Result
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.requirements import need
from support.synthetic import process, run_info, write_run

WRONG_VERIFY = GOOD_VERIFY.replace("- 1) >> 8", "- 2) >> 8")
LEAKING_VERIFY = GOOD_VERIFY.replace("difference |= x[i] ^ y[i];", "if (x[i] != y[i]) return -1;")


@pytest.fixture
def foreign(tmp_path: Path) -> ForeignTree:
    """Write a right implementation and a wrong one."""
    tree = ForeignTree(tmp_path / "foreign")
    tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
    tree.write("crypto_verify/16/wrong/v.c", WRONG_VERIFY)
    return tree


def content(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)
    assert found["format"] == 1
    return found


def test_check(foreign: ForeignTree, cyclometer: CommandLine) -> None:
    result = cyclometer("check", foreign.root, "--format", "json")
    found = content(result)
    assert result.status == 1
    subject = {"operation": "crypto_verify", "primitive": "16", "compiler": "gcc-O2"}
    assert found["ok"] == [{**subject, "implementation": "good"}]
    [failure] = found["failures"]
    assert (failure["verdict"], failure["stage"]) == ("wrong", "check")
    assert failure["subject"] == {**subject, "implementation": "wrong"}
    assert (failure["kind"], failure["severity"]) == ("wrong_output", "error")
    assert failure["reason"]
    assert "no published result to compare with" in found["notes"][0]
    assert result.stderr.startswith("tree foreign (supercop): 2 implementations of 1 primitive, 0 left out\n")


def test_check_of_constant_time(tmp_path: Path, cyclometer: CommandLine) -> None:
    need("valgrind")
    tree = ForeignTree(tmp_path / "foreign")
    tree.write("crypto_verify/16/leaking/v.c", LEAKING_VERIFY)
    result = cyclometer("check", "--constant-time", tree.root, "--format", "json")
    [verdict] = content(result)["verdicts"]
    assert result.status == 1
    assert (verdict["verdict"], verdict["claimed"]) == ("leaks", None)
    assert verdict["findings"][0]["what"] == "branches on a secret"


def test_runs(cyclometer: CommandLine) -> None:
    info = run_info()
    write_run(cyclometer.results, info, [process("hare", cycles={("encrypt", 40): 400}, info=info)])
    broken = cyclometer.results / "box" / "2026-11-22T21-00-00-quick"
    broken.mkdir()
    (broken / "run.json").write_text("{", encoding="utf-8")
    unreadable, whole = content(cyclometer("runs", "--format", "json"))["runs"]
    assert (whole["machine"], whole["run"], whole["state"]) == ("box", info.run, "complete")
    assert (whole["systems"], whole["samples"], whole["profile"]) == (1, 2, "quick")
    assert (unreadable["state"], unreadable["systems"]) == ("unreadable", None)
    assert unreadable["reason"]


def test_machine(cyclometer: CommandLine) -> None:
    found = content(cyclometer("machine", "--format", "json"))
    assert found["facts"]["cpu"]
    assert [counter["chosen"] for counter in found["counters"]].count(True) == 1
    assert found["noise"]["moments"] > 0
    assert 0 <= found["noise"]["interruptions_take"] < 1


@pytest.mark.parametrize("command", ["check", "runs", "machine"])
def test_an_unknown_format_is_refused(command: str, cyclometer: CommandLine) -> None:
    cyclometer(command, "--format", "jsn").complains("unknown format 'jsn'", "did you mean 'json'?")
