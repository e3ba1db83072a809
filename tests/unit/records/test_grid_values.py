# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer run --length ... --keys ...`: the user's values in the place of a profile's.

with_values(lines of the profile, lengths, keys)
"""

from __future__ import annotations

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.records.grid import keys_of, lengths_of, text_of, with_values

QUICK = ("encrypt length=0,576 repetition=1-3", "expandkey", "encrypt length=576 keys=2,4,8192")
FULL = (
    "encrypt length=0-8192",
    "expandkey",
    "encrypt length=0-2048/32 keys=8192",
    "encrypt length=0-640/32 keys=4",
    "encrypt length=0-576/32 keys=2",
)
BATCHES = ("open length=59", "open_batch length=59 keys=1,2,64")


def test_without_wishes_the_profile_is_what_it_is() -> None:
    assert with_values(QUICK, "", "") == QUICK


def test_lengths_replace_those_of_every_line_but_the_pools() -> None:
    assert with_values(QUICK, "64,1300", "") == (
        "encrypt length=64,1300 repetition=1-3", "expandkey", "encrypt length=576 keys=2,4,8192",
    )  # fmt: skip


def test_keys_replace_those_of_the_pools_lines() -> None:
    assert with_values(QUICK, "", "100,10000") == (*QUICK[:2], "encrypt length=576 keys=100,10000")


def test_a_single_key_is_what_the_other_lines_are_about() -> None:
    assert with_values(QUICK, "64", "1") == ("encrypt length=64 repetition=1-3", "expandkey")


def test_unless_one_of_many_is_measured_as_such() -> None:
    assert with_values(BATCHES, "", "1,100") == ("open length=59", "open_batch length=59 keys=1,100")


def test_both_are_every_length_with_every_number_of_keys() -> None:
    assert with_values(QUICK, "64,1300", "1,5,10000") == (
        "encrypt length=64,1300 repetition=1-3", "expandkey", "encrypt length=64,1300 keys=5,10000",
    )  # fmt: skip


def test_a_full_profile_keeps_its_own_lengths_for_the_nearest_number_of_keys() -> None:
    assert with_values(FULL, "", "3,10000")[2:] == (
        "encrypt length=0-576/32 keys=3", "encrypt length=0-2048/32 keys=10000",
    )  # fmt: skip


@pytest.mark.parametrize("text", ["0", "0,40,576", "1-5", "0-8192/64", "7,0-10/5"])
def test_values_are_written_as_they_are_read(text: str) -> None:
    assert text_of(lengths_of(text)) == text


@pytest.mark.parametrize("text", ["forty", "-40", "40,", "4.5", " ", "80-40", "1-9/0", "９", "1e3", "99999999999"])
def test_what_is_no_length_is_refused_by_name(text: str) -> None:
    with pytest.raises(CyclometerError, match="--length"):
        lengths_of(text)


@pytest.mark.parametrize("text", ["0", "many", "1,", "2097152"])
def test_what_is_no_number_of_keys_is_refused_by_name(text: str) -> None:
    with pytest.raises(CyclometerError, match="--keys"):
        keys_of(text)
