# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which call stands for all: the one whose code is counted."""

from __future__ import annotations

from cyclometer.measure import typical_place


def test_the_typical_place_of_a_workload_is_a_measure_and_not_its_mix() -> None:
    mix = "mix 07ea4265 random encrypt:20:0:1,decrypt:20:0:1"
    packets = ("replay-07ea4265-decrypt length=20 keys=8", "decrypt length=20", "encrypt length=20")
    assert typical_place((mix, *packets)) == ("decrypt", 0, 20)
