# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which calls placement measures, and where; which call stands for all: the one whose code is counted."""

from __future__ import annotations

from cyclometer.measure import layout_lines, placement_lines, typical_place
from cyclometer.records.placement import PlacementOptions


def test_the_typical_place_of_a_workload_is_a_measure_and_not_its_mix() -> None:
    mix = "mix 07ea4265 random encrypt:20:0:1,decrypt:20:0:1"
    packets = ("replay-07ea4265-decrypt length=20 keys=8", "decrypt length=20", "encrypt length=20")
    assert typical_place((mix, *packets)) == ("decrypt", 0, 20)


def test_what_is_cold_and_other_layouts_have_every_buffer_where_it_was_asked_for_first() -> None:
    options = PlacementOptions(cold=("code",), alignments=(1,), key_alignments=(1, 0), output_alignments=(2048,))
    places, cold = placement_lines(["verify length=1024"], options)
    first = {"alignment=1", "key_alignment=1", "output_alignment=2048"}
    assert "key_alignment=1,0" in places.split()
    assert first < set(cold.split())
    assert first < set(*map(str.split, layout_lines(["verify length=1024"], options)))


def test_buffers_are_aligned_unless_asked_for_elsewhere() -> None:
    _, cold = placement_lines(["verify length=1024"], PlacementOptions(cold=("code",)))
    assert "alignment=0" in cold.split()
    assert "key_alignment" not in cold
