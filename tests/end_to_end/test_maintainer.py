# SPDX-License-Identifier: MIT OR Apache-2.0
"""The maintainer's job, with the commands of docs/ci.md: named runs, a gate, its verdicts, its history."""

from __future__ import annotations

import datetime
import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from typer.main import get_command

from cyclometer.cli import application
from support.command_line import PROGRAM, CommandLine
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.small_tree import REPOSITORY, SmallTree
from support.synthetic import process, run_info, write_run

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
    cyclometer("compare", "--now", "salsa20:ref", "salsa20", "--compiler", "tcc").complains("unknown compiler 'tcc'")


def test_the_history_of_a_system_over_runs(cyclometer: CommandLine, tmp_path: Path) -> None:
    """Six nights are alike; then a change makes encryption 10 % slower for good."""
    for night in range(12):
        started = datetime.datetime(2026, 11, 1 + night, tzinfo=datetime.UTC)
        info = run_info(run=f"nightly-{night:02}", started=started)
        level = (1000 if night < 6 else 1100) + (3 * night) % 7
        parts = [
            process("hare", cycles={("encrypt", 64): level + 4 * n, ("encrypt", 1500): 9000}, round=n, info=info)
            for n in range(3)
        ]
        write_run(cyclometer.results, info, parts)
    picture = tmp_path / "history.svg"
    result = cyclometer("history", "hare", "--length", "64", "--format", "json", "-o", picture)
    assert result.status == 0, result.stderr
    without_cache = {"CYCLOMETER_CACHE": str(picture / "cache")}  # below a file, where nothing can be written
    assert cyclometer("history", "hare", "--length", "64", "--format", "json", **without_cache).stdout == result.stdout
    [table] = json.loads(result.stdout)["tables"]
    levels = {row["label"]: row["figures"][-1]["value"] for row in table["rows"]}
    assert [name for name, level in levels.items() if level] == ["nightly-06"]
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    ratios = [row["figures"][2] for row in table["rows"][1:]]
    assert [ratio["ties_with_best"] for ratio in ratios] == [True] * 5 + [False] + [True] * 5  # noise is marked
    one_run = json.loads(cyclometer("table", "--run", "nightly-06", "--length", "64", "--format", "json").stdout)
    [own] = [cell for row in one_run["tables"][0]["rows"] for cell in row["figures"]]
    [shown] = [row["figures"][1] for row in table["rows"] if row["label"] == "nightly-06"]
    assert all(shown[name] == own[name] for name in ("value", "interval", "quartiles", "rounds", "samples", "varies"))
    assert "=  tie: no significant change from the run before" in cyclometer("history", "hare", "--length", "64").stdout
    assert "length 1500" in cyclometer("history", "hare").stdout  # the longest, unless told
    info = run_info(machine="other")
    write_run(cyclometer.results, info, [process("hare", cycles={("encrypt", 64): 5}, info=info)])
    assert "hare on other: encrypt was measured by one run only" in cyclometer("history", "hare").stdout
    cyclometer("history", "hair").complains("unknown system 'hair'", "did you mean 'hare'")
    cyclometer("history", "hare", "--length", "7").complains("no two comparable runs")
    cyclometer("history", "hare", "-o", "x.doc").complains("x.doc is no picture", ".svg")
    cyclometer("history", "hare", "-o", tmp_path / "none" / "x.svg").complains("cannot write", "make its folder")


def test_the_action_and_the_snippet_use_options_that_exist() -> None:
    """Each long option that they pass to a command is one of that command."""
    commands = get_command(application()).commands  # type: ignore[attr-defined]
    texts = [(REPOSITORY / "action.yml").read_text(), (REPOSITORY / "docs/ci.md").read_text()]
    lines = [line for text in texts for line in text.replace("\\\n", " ").splitlines() if "cyclometer " in line]
    called = [found for line in lines for found in re.findall(r"cyclometer ([a-z]+) ([^`#|\n]*)", line)]
    assert {"compare", "run", "history", "export"} <= {name for name, _ in called}
    for name, rest in called:
        known = {
            option for parameter in commands[name].params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        assert set(re.findall(r"(?<!\S)--[a-z-]+", rest)) <= known, (name, rest)


def test_the_action_is_composite_and_takes_its_inputs_by_environment() -> None:
    """An input that is pasted into a script could run as a part of it."""
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    assert action["runs"]["using"] == "composite"
    for step in action["runs"]["steps"]:
        if "run" in step:
            assert step["shell"] == "bash"
            assert "${{" not in step["run"]
    assert {"base", "change", "primitive", "fail-above"} <= action["inputs"].keys()


def test_the_action_compares_and_writes_its_verdicts(cyclometer: CommandLine, tmp_path: Path) -> None:
    """The script of the action, with the variables that GitHub sets: a change that is far slower fails."""
    action = yaml.safe_load((REPOSITORY / "action.yml").read_text(encoding="utf-8"))
    script = action["runs"]["steps"][-1]["run"]
    slow = "volatile int wait; for (wait = 0; wait < 20000; ++wait) { }"
    sources = {"base": GOOD_VERIFY, "change": GOOD_VERIFY.replace("{", "{" + slow, 1)}
    foreign = ForeignTree(tmp_path / "foreign")
    for name, source in sources.items():
        foreign.write(f"crypto_verify/16/{name}/v.c", source)
    (tmp_path / "temp/cyclometer/bin").mkdir(parents=True)
    (tmp_path / "temp/cyclometer/bin/cyclometer").symlink_to(PROGRAM)
    folder = foreign.root / "crypto_verify/16"
    variables = {"RUNNER_TEMP": tmp_path / "temp", "BASE": folder / "base", "CHANGE": folder / "change"}
    texts = {"PRIMITIVE": "crypto_verify/16", "FAIL_ABOVE": "auto", "COMPILER": "", "JUNIT": tmp_path / "out.xml"}
    environment = cyclometer.variables(**{name: str(value) for name, value in (variables | texts).items()})
    ended = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1, ended.stdout + ended.stderr
    assert "::error title=cyclometer%3A 16 equal::" in ended.stdout
    root = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert int(str(root.get("failures"))) >= 1
