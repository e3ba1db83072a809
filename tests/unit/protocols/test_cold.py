# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cold costs of primitives, from the newest stored run of placement that has them."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from cyclometer.protocols.cold import cold_cost, cold_costs
from cyclometer.records.columns import columns_of
from cyclometer.records.placement import PLACEMENT
from support.synthetic import process, run_info, sample, series, write_run

GCM = "crypto_aead/aes-128-gcm"


def placed(measure: str, warm: float, length: int, *, cold: str = "", first: float = 0) -> dict[str, Any]:
    timings = series(warm)
    if cold:
        timings[0] = round(first) + timings[0] - round(warm)
    places = {"output_alignment": 0, "key_alignment": 0, "call_site": 1, "between": 0, "link": 0, "environment": 0}
    return {**sample(measure, warm, length), **places, "cold": cold, "trial": 0, "series": timings}


def store(results: Path, day: int, first: float, *, profile: str = "placement", machine: str = "box") -> None:
    started = datetime.datetime(2026, 11, day, tzinfo=datetime.UTC)
    info = run_info(run=f"2026-11-{day}-{profile}", machine=machine, started=started, profile=profile)
    rows = [
        {**placed("empty", 0, 0), "call_site": 0},
        placed("encrypt", 200, 40),
        placed("encrypt", 200, 40, cold="all", first=first),
        placed("encrypt", 500, 140, cold="all", first=first + 300),
        placed("encrypt", 200, 40, cold="key", first=999),
    ]
    write_run(results, info, [{**process("aes-128-gcm", rows, info=info), **columns_of(rows, PLACEMENT)}])


def test_the_newest_run_of_placement_on_this_machine_counts(tmp_path: Path) -> None:
    store(tmp_path, 20, 2000)
    store(tmp_path, 21, 3000)
    store(tmp_path, 22, 4000, profile="quick")
    store(tmp_path, 23, 5000, machine="other")
    costs = cold_costs(tmp_path, "box", [GCM, "crypto_aead/unknown"])
    assert {point: sorted(lengths) for point, lengths in costs.items()} == {(GCM, "encrypt"): [40, 140]}
    assert cold_cost(costs, GCM, "encrypt", 40) == pytest.approx(3000, abs=1)


def test_a_length_between_those_measured_lies_on_a_line(tmp_path: Path) -> None:
    store(tmp_path, 20, 2000)
    costs = cold_costs(tmp_path, "box", [GCM])
    assert cold_cost(costs, GCM, "encrypt", 90) == pytest.approx(2150, abs=1)
    assert cold_cost(costs, GCM, "decrypt", 90) is None


def test_without_such_a_run_nothing_is_known(tmp_path: Path) -> None:
    store(tmp_path, 20, 2000, profile="quick")
    assert cold_costs(tmp_path, "box", [GCM]) == {}
