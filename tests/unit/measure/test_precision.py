# SPDX-License-Identifier: MIT OR Apache-2.0
"""How well cells are known: the standard error of a median, which falls with the number of rounds."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from cyclometer.measure import Job, Precision
from cyclometer.records.run import Batch
from support.fakes import executable

CHAIN = 8192


def rounds(spread: float, count: int, cells: int = 1) -> Precision:
    """Add rounds whose cost varies by this standard deviation, relative."""
    rng, precision, subject = random.Random(1), Precision(), executable("one")
    for number in range(count):
        costs = [1000 * (1 + rng.gauss(0, spread)) for _ in range(cells)]
        table = {
            "measure": np.array(["xor"] * cells, object),
            "length": np.arange(cells),
            "ad_length": np.zeros(cells, np.int64),
            "keys": np.ones(cells, np.int64),
            "alignment": np.zeros(cells, np.int64),
            "chain_before": np.full(cells, CHAIN),
            "chain_after": np.full(cells, CHAIN),
            "series": np.array([[cost] * 3 for cost in costs]),
        }
        batch = Batch(subject=subject.subject, control=False, round=number, chain_cycles=CHAIN, table=table)
        precision.add(Job(executable=subject, round=number, control=False, seed=0), batch)
    return precision


def test_the_error_is_that_of_a_median_of_normal_values() -> None:
    # The standard error of a median is sqrt(pi / 2) times that of the mean.
    assert rounds(0.01, 400).error == pytest.approx(math.sqrt(math.pi / 2) * 0.01 / math.sqrt(400), rel=0.15)


def test_nothing_is_known_after_one_round() -> None:
    assert rounds(0.0, 1).error == math.inf
    assert rounds(0.0, 2).error == 0.0


def test_of_many_cells_nothing_is_said() -> None:
    assert rounds(0.01, 4, cells=100).error == 0.0
