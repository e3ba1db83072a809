# SPDX-License-Identifier: MIT OR Apache-2.0
"""Ticks become core cycles by the chains beside them, on samples whose cost and clock are known by construction."""

from __future__ import annotations

import random
import statistics
import tracemalloc
from typing import Any

import numpy as np
import pytest

from cyclometer.campaign.candidate_cycles import cycles_of_points
from cyclometer.host.counters import CounterScore

CHAIN_CYCLES, SHORT_CYCLES, OVERHEAD = 8192, 16, 24

COUNTER = CounterScore(file="ticks", unit="TSC ticks", resolution=1.0)


def samples(*calls: tuple[str, int, int, float]) -> dict[str, Any]:
    """Make samples of (measure, length, cycles, ticks per core cycle)."""

    def ticks(cycles: int, clock: float) -> float:
        return (cycles + OVERHEAD) * clock

    chains = [ticks(CHAIN_CYCLES, clock) for *_, clock in calls]
    columns = {
        "measure": [measure for measure, *_ in calls],
        "length": [length for _, length, *_ in calls],
        "ad_length": [0] * len(calls),
        "keys": [int(measure != "empty") for measure, *_ in calls],
        "alignment": [0] * len(calls),
        "chain_before": chains,
        "chain_after": chains,
    }
    series = [np.array([ticks(cycles, clock)] * 15) for _, _, cycles, clock in calls]
    return {name: np.array(values) for name, values in columns.items()} | {"series": series}


@pytest.mark.parametrize("slow", [1.0, 1.08, 1.5], ids="the clock slows down by {}".format)
def test_a_clock_that_changes_within_a_process_changes_no_figure(slow: float) -> None:
    table = samples(
        ("empty", SHORT_CYCLES, SHORT_CYCLES, 0.7 * slow),
        ("encrypt", 40, 200, 0.7),
        ("encrypt", 576, 1000, 0.7 * slow),
        ("decrypt", 576, 1000, 0.7),
        *[("reject", length, 500, 0.7 * slow) for length in range(20)],
    )
    cycles = cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True] * 24)
    found = {point[:2]: figure for point, (figure, *_) in cycles.items()}
    assert found["encrypt", 40] == pytest.approx(200)
    assert found["encrypt", 576] == found["decrypt", 576] == pytest.approx(1000)


def test_a_chain_that_alone_is_slow_was_interrupted() -> None:
    """Half a millisecond of a neighbour slowed down the chain on both sides of a sample, which seemed twice as fast."""
    table = samples(
        *[("empty", SHORT_CYCLES + number, SHORT_CYCLES + number, 0.7) for number in range(8)],
        *[("hash", length, 1300, 0.7) for length in (16, 64, 576, 1500)],
    )
    for name in ("chain_before", "chain_after"):
        table[name][10] *= 1.9
    cycles = cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True] * 12)
    assert [cost.cycles for cost in cycles.values()] == pytest.approx([1300] * 4)


def clock_by_definition(chains: list[int], number: int) -> float:
    """Return the chain timing that belongs to a sample, comparing it with every other."""

    def same(own: int) -> list[int]:
        return [chain for chain in chains if abs(own - chain) <= 0.01 * own]

    clocks = [statistics.median(same(chains[index])) for index in (number - 1, number, (number + 1) % len(chains))]
    before, own, after = clocks
    is_inner = 0 < number < len(chains) - 1
    if is_inner and len(same(chains[number])) == 1 and own > max(before, after) and abs(before - after) <= before / 100:
        return (before + after) / 2
    return own


