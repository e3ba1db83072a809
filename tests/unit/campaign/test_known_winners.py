# SPDX-License-Identifier: MIT OR Apache-2.0
"""What an earlier campaign has chosen and confirmed is neither timed nor confirmed again before it is measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cyclometer.campaign.candidate_timer import CandidateTimer
from cyclometer.choose import DEFAULT, Selection
from cyclometer.choose.cache import ChoiceCache
from cyclometer.measure import NoiseFloor, NotTimed, ProcessPipeline, Request
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.tuning import Timing
from support import fakes

KEY, GRID = "crypto_stream/salsa20", ("xor length=4096",)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Executable]:
    """Let every process crash, and return a list of the executables of which one was started."""
    found: list[Executable] = []

    def crash(_pipeline: ProcessPipeline, request: Request, _following: Request | None = None) -> NotTimed:
        found.append(request.executable)
        subject = request.executable.subject
        failure = Failure(stage="measure", subject=subject, kind=FailureKind.KILLED, reason="SIGSEGV")
        return NotTimed(failure=failure, measure="")

    monkeypatch.setattr(ProcessPipeline, "run", crash)
    return found


def select(folder: Path, executable: Executable, *, chosen: Executable | None) -> Selection:
    """Choose among one executable that earlier campaigns have timed; `chosen` won the last one."""
    environment: Any = SimpleNamespace(
        native=None,
        catalogue=SimpleNamespace(
            operations={"crypto_stream": SimpleNamespace(choose_grid=GRID, profiles={})}, origin=""
        ),
        cache=SimpleNamespace(folder=folder),
        builder=SimpleNamespace(cpu="cpu"),
        beside=(),
        ticks=None,
        pipeline=ProcessPipeline(None, NoiseFloor()),
    )
    timings = [Timing(cycles=100.0, quiet=True)] * 2
    cache = ChoiceCache(folder, "cpu")
    if chosen:
        cache.put(KEY, GRID, chosen.subject, {}, chosen.path.stem)
    cache.put(KEY, GRID, None, {executable.path.stem: timings})
    selections: list[Selection] = []
    CandidateTimer(environment, 1).select({KEY: [executable]}, DEFAULT, lambda _, one: selections.append(one))
    return selections[0]


def test_a_winner_that_was_chosen_before_is_not_timed_again(tmp_path: Path, started: list[Executable]) -> None:
    executable = fakes.executable("wide")
    assert select(tmp_path, executable, chosen=executable).winner == executable
    assert not started


def test_one_that_was_only_timed_before_is_looked_at(tmp_path: Path, started: list[Executable]) -> None:
    executable = fakes.executable("wide")
    assert select(tmp_path, executable, chosen=None).winner is None
    assert executable in started


def test_one_whose_source_was_edited_since_it_was_chosen_is_looked_at(
    tmp_path: Path, started: list[Executable]
) -> None:
    edited = fakes.executable("wide")
    before = replace(edited, path=edited.path.with_name("0123.exe"))
    assert before.subject == edited.subject
    assert select(tmp_path, edited, chosen=before).winner is None
    assert edited in started
