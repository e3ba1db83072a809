# SPDX-License-Identifier: MIT OR Apache-2.0
"""Damaged or missing results: every reading command prints one line and never a traceback."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from support.command_line import CommandLine
from support.small_tree import REPOSITORY
from support.synthetic import process, run_info, write_run

COMMANDS = {
    "table": ["table"],
    "plot": ["plot", "overview"],
    "report": ["report", "-o", "site"],
    "compare": ["compare", "hare", "tortoise"],
    "export": ["export", "csv"],
}
LENGTHS = (0, 40, 576)
IMIX = str(REPOSITORY / "workloads" / "imix.toml")


def runs_of(results: Path, *systems: list[str]) -> None:
    """Store one run for each list of systems."""
    for number, names in enumerate(systems):
        info = run_info(run=f"2026-11-2{number}T21-00-00-quick")
        cycles = {("encrypt", length): 1000.0 + length for length in LENGTHS}
        write_run(results, info, [process(name, cycles=cycles, round=n, info=info) for name in names for n in (0, 1)])


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_results_folder(command: str, cyclometer: CommandLine) -> None:
    cyclometer.results.mkdir()
    cyclometer(*COMMANDS[command]).complains("no run in", "cyclometer run")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_run_of_a_newer_format(command: str, cyclometer: CommandLine) -> None:
    runs_of(cyclometer.results, ["hare", "tortoise"])
    file = next(cyclometer.results.glob("*/*/run.json"))
    file.write_text(json.dumps({**json.loads(file.read_text()), "format": 99}))
    result = cyclometer(*COMMANDS[command], "--run", file.parent.name)
    result.complains("format 99", "install a newer version")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_machine(command: str, cyclometer: CommandLine) -> None:
    runs_of(cyclometer.results, ["hare", "tortoise"])
    cyclometer(*COMMANDS[command], "--machine", "bax").complains("unknown machine 'bax'", "did you mean 'box'")


@pytest.mark.parametrize(
    "command",
    [["rank", IMIX, "--stored", "--machine", "box"], ["modes", "--stored"], ["protocol", "ladder", "--stored"]],
)
def test_a_damaged_run_is_named_by_commands_that_look_for_what_is_measured(
    command: list[str], cyclometer: CommandLine
) -> None:
    """They would otherwise show an older run, or measure anew, without a word."""
    runs_of(cyclometer.results, ["hare"])
    samples = next(cyclometer.results.glob("*/*/samples.parquet"))
    samples.write_bytes(samples.read_bytes()[:-1])
    cyclometer(*command).complains(f"left out box {samples.parent.name}", str(samples))


def test_a_system_that_only_one_of_two_runs_has(cyclometer: CommandLine) -> None:
    runs_of(cyclometer.results, ["hare", "tortoise"], ["hare"])
    runs = ["--run", "2026-11-20*", "--run", "2026-11-21*"]
    cyclometer("compare", *runs, "tortoise").complains("tortoise", "2026-11-21T21-00-00-quick")
    result = cyclometer("compare", *runs)
    assert result.status == 0, result.stderr
    assert "hare" in result.stdout
    assert cyclometer("report", "--all", "-o", "site").status == 0


def test_names_with_markup_of_the_terminal_stay_text(cyclometer: CommandLine) -> None:
    names = ["[bold red]loud[/]", "\x1b[31mred", "[link=http://example.org]here[/link]"]
    runs_of(cyclometer.results, names)
    result = cyclometer("table")
    assert result.status == 0, result.stderr
    assert names[0] in result.stdout
    assert names[2] in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("plan", {"options": [None]}, "plan.options: Input should be an object"),
        ("primitives", {"crypto_aead/hare": {"attacks": 7}}, "primitives.crypto_aead/hare.attacks"),
        ("primitives", {"crypto_aead/hare": {"attacks": [{"year": 10**9}]}}, "attacks.0.year"),
        ("primitives", {"crypto_aead/hare": {"security_bits": "many"}}, "security_bits"),
        ("counter", {"unit": ["ns"]}, "counter.unit"),
    ],
)
def test_a_description_whose_parts_have_other_types_is_named(
    key: str, value: object, complaint: str, cyclometer: CommandLine
) -> None:
    """Even if its digest is right: whoever changed it may have changed that, too."""
    runs_of(cyclometer.results, ["hare", "tortoise"])
    file = next(cyclometer.results.glob("*/*/run.json"))
    file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))
    digests = file.with_name("SHA256SUMS")
    others = [line for line in digests.read_text().splitlines() if not line.endswith("run.json")]
    digests.write_text("\n".join([*others, f"{hashlib.sha256(file.read_bytes()).hexdigest()}  run.json", ""]))
    for command in ("table", "report"):
        cyclometer(*COMMANDS[command]).complains(str(file), complaint)
