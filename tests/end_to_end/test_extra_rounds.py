# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign over many systems has three rounds. What varies then has up to six, so that its number is known better."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.campaign.measurement import Measurement
from cyclometer.campaign.options import Options
from cyclometer.campaign.plan import describe_run, plan_for
from cyclometer.measure import LAYOUTS, MOST_ROUNDS, Job, Measured, QuietCoverage, Runner, plan_jobs
from cyclometer.measure.schedule import MAX_ROUNDS
from cyclometer.records.failure import Failure
from cyclometer.store import RunWriter, open_runs
from support.address_dependent import CODE, DEPENDS_ON_ITS_ADDRESS
from support.only_implementation import build_only
from support.small_tree import SmallTree

PLENTY = 50.0  # times the seconds of the planned rounds


class Silent:
    """No progress is shown."""

    @contextmanager
    def stage(self, _title: str, _total: int) -> Iterator[object]:
        yield lambda: None


@pytest.fixture(autouse=True)
def _undisturbed(monkeypatch: pytest.MonkeyPatch) -> None:
    """No round counts as disturbed: on a loud machine such rounds would be measured again, as often as time allows."""
    monkeypatch.setattr(QuietCoverage, "short_of_quiet_rounds", lambda _: [])


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree.grow(tmp_path / "tree", "crypto_stream/salsa20/ref")


def count_rounds(tree: SmallTree, results: Path, most_rounds: int) -> int:
    """Measure the tree's only implementation as in a campaign over many systems; return its number of rounds."""
    built, environment = build_only(tree, is_timed=True)
    linked = environment.builder.with_layouts(built, LAYOUTS)
    options = Options(systems=("salsa20",), machine="vm", lengths="64")
    plan = replace(plan_for(environment, options).for_many_systems(), more=PLENTY, most_rounds=most_rounds)
    with RunWriter.start(results, describe_run(environment, options)) as writer:
        measurement = Measurement(environment, plan, writer, Silent())
        measurement.planned_rounds(plan_jobs([linked], [], plan))
        measurement.extra_rounds()
        writer.finish()
    with open_runs(results) as runs:
        [(count,)] = runs.sql("SELECT count(DISTINCT round) FROM every_sample").fetchall()
    return int(count)


def test_what_varies_has_more_rounds_but_not_forever(tree: SmallTree, tmp_path: Path) -> None:
    tree.write(CODE, DEPENDS_ON_ITS_ADDRESS)
    assert count_rounds(tree, tmp_path / "many", MOST_ROUNDS) == MOST_ROUNDS
    assert count_rounds(tree, tmp_path / "few", 0) == MAX_ROUNDS


def test_what_cannot_be_measured_again_is_tried_once(
    tree: SmallTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree.write(CODE, DEPENDS_ON_ITS_ADDRESS)
    run, tried = Runner.run, list[int]()

    def planned_alone(runner: Runner, job: Job, following: Job | None = None) -> tuple[Measured | None, list[Failure]]:
        if job.round < MAX_ROUNDS:
            return run(runner, job, following)
        tried.append(job.round)
        return None, []

    monkeypatch.setattr(Runner, "run", planned_alone)
    assert count_rounds(tree, tmp_path / "many", MOST_ROUNDS) == MAX_ROUNDS
    assert tried == [MAX_ROUNDS]
