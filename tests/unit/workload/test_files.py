# SPDX-License-Identifier: MIT OR Apache-2.0
"""Workload files: what they mean, and what is wrong with bad ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.errors import CyclometerError
from cyclometer.workload import Workload, find_workload, needed_points, shipped
from cyclometer.workload.model import choose_grid
from support.small_tree import REPOSITORY

GOOD = """
title = "t"
source = "s"
[packets]
histogram = { 40 = 7, 576 = 4, 1500 = 1 }
ad = { 0 = 1, 8 = 3 }
[keys]
active = 16
packets_per_key = 1000
[mix]
encrypt = 0.5
forged = 0.25
"""


def written(folder: Path, text: str) -> str:
    file = folder / "load.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_every_shipped_workload_is_readable_and_names_its_source() -> None:
    loads = [find_workload(name, REPOSITORY) for name in shipped(REPOSITORY)]
    assert len(loads) >= 12
    for load in loads:
        assert load.source
        assert sum(load.packets.values()) == pytest.approx(1)


def test_simple_imix_has_the_mean_of_its_definition() -> None:
    assert find_workload("imix", REPOSITORY).mean_bytes == pytest.approx((7 * 40 + 4 * 576 + 1500) / 12)


def test_packets_are_lengths_combined_with_associated_data(tmp_path: Path) -> None:
    load = find_workload(written(tmp_path, GOOD), REPOSITORY)
    assert load.packets == {
        (40, 0): pytest.approx(7 / 48),
        (40, 8): pytest.approx(21 / 48),
        (576, 0): pytest.approx(4 / 48),
        (576, 8): pytest.approx(12 / 48),
        (1500, 0): pytest.approx(1 / 48),
        (1500, 8): pytest.approx(3 / 48),
    }
    assert load.longest == (1500, 8)


def test_only_the_lengths_and_keys_of_the_load_are_needed(tmp_path: Path) -> None:
    points = needed_points(find_workload(written(tmp_path, GOOD), REPOSITORY), replay=False)
    assert {(length, ad) for _, length, ad, _, _ in points if length} == {
        (length, ad) for length in (40, 576, 1500) for ad in (0, 8)
    }
    assert {keys for _, _, _, keys, _ in points} == {1, 16}  # one key is a stress figure


def test_a_wide_range_is_interpolated_with_the_right_mean(tmp_path: Path) -> None:
    text = GOOD.replace("histogram = { 40 = 7, 576 = 4, 1500 = 1 }", "range = [100, 1100]")
    load = find_workload(written(tmp_path, text), REPOSITORY)
    assert load.interpolated == 2002  # lengths with two associated-data lengths
    assert len({length for length, _ in load.packets}) <= 24
    assert load.mean_bytes == pytest.approx(600)


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("histogram = { 40 = 7, 576 = 4, 1500 = 1 }", "", ("[packets] has no packets",)),
        ("histogram = { 40 = 7, 576 = 4, 1500 = 1 }", "histogram = { 40 = 0 }", ("histogram has no packets",)),
        ("1500 = 1", "99999999 = 1", ("packets.histogram", "'99999999' is not a length")),
        ("40 = 7", "forty = 7", ("packets.histogram", "'forty' is not a length")),
        ("40 = 7", "40 = -7", ("packets.histogram.40", "greater than or equal to 0")),
        ("[mix]", "range = [5, 6]\n[mix]", ("unknown key 'keys.range'",)),
        ("ad =", "range = [5, 6]\nad =", ("histogram and range",)),
        ("[mix]", "[limits]\ncode_byte = 5\n[mix]", ("unknown key 'limits.code_byte'", "code_bytes")),
        ("[mix]", "[mix]\nbits = 64", ("unknown key 'mix.bits'", "did you mean 'security.bits'?")),
        ("active = 16", "active = 0", ("keys.active",)),
        ("active = 16", 'order = "by chance"', ("keys.order",)),
        ("active = 16", 'order = "sorted"', ("'sorted' is not an order", '"round-robin"', '"bursts of 16"')),
        ("active = 16", "order = 3", ("keys.order", "3 is not an order", '"zipf 1.0"')),
        ("forged = 0.25", "forged = 1.5", ("mix.forged",)),
        ("[mix]", "[security]\nforgery = 0.000001\n[mix]", ("security.forgery", "1e-06", 'such as "2^-64"')),
        ("[mix]", '[security]\nforgery = "2^64"\n[mix]', ("security.forgery", "'2^64' is above 1", '"2^-64"')),
        ("[mix]", '[security]\nforgery = "1e-9"\n[mix]', ("security.forgery",)),
        ("[mix]", "[mix", ("not valid TOML",)),
    ],
)
def test_a_bad_file_is_named_with_the_key(tmp_path: Path, old: str, new: str, parts: tuple[str, ...]) -> None:
    assert old in GOOD
    file = written(tmp_path, GOOD.replace(old, new))
    with pytest.raises(CyclometerError) as caught:
        find_workload(file, REPOSITORY)
    for part in (file, *parts):
        assert part in str(caught.value)


def test_an_unknown_workload_suggests_the_nearest() -> None:
    with pytest.raises(CyclometerError, match="did you mean 'imix'"):
        find_workload("imx", REPOSITORY)


def test_a_workload_of_ones_own_needs_no_source(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('title = "t"\n[packets]\nhistogram = { 20 = 1 }\n', encoding="utf-8")
    assert find_workload(str(file), REPOSITORY).source == ""


def test_tunings_are_chosen_by_packets_of_the_mean_length(tmp_path: Path) -> None:
    def load(name: str, packets: str) -> Workload:
        file = tmp_path / f"{name}.toml"
        file.write_text(f'title = "t"\n[packets]\nhistogram = {packets}\nad = {{ 8 = 1 }}\n[mix]\nencrypt = 1\n')
        return find_workload(str(file), REPOSITORY)

    imix, huge = load("imix", "{ 40 = 7, 576 = 4, 1500 = 1 }"), load("huge", "{ 1048576 = 1 }")
    mean = round((7 * 40 + 4 * 576 + 1500) / 12)
    assert choose_grid([imix], with_ad=True) == (f"encrypt length={mean} ad_length=8 repetition=1-4",)
    assert choose_grid([imix, huge], with_ad=False) == (
        f"encrypt length={mean} ad_length=0 repetition=1-4",
        "encrypt length=16384 ad_length=0 repetition=1-4",
    )
