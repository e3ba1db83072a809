# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables in memory: rows become columns and rows again, and nothing is cut to fit a type."""

from __future__ import annotations

import numpy as np
import pytest

from cyclometer.records.columns import (
    INT16,
    INT64_LIST,
    NUMBER,
    TEXT,
    array_of,
    chosen,
    columns_of,
    joined,
    lists_of,
    rows_of,
    with_constants,
)

TYPES = {"measure": TEXT, "length": INT16, "ratio": NUMBER, "series": INT64_LIST}
ROWS = [
    {"measure": "encrypt", "length": 576, "ratio": None, "series": [3, 1, 2]},
    {"measure": "open", "length": -1, "ratio": 0.5, "series": []},
]


def test_rows_become_columns_and_rows_again() -> None:
    columns = columns_of(ROWS, TYPES)
    assert columns["length"].dtype == np.int16
    assert rows_of(columns) == ROWS
    assert rows_of(joined([columns, columns])) == ROWS * 2
    assert rows_of(chosen(columns, columns["length"] > 0)) == ROWS[:1]
    assert rows_of(with_constants(columns, {"control": 7}, {"control": INT16}))[1] == {**ROWS[1], "control": 7}


def test_what_a_row_lacks_is_no_value() -> None:
    assert rows_of(columns_of([{"measure": "encrypt"}], TYPES)) == [
        {"measure": "encrypt", "length": None, "ratio": None, "series": None}
    ]


def test_a_number_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(OverflowError):
        array_of(INT16, [1 << 15])


def test_lists_are_also_their_items_and_lengths() -> None:
    items, counts = lists_of(array_of(INT64_LIST, [np.array([3, 1, 2]), None, np.array([7])]))
    assert items.tolist() == [3, 1, 2, 7]
    assert counts.tolist() == [3, 0, 1]
