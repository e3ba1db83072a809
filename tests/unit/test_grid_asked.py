# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer run --length ... --keys ...`: the user's values in the place of a profile's.

    with_values(lines of the profile, lines of all profiles, lengths, keys)
"""

from __future__ import annotations

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.grid import cut_short, keys_of, lengths_of, text_of, with_values

QUICK = ("encrypt length=0,576 repetition=1-3", "expandkey", "encrypt length=576 keys=2,4,8192")
FULL = (
    "encrypt length=0-8192",
    "expandkey",
    "encrypt length=0-2048/32 keys=8192",
    "encrypt length=0-640/32 keys=4",
    "encrypt length=0-576/32 keys=2",
)
EVERY = (*QUICK, *FULL)
BATCHES = ("open length=59", "open_batch length=59 keys=1,2,64")


def test_without_wishes_the_profile_is_what_it_is() -> None:
    assert with_values(QUICK, EVERY, "", "") == QUICK


def test_lengths_replace_those_of_every_line_but_the_pools() -> None:
    assert with_values(QUICK, EVERY, "64,1300", "") == (
        "encrypt length=64,1300 repetition=1-3", "expandkey", "encrypt length=576 keys=2,4,8192",
    )  # fmt: skip


def test_keys_replace_those_of_the_pools_lines() -> None:
    assert with_values(QUICK, EVERY, "", "100,10000") == (*QUICK[:2], "encrypt length=576 keys=100,10000")


def test_a_single_key_is_what_the_other_lines_are_about() -> None:
    assert with_values(QUICK, EVERY, "64", "1") == ("encrypt length=64 repetition=1-3", "expandkey")


def test_unless_one_of_many_is_measured_as_such() -> None:
    assert with_values(BATCHES, BATCHES, "", "1,100") == ("open length=59", "open_batch length=59 keys=1,100")


def test_the_pools_rule_holds() -> None:
    """As declared: up to 576 bytes with 2 keys, 640 with 4 and whatever is between, 2048 with 8192 and more."""
    assert with_values(QUICK, EVERY, "64,640,1300,8192", "2,5,10000")[2:] == (
        "encrypt length=64 keys=2",
        "encrypt length=64,640 keys=5",
        "encrypt length=64,640,1300 keys=10000",
    )
    assert cut_short(EVERY, "64,640,1300,8192", "2,5,10000") == {2: 576, 5: 640, 10000: 2048}


def test_ranges_are_cut_where_the_rule_says() -> None:
    assert with_values(QUICK, EVERY, "0-8192/64", "8192")[2] == "encrypt length=0-2048/64 keys=8192"


def test_a_full_profile_keeps_its_own_lengths_for_the_nearest_number_of_keys() -> None:
    assert with_values(FULL, EVERY, "", "3,10000")[2:] == (
        "encrypt length=0-576/32 keys=3", "encrypt length=0-2048/32 keys=10000",
    )  # fmt: skip


def test_what_has_one_length_for_all_numbers_of_keys_has_no_rule() -> None:
    assert with_values(BATCHES, BATCHES, "1300", "64") == ("open length=1300", "open_batch length=1300 keys=64")
    assert cut_short(BATCHES, "1300", "64") == {}


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