@pytest.mark.parametrize("seed", range(8))
def test_the_clock_of_a_sample_is_the_median_of_those_that_show_the_same(seed: int) -> None:
    rng = random.Random(seed)
    ticks, clocks = 700, [rng.randrange(1000, 6000) for _ in range(5)]
    chains = [
        round(rng.choice(clocks) * rng.choice([1, 1, 1, 1.01, 1.005, 0.99, rng.uniform(1, 3)])) for _ in range(300)
    ]
    table = samples(("empty", SHORT_CYCLES, SHORT_CYCLES, 1.0), *[("hash", n, 1, 1.0) for n in range(1, len(chains))])
    table |= {
        "chain_before": np.array(chains),
        "chain_after": np.array([chain + number % 2 for number, chain in enumerate(chains)]),
    }
    table["series"] = np.array([[ticks // 20] * 15, *[[ticks] * 15] * (len(chains) - 1)])
    cycles = cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True] * len(chains))
    short = ticks // 20 / clock_by_definition(chains, 0)
    overhead = (short * CHAIN_CYCLES - SHORT_CYCLES) / (1 - short)
    expected = [
        ticks / clock_by_definition(chains, number) * (CHAIN_CYCLES + overhead) - overhead
        for number in range(1, len(chains))
    ]
    assert [cost.cycles for cost in cycles.values()] == pytest.approx(expected, rel=1e-12)


def test_many_samples_take_little_memory() -> None:
    """A candidate's samples are looked at while another process is measured, whose caches that must not fill."""
    table = samples(("empty", SHORT_CYCLES, SHORT_CYCLES, 1.0), *[("hash", n, 200, 1.0) for n in range(3000)])
    tracemalloc.start()
    cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True] * 3001)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3001 * 4096


def test_the_overhead_is_the_mean_of_short_chains_of_several_lengths() -> None:
    """Every fourth length takes two cycles more on this processor, in the overhead and in what is timed."""
    chains = [("empty", length, length + 2 * (length % 4 == 1), 0.7) for length in range(16, 24)]
    timed = [("encrypt", length, 200 + length + 2 * (length % 4 == 1), 0.7) for length in range(4)]
    cycles = cycles_of_points(samples(*chains, *timed), COUNTER, CHAIN_CYCLES, [True] * 12)
    errors = [figure - 200 - int(length) for (_, length, *_), (figure, *_) in cycles.items()]
    assert errors == pytest.approx([-0.5, 1.5, -0.5, -0.5], abs=0.02)


def test_without_a_chain_of_known_cost_figures_are_ticks() -> None:
    table = samples(("empty", 0, 0, 0.5), ("encrypt", 40, 200, 0.5))
    [cost] = cycles_of_points(table, COUNTER, 0, [True, True]).values()
    assert (cost.cycles, cost.quiet) == (pytest.approx(100), True)


def test_undisturbed_repetitions_take_precedence() -> None:
    table = samples(("empty", SHORT_CYCLES, SHORT_CYCLES, 1.0), ("encrypt", 40, 900, 1.0), ("encrypt", 40, 200, 1.0))
    [cost] = cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True, False, True]).values()
    assert (cost.cycles, cost.quiet) == (pytest.approx(200), True)


def test_a_cost_with_several_values_is_their_mean() -> None:
    """The same rule as for the numbers of a table, so that earlier runs compare with them."""
    table = samples(("empty", SHORT_CYCLES, SHORT_CYCLES, 0.7), ("reject", 40, 200, 0.7), ("decrypt", 40, 1000, 0.7))
    table["series"][1][:7] = (9000 + OVERHEAD) * 0.7
    table["series"][2][0] = (9000 + OVERHEAD) * 0.7
    cycles = cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True] * 3)
    found = {point[0]: figure for point, (figure, *_) in cycles.items()}
    assert found["reject"] == pytest.approx((6 * 200 + 5 * 9000) / 11)
    assert found["decrypt"] == pytest.approx(1000), "one slow call is no second value"


def test_a_sample_counts_as_often_as_it_has_timings() -> None:
    table = samples(("empty", SHORT_CYCLES, SHORT_CYCLES, 1.0), ("open", 40, 4000, 1.0), ("open", 40, 1000, 1.0))
    table["series"] = np.array([table["series"][0], table["series"][1][:1], table["series"][2][:13]], dtype=object)
    [cost] = cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True] * 3).values()
    assert (cost.cycles, cost.quiet) == (pytest.approx(1000), True)


def test_the_least_cost_is_that_of_the_fastest_call() -> None:
    """A neighbour of the guest slows down all calls of Curve25519 but one, and no probe shows it."""
    table = samples(("empty", SHORT_CYCLES, SHORT_CYCLES, 0.7), ("multiply", 0, 114_000, 0.7))
    table["series"][1][:14] *= 3
    [cost] = cycles_of_points(table, COUNTER, CHAIN_CYCLES, [True] * 2).values()
    assert cost.least == pytest.approx(114_000, rel=1e-4)
    assert cost.cycles == pytest.approx(3 * 114_000, rel=1e-3)
