# SPDX-License-Identifier: MIT OR Apache-2.0
"""The maintainer's job, with the commands of docs/ci.md: named runs, a gate, its verdicts, its history."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.command_line import CommandLine
from support.small_tree import SmallTree

QUICK = ("--length", "64", "--patience", "0", "--rounds", "3", "--no-tables", "--machine", "box")


@pytest.fixture
def base_and_change(tree: SmallTree) -> SmallTree:
    """Grow a tree with two copies of one implementation of Salsa20."""
    folder = "primitives/crypto_stream/salsa20"
    for file in (tree / folder / "ref").iterdir():
        text = file.read_text(encoding="utf-8")
        tree.write(f"{folder}/base/{file.name}", text)
        tree.write(f"{folder}/change/{file.name}", text)
    return tree


def test_a_run_is_named_and_found_by_its_name(cyclometer: CommandLine) -> None:
    assert cyclometer("run", "salsa20", "--name", "base", *QUICK).status == 0
    again = cyclometer("run", "salsa20", "--name", "base", *QUICK)
    again.complains("box has a run called base already", "choose another name", "runs --remove base")
    assert cyclometer("run", "salsa20", "--name", "change", *QUICK).status == 0
    result = cyclometer("compare", "--run", "base", "--run", "change", "--fail-above", "50", "--format", "json")
    content = json.loads(result.stdout)
    assert {verdict["limit"] for verdict in content["verdicts"]} == {1.5}
    assert content["passed"] == (result.status == 0)
    for name in ("a*", "../x", ".x", "a b"):
        cyclometer("run", "salsa20", "--name", name, *QUICK).complains(f"--name {name!r} cannot name a run")


def test_a_gate_with_the_limit_of_chance(base_and_change: SmallTree, cyclometer: CommandLine, tmp_path: Path) -> None:
    """Two copies of a program pass, whatever this machine is doing; the verdict is there for programs."""
    sides = ("salsa20:base", "salsa20:change", "--now", "--length", "64", "--rounds", "12", "--compiler", "gcc-O2")
    result = cyclometer("compare", *sides, "--fail-above", "auto", "--format", "json", "--machine", "box")
    assert result.status in {0, 1}, result.stderr
    content = json.loads(result.stdout)
    [verdict] = [verdict for verdict in content["verdicts"] if verdict["measure"] == "xor"]
    [point] = verdict["points"]
    assert point["limit"] >= 1.005
    assert content["passed"] == (result.status == 0)
    stored = ("compare", "salsa20:base", "salsa20:change", "--stored", "--machine", "box", "--fail-above", "auto")
    root = ElementTree.fromstring(cyclometer(*stored, "--format", "junit").stdout)
    assert {case.get("name") for case in root.iter("testcase")} >= {"xor"}
    lines = cyclometer(*stored, "--format", "github").stdout.splitlines()
    assert all(line.startswith(("::notice title=", "::error title=")) for line in lines)


@pytest.mark.parametrize("limit", ["-1", "nan", "lots", "inf"])
def test_a_limit_that_is_none(limit: str, cyclometer: CommandLine) -> None:
    result = cyclometer("compare", "salsa20", "salsa20", f"--fail-above={limit}")
    result.complains(f"--fail-above {limit!r} is no limit", "auto")


def test_a_compiler_is_pinned_only_for_what_is_built_now(cyclometer: CommandLine) -> None:
    cyclometer("compare", "--run", "a", "--run", "b", "--compiler", "gcc-O2").complains("--compiler pins")
    cyclometer("compare", "--now", "salsa20:ref", "salsa20:x", "--compiler", "tcc").complains("unknown compiler 'tcc'")
