# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer run --length ... --keys ...`: the user's values in place of a profile's.

They are the arguments of with_values(lines of the profile, lengths, keys).
"""

from __future__ import annotations

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.records.grid import ad_lengths_of, keys_of, lengths_of, text_of, with_values, without_ad

QUICK = ("encrypt length=0,576 repetition=1-3", "expandkey", "encrypt length=576 keys=2,4,8192")
FULL = (
    "encrypt length=0-8192",
    "expandkey",
    "encrypt length=0-2048/32 keys=8192",
    "encrypt length=0-640/32 keys=4",
    "encrypt length=0-576/32 keys=2",
)
SEALED = ("encrypt length=0,576 ad_length=0", "encrypt length=576 ad_length=0 keys=2,4", "expandkey")
BATCHES = ("open length=59", "open_batch length=59 keys=1,2,64")


def test_without_options_the_profile_is_unchanged() -> None:
    assert with_values(QUICK, "", "") == QUICK


def test_lengths_replace_those_of_every_line_except_with_many_keys() -> None:
    assert with_values(QUICK, "64,1300", "") == (
        "encrypt length=64,1300 repetition=1-3", "expandkey", "encrypt length=576 keys=2,4,8192",
    )  # fmt: skip


def test_keys_replace_those_of_the_lines_with_many_keys() -> None:
    assert with_values(QUICK, "", "100,10000") == (*QUICK[:2], "encrypt length=576 keys=100,10000")


def test_a_single_key_is_measured_by_the_other_lines() -> None:
    assert with_values(QUICK, "64", "1") == ("encrypt length=64 repetition=1-3", "expandkey")


def test_one_key_of_many_is_measured_if_the_profile_does_so() -> None:
    assert with_values(BATCHES, "", "1,100") == ("open length=59", "open_batch length=59 keys=1,100")


def test_lengths_and_keys_are_combined() -> None:
    assert with_values(QUICK, "64,1300", "1,5,10000") == (
        "encrypt length=64,1300 repetition=1-3", "expandkey", "encrypt length=64,1300 keys=5,10000",
    )  # fmt: skip


def test_a_full_profile_keeps_its_lengths_for_the_nearest_number_of_keys() -> None:
    assert with_values(FULL, "", "3,10000")[2:] == (
        "encrypt length=0-576/32 keys=3", "encrypt length=0-2048/32 keys=10000",
    )  # fmt: skip


def test_associated_data_goes_where_a_measure_takes_it() -> None:
    assert with_values(SEALED, "40", "1,2", "0,8") == (
        "encrypt length=40 ad_length=0,8", "expandkey", "encrypt length=40 ad_length=0,8 keys=2",
    )  # fmt: skip


def test_a_system_without_associated_data_is_measured_without() -> None:
    assert without_ad(with_values(SEALED, "", "", "8,64")) == with_values(SEALED, "", "")


def test_bytes_of_associated_data_are_numbers() -> None:
    with pytest.raises(CyclometerError, match="--ad 'many' is not a list of lengths of associated data"):
        ad_lengths_of("many")


@pytest.mark.parametrize("text", ["0", "0,40,576", "1-5", "0-8192/64", "7,0-10/5"])
def test_values_are_written_as_they_are_read(text: str) -> None:
    assert text_of(lengths_of(text)) == text


@pytest.mark.parametrize("text", ["forty", "-40", "40,", "4.5", " ", "80-40", "1-9/0", "９", "1e3", "99999999999"])
def test_an_invalid_length_is_named(text: str) -> None:
    with pytest.raises(CyclometerError, match="--length"):
        lengths_of(text)


@pytest.mark.parametrize("text", ["0", "many", "1,", "2097152"])
def test_an_invalid_number_of_keys_is_named(text: str) -> None:
    with pytest.raises(CyclometerError, match="--keys"):
        keys_of(text)
