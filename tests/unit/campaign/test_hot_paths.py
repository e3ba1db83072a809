# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a program executes is counted once, by whichever campaign needs it first; what is incomplete is not kept."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cyclometer.campaign import hot_paths
from cyclometer.campaign.options import Options
from cyclometer.compile import Cache
from cyclometer.measure import HOT_PATH, Plan
from cyclometer.records.run import Size
from support import fakes

PLAN = Plan(seed=1, rounds=1, grids={"crypto_stream": ("xor length=0,576",)})


@pytest.mark.parametrize(("names", "times"), [(HOT_PATH, 1), (HOT_PATH[:1], 2)], ids=["complete", "incomplete"])
def test_a_second_campaign_counts_only_what_is_missing(
    names: tuple[str, ...], times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable = fakes.executable("ref")
    counted: list[str] = []

    def count(*_: Any, **__: Any) -> list[Size]:
        counted.append("once")
        return [Size(subject=executable.subject, name=name, value=value) for value, name in enumerate(names)]

    monkeypatch.setattr(hot_paths, "hot_path_sizes", count)
    builder: Any = SimpleNamespace(stepper=lambda: tmp_path / "stepper")
    catalogue = SimpleNamespace(primitives={executable.subject.key: None}, asked=[executable.subject.key])
    campaigns: list[Any] = [
        SimpleNamespace(catalogue=catalogue, builder=builder, is_timed=True, cache=Cache(tmp_path / "cache"))
        for _ in range(2)
    ]
    first, second = (hot_paths.hot_paths(campaign, Options(), PLAN, [executable]) for campaign in campaigns)
    assert first == second
    assert [size.name for size in second] == list(names)
    assert len(counted) == times
