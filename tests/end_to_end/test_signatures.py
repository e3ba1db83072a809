# SPDX-License-Identifier: MIT OR Apache-2.0
"""The laws and measures of signatures on a toy: what is right passes, and each misdeed is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CommandLine
from cyclometer.store import open_runs
from small_tree import SmallTree
from toy_signature import STATEFUL, STATEFUL_MISDEEDS, STATELESS, STATELESS_MISDEEDS, TYPES, Change, plant

STATES = "#define crypto_sign_STATEFUL 1\n"


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree.grow(tmp_path / "tree")


@pytest.mark.parametrize("change", STATELESS_MISDEEDS, ids=lambda change: change.name)
def test_check_names_the_misdeed(change: Change, tree: SmallTree, cyclometer: CommandLine) -> None:
    plant(tree, STATELESS, TYPES)
    plant(tree, change.of(STATELESS), TYPES, change.name)
    said = cyclometer("check", "toy")
    assert said.line("ok", "toy ref")
    assert change.report in said.line("WRONG", f"toy {change.name}")


@pytest.mark.parametrize("change", STATEFUL_MISDEEDS, ids=lambda change: change.name)
def test_check_names_what_uses_a_state_twice(change: Change, tree: SmallTree, cyclometer: CommandLine) -> None:
    plant(tree, STATEFUL, STATES)
    plant(tree, change.of(STATEFUL), STATES, change.name)
    said = cyclometer("check", "toy")
    assert said.line("ok", "toy ref")
    assert change.report in said.line("WRONG", f"toy {change.name}")


def test_batches_and_expanded_keys_are_measured(tree: SmallTree, cyclometer: CommandLine) -> None:
    plant(tree, STATELESS, TYPES)
    said = cyclometer("run", "toy", "--rounds", "1")
    assert said.status == 0, said.stderr
    with open_runs(cyclometer.results) as runs:
        measured = {row[0] for row in runs.sql("SELECT DISTINCT measure FROM samples").fetchall()}
        sizes = dict(runs.sql("SELECT name, value FROM sizes").fetchall())
    more = {"open_batch", "expand_public", "expand_secret", "open_expanded", "sign_expanded"}
    assert measured == {"empty", "keypair", "sign", "open", "reject"} | more
    wanted = {"keypair_random_bytes": 16, "keypair_random_calls": 1, "sign_random_bytes": 8, "sign_random_calls": 1}
    wanted |= {"overhead_23_bytes": 24, "sent_23_bytes": 16 + 23 + 24, "sent_709_bytes": 16 + 709 + 24}
    assert wanted.items() <= sizes.items()


def test_what_is_not_offered_is_not_measured(tree: SmallTree, cyclometer: CommandLine) -> None:
    plant(tree, STATEFUL, STATES)
    assert cyclometer("run", "toy", "--rounds", "1").status == 0
    with open_runs(cyclometer.results) as runs:
        measured = {row[0] for row in runs.sql("SELECT DISTINCT measure FROM samples").fetchall()}
    assert measured == {"empty", "keypair", "sign", "open", "reject"}


def test_a_slow_series_ends_early_and_tells_how_many_timings_it_has(tree: SmallTree, cyclometer: CommandLine) -> None:
    wait = "for (clock_t end = clock() + CLOCKS_PER_SEC / 30; clock() < end;) {}"
    slow = Change(name="slow", old="randombytes(pk, 16);", new=f"{wait} randombytes(pk, 16);", report="")
    plant(tree, "#include <time.h>\n" + slow.of(STATELESS), TYPES)
    assert cyclometer("run", "toy", "--rounds", "1", "--time-limit", "200").status == 0
    with open_runs(cyclometer.results) as runs:
        rows = runs.sql("SELECT measure, max(len(series)) FROM samples GROUP BY ALL").fetchall()
    timings = dict(rows)
    assert 1 <= timings["keypair"] < 15
    assert timings["sign"] == 15
