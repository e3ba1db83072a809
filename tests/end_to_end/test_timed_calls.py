# SPDX-License-Identifier: MIT OR Apache-2.0
"""The timed calls are checked: code that is right in its checks and hostile while it is timed gets no number.

One run tries all hostile hashes beside each other. Each looks faster than `ref`, or breaks something when it is tried,
so each is looked at before `ref` is chosen; none stops the run.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from cyclometer.records.failure import FailureKind
from cyclometer.store import open_runs
from support.command_line import CommandLine, Result
from support.faulty_implementations import FaultyHash
from support.hostile_implementations import (
    HANGS_WHEN_TIMED,
    MOVES_THE_START,
    REMEMBERS_PACKETS,
    REMEMBERS_THE_INPUT,
    REMEMBERS_WHAT_IT_MADE,
    REPLACES_THE_LIBRARY,
    RIGHT_UNTIL_TIMED,
    SEEN_LATER,
    WASTES_TIME_ON_INPUTS,
)
from support.small_tree import REPOSITORY, SmallTree

HOSTILE = [*RIGHT_UNTIL_TIMED, *([MOVES_THE_START] if platform.machine() == "x86_64" else [])]


@dataclass(frozen=True)
class HostileRun:
    """What came of a run over all of them."""

    check: Result
    run: Result
    measured: set[str]
    failures: dict[str, list[tuple[str, str]]]  # implementation -> kind and reason


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> HostileRun:
    folder = tmp_path_factory.mktemp("hostile")
    tree = SmallTree.grow(folder / "tree", "crypto_hash/sha-256/ref")
    for hostile in [*HOSTILE, *REPLACES_THE_LIBRARY]:
        hostile.add_to(tree)
    cyclometer = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
    check = cyclometer("check", "sha-256", "--format", "json")
    run = cyclometer("run", "sha-256", "--rounds", "1", "--no-tables", "--length", "64,576,1500")
    failures: dict[str, list[tuple[str, str]]] = {}
    with open_runs(cyclometer.results) as runs:
        rows = runs.sql("SELECT DISTINCT implementation FROM samples WHERE operation = 'crypto_hash'").fetchall()
        for name, kind, reason in runs.sql("SELECT implementation, kind, reason FROM failures").fetchall():
            failures.setdefault(name, []).append((kind, reason))
    return HostileRun(check=check, run=run, measured={name for (name,) in rows}, failures=failures)


def test_only_the_right_implementation_is_measured(hostile_run: HostileRun) -> None:
    assert hostile_run.run.status == 0, hostile_run.run.stderr
    assert "Traceback" not in hostile_run.run.stderr
    assert hostile_run.measured == {"ref"}


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_code_that_is_hostile_only_while_it_is_timed_passes_the_check_and_gets_no_number(
    hostile: FaultyHash, hostile_run: HostileRun
) -> None:
    assert hostile.name in hostile_run.check.right()
    kind, reason = hostile_run.failures[hostile.name][0]
    assert kind == hostile.kind, reason
    assert hostile.reason in reason


@pytest.mark.parametrize("hostile", REPLACES_THE_LIBRARY, ids=lambda hostile: hostile.name)
def test_code_that_replaces_functions_of_the_c_library_does_not_link(
    hostile: FaultyHash, hostile_run: HostileRun
) -> None:
    assert hostile.name not in hostile_run.check.right()
    ((kind, reason),) = hostile_run.failures[hostile.name]
    assert (kind, reason) == (hostile.kind, hostile.reason)


WHEN_CHOSEN = "when it was chosen"  # it may be found out even earlier: the winner is timed once more


@pytest.mark.parametrize("hostile", SEEN_LATER, ids=lambda hostile: hostile.name)
def test_what_shows_only_in_the_run_is_not_stored(
    hostile: FaultyHash, tree: SmallTree, cyclometer: CommandLine
) -> None:
    hostile.add_to(tree)
    only = ("--implementation", hostile.name, "--rounds", "8", "--no-tables", "--length", "64,576,1500")
    result = cyclometer("run", "sha-256", *only)
    if result.status == 2:  # nothing else was to be measured
        assert hostile.reason in result.stderr or WHEN_CHOSEN in result.stderr
        return
    with open_runs(cyclometer.results) as runs:
        assert not runs.sql("SELECT * FROM samples WHERE operation = 'crypto_hash'").fetchall()
        kind, reason = runs.sql("SELECT kind, reason FROM failures").fetchall()[0]
    assert kind == hostile.kind or not hostile.kind, reason
    assert hostile.reason in reason


def test_a_run_that_measured_nothing_says_why(tree: SmallTree, cyclometer: CommandLine) -> None:
    """It also ends soon: the time limit holds in every stage."""
    HANGS_WHEN_TIMED.add_to(tree)
    only = ("--implementation", HANGS_WHEN_TIMED.name)
    assert cyclometer("check", "sha-256", *only).status == 0  # for which a second is too short on a busy machine
    result = cyclometer("run", "sha-256", *only, "--rounds", "1", "--length", "64", "--time-limit", "1")
    assert result.status == 2
    result.line("sha-256 hangs-when-timed", HANGS_WHEN_TIMED.reason)
    assert result.stderr.endswith("cyclometer: nothing was measured; the failures above say why\n")


def test_what_was_sealed_is_not_remembered(tree: SmallTree, cyclometer: CommandLine) -> None:
    """Another process seals packets; opening them takes as long as it takes."""
    REMEMBERS_PACKETS.add_to(tree)
    assert cyclometer("check", "aes-128-gcm", "--format", "json").right() == {"ref", REMEMBERS_PACKETS.name}
    assert cyclometer("run", "aes-128-gcm", "--rounds", "1", "--no-tables", "--length", "576,1500").status == 0
    with open_runs(cyclometer.results) as runs:
        measured = runs.sql("SELECT DISTINCT implementation FROM samples WHERE operation = 'crypto_aead'").fetchall()
        ((name, kind, reason),) = runs.sql("SELECT implementation, kind, reason FROM failures").fetchall()
    assert measured == [("ref",)]
    assert name == REMEMBERS_PACKETS.name
    # The kernel's clock may find it first: packets that it has not sealed take longer than its timings say.
    assert kind == FailureKind.TIME_NOT_CONFIRMED or REMEMBERS_PACKETS.reason in reason


def test_time_that_is_wasted_where_inputs_are_prepared_is_not_subtracted(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    WASTES_TIME_ON_INPUTS.add_to(tree)
    only = ("--implementation", WASTES_TIME_ON_INPUTS.name, "--rounds", "1", "--no-tables", "--length", "576,1500")
    result = cyclometer("run", "aes-128-gcm", *only)
    assert result.status == 2, "nothing else was to be measured"
    assert WASTES_TIME_ON_INPUTS.reason in result.stderr or WHEN_CHOSEN in result.stderr


def test_what_was_signed_or_encapsulated_is_not_remembered(tree: SmallTree, cyclometer: CommandLine) -> None:
    for hostile in REMEMBERS_WHAT_IT_MADE:
        tree.plant(hostile.ref)
        hostile.add_to(tree)
    systems = [hostile.system for hostile in REMEMBERS_WHAT_IT_MADE]
    assert cyclometer("check", *systems, "--format", "json").right() >= {
        hostile.name for hostile in REMEMBERS_WHAT_IT_MADE
    }
    for hostile in REMEMBERS_WHAT_IT_MADE:  # alone: beside ref, which signs as fast, it is not always chosen
        result = cyclometer("run", hostile.system, "--implementation", hostile.name, "--rounds", "1", "--no-tables")
        if result.status == 2:  # it was found when it was chosen
            assert f"nothing passes its checks: {hostile.system.replace('/', ' ')} {hostile.name}" in result.stderr
            continue
        with open_runs(cyclometer.results) as runs:
            samples = f"SELECT count(*) FROM samples WHERE implementation = '{hostile.name}'"
            assert runs.sql(samples).fetchone() == (0,)
            kinds = dict(runs.sql("SELECT implementation, kind FROM failures").fetchall())
        assert kinds[hostile.name] in {FailureKind.WRONG_WHEN_TIMED, FailureKind.TIME_NOT_CONFIRMED}


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


def test_a_library_that_releases_its_keys_says_nothing_of_those_of_ours(cyclometer: CommandLine) -> None:
    """`ref` is held against a library, in which the timed call is expanding a key and releasing it again."""
    ours = replace(cyclometer, tree=REPOSITORY)
    result = ours("run", "aes-128-gcm", "--implementation", "ref", "--compiler", "gcc-O2", "--length", "64")
    assert result.status == 0, result.stderr
    with open_runs(ours.results) as runs:
        assert runs.sql("SELECT reason FROM failures WHERE stage = 'measure'").fetchall() == []
        assert runs.sql("SELECT count(*) > 0 FROM samples WHERE measure = 'expandkey'").fetchall() == [(True,)]
