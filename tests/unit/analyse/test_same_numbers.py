# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables, plots and the graphs of the web report show the same numbers, whatever the timer and the code are like.

So does the choice of tunings, which sees one process at a time. Tables are tested for themselves; here it is what the
others show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from cyclometer.analyse import cells, prepare, summarise
from cyclometer.analyse.curves import plot_data
from cyclometer.analyse.estimate.cells import Cell
from cyclometer.analyse.estimate.comparability import comparable
from cyclometer.analyse.site_series import Line, system_series
from cyclometer.campaign.candidate_cycles import cycles_of_points
from cyclometer.host.counters import CounterScore
from cyclometer.records.curve import Curve, PlotInputs
from cyclometer.records.run import RunInfo
from cyclometer.store import connect, select_runs
from support.synthetic import CHAIN_CYCLES, OVERHEAD, QUIET_LOAD, earlier_runs, process, run_info, sample, write_run

LENGTHS = (0, 40, 576, 1500)
TICKS = {"name": "rdtsc", "unit": "TSC ticks", "per_second": 2e9, "chain_cycles": 1.25 * CHAIN_CYCLES}
IN_STEPS = {**TICKS, "resolution": 26.0, "dither_cycles": 40}
Stored = tuple[duckdb.DuckDBPyConnection, list[RunInfo]]
COUNTERS = {"converted ticks": TICKS, "steps of 26 ticks": IN_STEPS}


def one_cost(noise: np.random.Generator, length: int) -> list[int]:
    """Draw timings around one cost."""
    return (1000 + 2 * length + noise.integers(0, 200, 15)).tolist()


def two_costs(noise: np.random.Generator, length: int) -> list[int]:
    """Draw timings of which some are five times as long: a forgery noticed at once or at the end."""
    return (one_cost(noise, length) * np.where(noise.random(15) < 0.4, 5, 1)).tolist()


def next_to_nothing(noise: np.random.Generator, _: int) -> list[int]:
    """Draw timings that an empty function might have."""
    return (OVERHEAD + noise.integers(0, 5, 15)).tolist()


