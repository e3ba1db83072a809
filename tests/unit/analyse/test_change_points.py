# SPDX-License-Identifier: MIT OR Apache-2.0
"""Change points: the penalised least squares over every possible segmentation, tried one by one."""

from __future__ import annotations

import itertools
import math

import numpy as np

from cyclometer.analyse.change_points import change_points, noise


def by_trying_all(values: np.ndarray) -> list[int]:
    logs = np.log(values)
    count = len(logs)

    def cost(cuts: tuple[int, ...]) -> float:
        parts = np.split(logs, cuts)
        squares = sum(float(((part - part.mean()) ** 2).sum()) for part in parts)
        return squares / noise(logs) ** 2 + 3 * math.log(count) * len(cuts)

    every = (cuts for number in range(4) for cuts in itertools.combinations(range(1, count), number))
    return list(min(every, key=cost))


def test_the_segmentation_is_the_best_of_all() -> None:
    rng = np.random.default_rng(20261124)
    for step in (0.0, 0.01, 0.02, 0.05):
        values = 1000 * np.exp(rng.normal(0, 0.005, 14) + step * (np.arange(14) >= 6) - step * (np.arange(14) >= 11))
        assert change_points(values) == by_trying_all(values)


def test_noise_alone_has_few_change_points() -> None:
    rng = np.random.default_rng(1)
    found = [change_points(1000 * np.exp(rng.normal(0, 0.01, 40))) for _ in range(100)]
    assert sum(map(bool, found)) <= 10


def test_a_step_of_two_deviations_is_found_where_it_is() -> None:
    values = [1000, 1010, 995, 1005, 1000, 990, 1008, 1055, 1060, 1050, 1045, 1062, 1057, 1049]
    assert change_points(values) == [7]


def test_little_is_no_change() -> None:
    assert change_points([1000, 1000, 1000, 1003, 1003, 1003]) == []
    assert change_points([1000, 2000]) == []
