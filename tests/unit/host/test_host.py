# SPDX-License-Identifier: MIT OR Apache-2.0
"""The choice of a counter, and the facts about the machine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cyclometer.errors import MachineUnfit
from cyclometer.host import CounterScore, choose_counter, cores_beside, cpu_flags, cpu_name, facts, score_counters
from cyclometer.host.facts import cores_of


def score(file: str, unit: str, chain: float = 1024, overhead: float = 30, **changes: Any) -> CounterScore:
    """Score a counter of a 3-GHz core whose chain of 1024 cycles takes `chain` units."""
    fields: dict[str, Any] = {
        "file": file,
        "name": file,
        "unit": unit,
        "overhead": overhead,
        "resolution": 1.0,
        "chain": chain,
        "chain_cycles": 1024,
        "per_second": 3e9,
        **changes,
    }
    return CounterScore(**fields)


PMU = score("perf_rdpmc", "core cycles", chain=1030)
TSC = score("rdtsc", "TSC ticks", chain=800)
CLOCK = score("clock_gettime", "ns", chain=341, overhead=20, per_second=1e9)


def test_core_cycles_come_first_then_counters_that_the_chain_scales_then_the_clock() -> None:
    assert sorted([CLOCK, TSC, PMU], key=lambda each: each.rank) == [PMU, TSC, CLOCK]


def test_a_counter_that_claims_core_cycles_and_counts_something_else_is_not_believed() -> None:
    crooked = score("perf_rdpmc", "core cycles", chain=1500)
    assert not crooked.agrees
    assert PMU.agrees
    assert choose_counter([crooked, score("other", "core cycles", overhead=500)]).file == "other"


def test_without_a_known_chain_length_no_counter_agrees() -> None:
    assert not score("perf_read", "core cycles", chain_cycles=0).agrees
    assert score("perf_read", "core cycles", chain_cycles=0).core_hertz == 0


def test_the_cheaper_of_two_of_a_kind_is_chosen() -> None:
    dear = score("perf_a", "core cycles", overhead=1200)
    assert choose_counter([dear, PMU, TSC]) == PMU


@pytest.mark.parametrize(("first", "second"), [(50, 54), (54, 50)])
def test_nearly_equal_overheads_are_settled_by_name_not_by_noise(first: float, second: float) -> None:
    scores = [score("rdtscp", "TSC ticks", overhead=first), score("rdtsc", "TSC ticks", overhead=second)]
    assert choose_counter(scores).file == "rdtsc"


def test_a_resumed_run_goes_on_with_its_counter_if_it_still_works() -> None:
    assert choose_counter([PMU, TSC, CLOCK], "clock_gettime") == CLOCK
    gone = CounterScore(file="rdtsc", absent="not permitted")
    assert choose_counter([PMU, CLOCK, gone], "rdtsc") == PMU


def test_without_any_counter_all_reasons_are_reported() -> None:
    absent = [CounterScore(file="a", absent="no a"), CounterScore(file="b", absent="no b")]
    with pytest.raises(MachineUnfit, match=r"a: no a; b: no b"):
        choose_counter(absent)


def test_the_clock_of_the_core_follows_from_the_chain() -> None:
    assert TSC.core_hertz == pytest.approx(3e9 * 1024 / 800)


def test_a_probe_that_could_not_be_built_or_does_not_run_is_absent_with_the_reason() -> None:

    [first, second] = score_counters({"a": "does not compile", "b": Path("/bin/false")}, None)
    assert {first.absent, second.absent} == {"does not compile", "exit status 1"}


def test_every_fact_has_a_value_or_is_unknown() -> None:
    values = {fact.name: fact.value for fact in facts()}
    assert {"cpu", "cores", "governor", "turbo", "smt", "kernel", "load", "microcode"} <= set(values)
    assert all(isinstance(value, str) and value for value in values.values())
    assert values["cpu"] == cpu_name()
    assert cpu_flags()


def test_cores_that_may_be_used_beside_a_measurement_exclude_it_and_its_other_threads() -> None:
    assert cores_of("0-2,8") == {0, 1, 2, 8}
    assert cores_of("") == set()
    ours = os.sched_getaffinity(0)
    assert cores_beside(max(ours)) < ours
    assert cores_beside(None) == set()