def in_steps(timings: list[int], noise: np.random.Generator, step: int) -> list[int]:
    """Read the timings with a timer that advances in steps, each from a random moment on."""
    return (step * ((np.array(timings) + noise.random(15) * step) // step)).astype(int).tolist()


@pytest.fixture(params=COUNTERS)
def counter(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Return each kind of counter in turn."""
    return COUNTERS[request.param]


@pytest.fixture(params=[one_cost, two_costs, next_to_nothing])
def stored(tmp_path: Path, counter: dict[str, Any], request: pytest.FixtureRequest) -> Iterator[Stored]:
    """Store a noisy run: some samples are disturbed, some rounds have no quiet one, and five runs came before."""
    noise, late = np.random.default_rng(4), {"chain_after": 2 * CHAIN_CYCLES}
    processes = []
    for number in range(4):
        taken = [sample("empty", 0)]
        for length in LENGTHS * 2:
            timings = request.param(noise, length)
            if step := int(counter.get("resolution", 0)):
                timings = in_steps(timings, noise, step)
            disturbed = late if noise.random() < 0.5 else {}
            taken.append(sample("encrypt", 0, length, series=timings, **disturbed))
        processes.append(process("a", taken, round=number))
    earlier = earlier_runs("a", 2000, 2100, 2200, 2300, 2400, length=576)
    write_run(tmp_path, run_info(counter=counter), processes, earlier=earlier)
    runs = select_runs(tmp_path)
    infos = [entry.info for entry in runs if entry.info]
    with connect(runs) as connection:
        prepare(connection, infos)
        yield connection, infos


def of_table(stored: Stored) -> list[Cell]:
    """Return the cells of tables, by length."""
    found = sorted(cells(summarise(stored[0])), key=lambda cell: cell.variables["length"])
    assert [cell.variables["length"] for cell in found] == list(LENGTHS)
    return found


def assert_same(found: Curve | Line, expected: list[Cell]) -> None:
    """Assert that headlines, intervals and marks are those of the cells."""
    assert found.lengths.tolist() == list(LENGTHS)
    assert found.cycles == pytest.approx([cell.cycles for cell in expected])
    assert found.disturbed.tolist() == [cell.disturbed for cell in expected]
    intervals = [cell.interval or (np.nan, np.nan) for cell in expected]
    assert np.stack([found.low, found.high], axis=1) == pytest.approx(np.array(intervals), nan_ok=True)


def test_plots_have_the_numbers_of_tables(stored: Stored) -> None:
    (data,), _ = plot_data(*stored, {"crypto_aead": ["a"]}, PlotInputs())
    (found,), expected = data.curves, of_table(stored)
    assert_same(found, expected)
    quartiles = np.stack([found.first_quartile, found.third_quartile], axis=1)
    assert quartiles == pytest.approx(np.array([cell.quartiles for cell in expected]))


def test_graphs_of_the_web_report_have_the_numbers_of_tables(stored: Stored) -> None:
    connection, infos = stored
    scope, _ = comparable(infos, "crypto_aead")
    ((_, series),) = system_series(connection, scope, ["a"])
    (found,) = series.lines
    assert_same(found, of_table(stored))


SHORT_CHAINS = tuple(range(16, 24))
DISTURBED = 3  # of ten samples


@pytest.mark.parametrize("code", [one_cost, two_costs])
def test_the_choice_of_tunings_has_the_numbers_of_tables(
    tmp_path: Path, counter: dict[str, Any], code: Callable[[np.random.Generator, int], list[int]]
) -> None:
    """One process of a clock that changes halfway; some of its samples were disturbed.

    The two take the middle of a series in different ways, which differ by less than its timings do.
    """
    noise = np.random.default_rng(4)
    step = int(counter.get("resolution", 0))

    def taken(measure: str, timings: list[int], length: int, number: int, keys: int = 1) -> dict[str, Any]:
        clock, is_disturbed = 1.0 if number < 20 else 1.1, measure != "empty" and number % 10 < DISTURBED
        ticks = [round(1.5 * clock * each) if is_disturbed else round(clock * each) for each in timings]
        chains = {name: round(clock * (CHAIN_CYCLES + OVERHEAD)) for name in ("chain_before", "chain_after")}
        loads = {name: round((2 if is_disturbed else 1) * clock * QUIET_LOAD) for name in ("load_before", "load_after")}
        series = in_steps(ticks, noise, step) if step else ticks
        return sample(measure, 0, length, keys=keys, series=series, sequence=number, **chains, **loads)

    # The counter's ticks are 1.25 core cycles long, so that a chain of `length` core cycles takes 0.8 times as many.
    empty = [
        taken("empty", [round(length / 1.25) + OVERHEAD] * 15, length, number, keys=0)
        for number, length in enumerate(SHORT_CHAINS * 5)
    ]
    calls = [taken("encrypt", code(noise, length), length, number) for number, length in enumerate(LENGTHS * 10)]
    samples = process("a", sorted(empty + calls, key=lambda row: row["sequence"]))
    write_run(tmp_path, run_info(counter={**counter, "quiet_ratio": QUIET_LOAD / (CHAIN_CYCLES + OVERHEAD)}), [samples])

    runs = select_runs(tmp_path)
    with connect(runs) as connection:
        prepare(connection, [entry.info for entry in runs if entry.info])
        expected = {cell.variables["length"]: cell.cycles for cell in cells(summarise(connection))}
    quiet = [load < 1.5 * QUIET_LOAD for load in samples["load_before"].tolist()]
    score = CounterScore(
        file="rdtsc",
        unit=counter["unit"],
        resolution=counter.get("resolution", 1.0),
        dither_cycles=counter.get("dither_cycles", 0),
    )
    costs = cycles_of_points(samples, score, round(counter["chain_cycles"]), quiet)
    assert {point[1]: cost.cycles for point, cost in costs.items()} == pytest.approx(expected, rel=0.01)
