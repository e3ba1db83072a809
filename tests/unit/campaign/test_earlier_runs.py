# SPDX-License-Identifier: MIT OR Apache-2.0
"""Each run keeps what it measured of a program, so that the next ones know how far runs lie apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cyclometer.campaign.earlier_runs import MAX_RUNS, EarlierRuns, RunCosts
from cyclometer.host.counters import CounterScore
from cyclometer.measure import Measured
from support import fakes

PROGRAM = fakes.executable("ref")
POINT = ("xor", 576, 0, 1, 0)
CHAIN, OVERHEAD, LOAD = 8192, 24, 6000
COUNTER = CounterScore(file="cycles", unit="core cycles", resolution=1.0)


def process(cycles: int, *, quiet: bool = True) -> Measured:
    """Make what a process measures that takes so many cycles for 576 bytes."""
    rows = [("empty", 16, 0, 16), ("xor", 576, 1, cycles)]
    columns: dict[str, Any] = {
        "measure": [measure for measure, *_ in rows],
        "length": [length for _, length, *_ in rows],
        "ad_length": [0, 0],
        "keys": [keys for _, _, keys, _ in rows],
        "alignment": [0, 0],
        "context_switches": [0, 0 if quiet else 1],
        **dict.fromkeys(("chain_before", "chain_after"), [CHAIN + OVERHEAD] * 2),
        **dict.fromkeys(("load_before", "load_after"), [LOAD] * 2),
    }
    series = [np.array([taken + OVERHEAD] * 15) for *_, taken in rows]
    table = {name: np.array(values) for name, values in columns.items()} | {"series": series}
    nobody: Any = None  # repeats its calls
    return Measured(executable=PROGRAM, samples=table, chain_cycles=CHAIN, repeater=nobody)


def run(*processes: Measured) -> RunCosts:
    """Return what a run of these processes has measured."""
    costs = RunCosts(COUNTER)
    for each in processes:
        costs.add(each, noise_floor=0.0)
    return costs


def test_the_next_run_knows_the_medians_of_those_before(tmp_path: Path) -> None:
    for cycles in (1000, 1010, 1020):
        rounds = run(process(cycles), process(cycles + 1), process(cycles + 2))
        EarlierRuns(tmp_path, "CPU rdtsc").add(PROGRAM, rounds.of(PROGRAM.subject))
    known = EarlierRuns(tmp_path, "CPU rdtsc").costs(PROGRAM)
    assert [(cost.measure, cost.length, cost.runs_ago, cost.cycles) for cost in known] == [
        ("xor", 576, 3, 1001.0),
        ("xor", 576, 2, 1011.0),
        ("xor", 576, 1, 1021.0),
    ]
    assert not EarlierRuns(tmp_path, "another CPU").costs(PROGRAM)
    assert not EarlierRuns(tmp_path, "CPU rdtsc").costs(fakes.executable("another program"))


def test_a_point_that_was_mostly_disturbed_is_not_kept() -> None:
    loud = process(1500, quiet=False)
    assert run(process(1000), process(1000), process(1000), loud).of(PROGRAM.subject) == {POINT: 1000.0}
    assert not run(process(1000), loud, loud, loud).of(PROGRAM.subject)
    assert not run(process(1000), process(1000)).of(PROGRAM.subject), "two rounds are too few"


def test_what_is_not_true_is_forgotten() -> None:
    costs = run(process(1000), process(1000), process(1000))
    costs.forget(PROGRAM.subject)
    assert not costs.of(PROGRAM.subject)


def test_what_varies_is_counted_until_it_had_enough_rounds() -> None:
    assert not run(process(1000), process(1001), process(1002)).varying(PROGRAM.subject, 6)
    wide = [process(cycles) for cycles in (980, 1000, 1020)]
    assert run(*wide).varying(PROGRAM.subject, 6) == 1, "Student's t of two degrees of freedom is 4.3"
    assert not run(*wide, *wide).varying(PROGRAM.subject, 6), "it had six"
    assert run(*wide[:2]).varying(PROGRAM.subject, 6) == 1, "two rounds are too few to know"


def test_only_the_latest_runs_are_kept(tmp_path: Path) -> None:
    earlier = EarlierRuns(tmp_path, "CPU rdtsc")
    for number in range(MAX_RUNS + 3):
        earlier.add(PROGRAM, {POINT: float(number)})
    assert [cost.cycles for cost in earlier.costs(PROGRAM)] == list(range(3, MAX_RUNS + 3))


def test_a_damaged_file_is_as_none(tmp_path: Path) -> None:
    earlier = EarlierRuns(tmp_path, "CPU rdtsc")
    earlier.add(PROGRAM, {POINT: 1000.0})
    [file] = earlier.folder.iterdir()
    file.write_text(file.read_text()[:-3])
    assert not earlier.costs(PROGRAM)
    earlier.add(PROGRAM, {POINT: 1001.0})
    assert [cost.cycles for cost in earlier.costs(PROGRAM)] == [1001.0]
