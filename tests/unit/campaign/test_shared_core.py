# SPDX-License-Identifier: MIT OR Apache-2.0
"""A run says which other processes measured on its core: in the rounds, and while its placement was measured."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from cyclometer.campaign.environment import Environment
from cyclometer.campaign.options import Options
from cyclometer.campaign.placement import Placement
from cyclometer.campaign.shared_core import noting_other_processes
from cyclometer.measure import Plan
from cyclometer.records.run import SHARED_CORE
from cyclometer.store import RunWriter
from support.core_sharing import begun, lock_in
from support.synthetic import run_info
from support.whole_tree import SilentProgress

PLAN = Plan(seed=1, rounds=1, grids={})
ON_CORE_1 = cast(Environment, SimpleNamespace(core=1))


def measure_placement(writer: RunWriter) -> None:
    """Measure the placement of nothing, on core 1."""
    Placement(ON_CORE_1, Options(layouts=1), PLAN, writer, SilentProgress()).measure([])


def test_a_run_of_placement_says_who_shared_its_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock_in(tmp_path, monkeypatch)
    with RunWriter.start(tmp_path, replace(run_info(), facts={"cpu": "one"})) as writer:
        measure_placement(writer)
        assert writer.info.facts == {"cpu": "one"}
        with begun() as other:
            measure_placement(writer)
            other.communicate("\n")
        assert writer.info.facts == {"cpu": "one", SHARED_CORE: f"process {other.pid}"}


def test_who_shared_it_earlier_is_not_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock_in(tmp_path, monkeypatch)
    with RunWriter.start(tmp_path, run_info()) as writer:
        others = set()
        for _ in range(2):
            with begun() as other:
                with noting_other_processes(1, writer):
                    pass
                other.communicate("\n")
            others.add(other.pid)
        with noting_other_processes(1, writer):
            pass
        processes = writer.info.facts[SHARED_CORE].removeprefix("process ").split(", ")
    assert {int(process) for process in processes} == others
