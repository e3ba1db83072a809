# SPDX-License-Identifier: MIT OR Apache-2.0
"""Lengths between two measured ones lie on a straight line."""

from __future__ import annotations

import numpy as np
import pytest

from cyclometer.analyse.estimate.interpolation import Lines, shares


def test_a_length_is_shared_by_the_measured_ones_beside_it() -> None:
    assert shares((0, 100, 500), 200) == ((100, 0.75), (500, 0.25))
    assert shares((0, 100, 500), 100) == ((100, 1.0),)


@pytest.mark.parametrize("outside", [9, 501])
def test_nothing_is_said_about_lengths_outside(outside: int) -> None:
    assert shares((10, 100, 500), outside) == ()


def test_points_are_added_only_where_both_neighbours_have_the_other_variables() -> None:
    measured = np.array(
        [(64, 0, 1, 0), (576, 0, 1, 0), (1500, 0, 1, 0), (576, 0, 32, 0)]
    )  # length, ad, keys, alignment
    lines = Lines({"encrypt": measured})
    added = {tuple(row) for row in lines.with_lengths([576, 1400, 9000])["encrypt"].tolist()} - set(
        map(tuple, measured.tolist())
    )
    assert added == {(1400, 0, 1, 0)}  # not with 32 keys, which were measured at one length
    assert [part for part, _ in lines.parts(("encrypt", 1400, 0, 1, 0))] == [
        ("encrypt", 576, 0, 1, 0),
        ("encrypt", 1500, 0, 1, 0),
    ]
