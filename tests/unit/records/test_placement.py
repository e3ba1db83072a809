# SPDX-License-Identifier: MIT OR Apache-2.0
"""What may be asked of placement, and the layouts that are drawn."""

from __future__ import annotations

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.records.placement import COLD, Layout, alignments_of, bits_of, cold_name, cold_of, numbers_of


def test_cold_is_a_list_of_known_names() -> None:
    assert cold_of("key, code,all") == ("code", "key", "all")
    with pytest.raises(CyclometerError, match="did you mean 'tables'"):
        cold_of("table")


@pytest.mark.parametrize("name", ["", *COLD, "all"])
def test_what_is_cold_has_the_same_name_after_the_process(name: str) -> None:
    assert cold_name(bits_of(name)) == name


def test_alignments_are_of_input_and_output_or_of_one_buffer() -> None:
    assert alignments_of(["0,1,63", "key=0,8"]) == {"alignments": (0, 1, 63), "key_alignments": (0, 8)}
    for text, words in (("4096", "within 0 to 4095"), ("kez=1", "did you mean 'key'"), ("x", "not a number")):
        with pytest.raises(CyclometerError, match=words):
            alignments_of([text])


def test_numbers_beyond_the_limit_are_named() -> None:
    assert numbers_of("--between", "0,16,64", 2048) == (0, 16, 64)
    with pytest.raises(CyclometerError, match="--between '4096': 4096"):
        numbers_of("--between", "4096", 2048)


def test_the_ordinary_layout_changes_nothing() -> None:
    layout = Layout()
    assert (layout.padding, layout.environment_bytes, layout.stack_bytes, layout.fixed_addresses) == (0, 0, 0, False)
    assert layout.order("abc") == ["a", "b", "c"]


def test_layouts_are_drawn_from_their_numbers_alone() -> None:
    several = [Layout(link=number, environment=2 * number) for number in range(1, 9)]
    assert len({layout.padding for layout in several}) > 4
    assert all(0 <= layout.padding < 4096 and layout.environment_bytes % 16 == 0 for layout in several)
    assert {layout.padding for layout in several} == {Layout(link=number).padding for number in range(1, 9)}
    assert any(layout.order("abcdef") != list("abcdef") for layout in several)
