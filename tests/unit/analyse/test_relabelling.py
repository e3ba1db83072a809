# SPDX-License-Identifier: MIT OR Apache-2.0
"""Limits from the A/A control: what they must keep is known, because the noise here is drawn by the test."""

from __future__ import annotations

import numpy as np

from cyclometer.analyse.comparison.relabelling import MIN_ROUNDS, limits

ROUNDS, POINTS = 30, 8


def cycles(rng: np.random.Generator, *, slower: float = 0.0) -> list[np.ndarray]:
    """Draw A, B and A' with noise of 0.3 % and, in one process of twenty, a disturbance of up to 10 %.

    B is slower at one point.
    """
    noise = rng.normal(0, 0.003, (3, POINTS, ROUNDS)) + rng.uniform(0, 0.1, (3, 1, ROUNDS)) * (
        rng.random((3, 1, ROUNDS)) < 0.05
    )
    drift = np.linspace(0, 0.2, ROUNDS)  # the same for all three
    noise[1, 2] += np.log1p(slower)
    return list(1000 * np.exp(noise + drift))


def share_of_alarms(slower: float, count: int) -> float:
    rng = np.random.default_rng(20261124)
    gates = (limits(*cycles(rng, slower=slower)) for _ in range(count))
    return float(np.mean([(gate.estimate > gate.limit).any() for gate in gates]))


def test_at_most_one_gate_in_a_hundred_fails_by_chance_over_all_its_points() -> None:
    assert share_of_alarms(0.0, 200) <= 0.025  # of 200: 5, which a true share of 1 % exceeds in 1.6 % of such tests


def test_one_per_cent_at_one_of_eight_points_is_seen() -> None:
    assert share_of_alarms(0.01, 100) >= 0.95


def test_a_slowdown_is_estimated_whatever_a_few_disturbed_processes_did() -> None:
    found = limits(*cycles(np.random.default_rng(1), slower=0.05))
    assert abs(np.expm1(found.estimate[2]) - 0.05) < 0.005


def test_more_points_need_a_larger_limit() -> None:
    rng = np.random.default_rng(2)
    three = [np.exp(rng.normal(0, 0.01, (64, ROUNDS))) for _ in range(3)]
    one = limits(*(side[:1] for side in three)).limit[0]
    assert limits(*three).limit[0] > 1.2 * one


def test_too_few_complete_rounds_are_not_judged() -> None:
    three = cycles(np.random.default_rng(3))
    three[2][0, MIN_ROUNDS - 1 :] = np.nan
    found = limits(*three)
    assert np.isnan(found.estimate[0])
    assert np.isfinite(found.limit[1:]).all()


def test_without_noise_there_is_no_chance() -> None:
    same = np.full((1, 10), 1000.0)
    found = limits(same, same, same)
    assert (found.estimate[0], found.limit[0]) == (0.0, 0.0)
