# SPDX-License-Identifier: MIT OR Apache-2.0
"""The timed calls are checked: code that is right in its checks and hostile while it is timed gets no number."""

from __future__ import annotations

import platform

import pytest

from cyclometer.store import open_runs
from support.command_line import CommandLine
from support.faulty_implementations import MOVES_THE_START, REMEMBERS_THE_INPUT, RIGHT_UNTIL_TIMED, FaultyHash
from support.small_tree import SmallTree

HOSTILE = [*RIGHT_UNTIL_TIMED, *([MOVES_THE_START] if platform.machine() == "x86_64" else [])]


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_hostile_timings_are_not_stored(hostile: FaultyHash, tree: SmallTree, cyclometer: CommandLine) -> None:
    """Its fault may show in the work load that chooses tunings, and then there is no run, or only in the run."""
    hostile.add_to(tree)
    assert cyclometer("check", "sha-256", "--format", "json").right() == {"ref", hostile.name}
    only = ("--implementation", hostile.name, "--rounds", "1", "--no-tables", "--length", "64,576,1500")
    result = cyclometer("run", "sha-256", *only)
    if result.status == 2:
        assert hostile.reason in result.stderr
        return
    with open_runs(cyclometer.results) as runs:
        assert not runs.sql("SELECT * FROM samples WHERE operation = 'crypto_hash'").fetchall()
        failures = runs.sql("SELECT implementation, kind, reason FROM failures").fetchall()
    ((name, kind, reason),) = failures
    assert (name, kind) == (hostile.name, hostile.kind), reason
    assert hostile.reason in reason


def test_the_right_implementation_is_measured_instead(tree: SmallTree, cyclometer: CommandLine) -> None:
    hostile = RIGHT_UNTIL_TIMED[0]
    hostile.add_to(tree)
    assert cyclometer("run", "sha-256", "--rounds", "1", "--no-tables").status == 0
    with open_runs(cyclometer.results) as runs:
        measured = runs.sql("SELECT DISTINCT implementation FROM samples WHERE operation = 'crypto_hash'").fetchall()
        failures = runs.sql("SELECT implementation, kind FROM failures").fetchall()
    assert measured == [("ref",)]
    assert failures == [(hostile.name, hostile.kind)]


def test_no_input_comes_again(tree: SmallTree, cyclometer: CommandLine) -> None:
    """So nothing is gained by remembering results."""
    REMEMBERS_THE_INPUT.add_to(tree)
    name = REMEMBERS_THE_INPUT.name
    result = cyclometer(
        "run", "sha-256", "--implementation", name, "--rounds", "1", "--no-tables", "--length", "64,576"
    )
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        assert not runs.sql("SELECT * FROM failures").fetchall()
