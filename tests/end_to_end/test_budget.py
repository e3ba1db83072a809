# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign with a time budget stops in time, says what it did not reach, and goes on later."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.campaign.budget import only_campaign_in, remember
from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine
from support.small_tree import SmallTree

RUN = ("run", "crypto_aead", "crypto_stream", "crypto_onetimeauth", "--rounds", "2", "--patience", "0", "--no-tables")
SYSTEMS = {"crypto_aead/aes-128-gcm", "crypto_stream/salsa20", "crypto_onetimeauth/poly1305"}


def measured(cyclometer: CommandLine) -> set[str]:
    with open_runs(cyclometer.results, everything=True) as runs:
        return {row[0] for row in runs.sql("SELECT DISTINCT operation || '/' || primitive FROM samples").fetchall()}


def test_with_time_enough_everything_is_measured(cyclometer: CommandLine) -> None:
    result = cyclometer(*RUN, "--budget", "10min")
    assert result.status == 0, result.stderr
    assert measured(cyclometer) == SYSTEMS
    assert "not reached" not in result.stdout
    cyclometer("run", "--budget", "10min", "--resume").complains("no interrupted campaign with a budget")


def test_a_slow_system_uses_up_the_budget_and_no_more(tree: SmallTree, cyclometer: CommandLine, tmp_path: Path) -> None:
    """Salsa20 takes seconds for each call: the campaign ends in time, lists it, and goes on when there is more time."""
    slow = "static void __attribute__((constructor)) late(void) { for (volatile long i = 0; i < 1L << 34; i++); }\n"
    source = tree / "primitives/crypto_stream/salsa20/ref/salsa20.c"
    text = source.read_text(encoding="utf-8")
    source.write_text(slow + text, encoding="utf-8")
    cyclometer = replace(cyclometer, cache=tmp_path / "cache")
    result = cyclometer("run", "salsa20", *RUN[4:], "--budget", "5s")
    assert result.status == 0, result.stderr
    assert result.line("not reached:") == "not reached: crypto_stream/salsa20"
    assert "--resume" in result.stderr.splitlines()[-1]
    source.write_text(text, encoding="utf-8")
    resumed = cyclometer("run", "--budget", "10min", "--resume", "--no-tables")
    assert resumed.status == 0, resumed.stderr
    assert measured(cyclometer) == {"crypto_stream/salsa20"}
    assert {run.state for run in list_runs(cyclometer.results)} == {"complete"}


def test_what_was_slow_comes_last(cyclometer: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cyclometer = replace(cyclometer, cache=tmp_path / "cache")
    monkeypatch.setenv("CYCLOMETER_CACHE", str(cyclometer.cache))
    known = {"crypto_stream/salsa20": 900.0, "crypto_aead/aes-128-gcm": 1.0, "crypto_onetimeauth/poly1305": 2.0}
    for system, seconds in known.items():
        remember("", [system], seconds)
    result = cyclometer(*RUN, "--budget", "0.001s")
    assert [line.split("/")[1] for line in result.stdout.splitlines()] == ["aes-128-gcm", "poly1305", "salsa20"]
    assert not [run for run in list_runs(cyclometer.results) if run.state == "complete"]
    cyclometer(*RUN, "--budget", "0.001s").complains("is not at its end", "--resume", ".budget.json")
    again = cyclometer("run", "--budget", "0.001s", "--resume")
    assert again.stdout == result.stdout, "nothing of it is lost"


def test_one_campaign_at_a_time_works_in_a_folder(cyclometer: CommandLine) -> None:
    """Two would measure the same parts, and each would forget what the other has done."""
    with only_campaign_in(cyclometer.results):
        for resume in ((), ("--resume",)):
            cyclometer(*RUN, "--budget", "10min", *resume).complains(
                "a campaign with a budget is under way in", "--results"
            )
    cyclometer("run", "--budget", "10min", "--resume").complains("no interrupted campaign with a budget")


@pytest.mark.parametrize("text", ["90", "0s", "-1h", "1d", "soon"])
def test_a_budget_is_a_number_with_its_unit(cyclometer: CommandLine, text: str) -> None:
    cyclometer(*RUN, f"--budget={text}").complains("give a number and its unit")
