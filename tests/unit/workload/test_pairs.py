# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pairs are chosen by the sum of what their parts cost."""

from __future__ import annotations

from cyclometer.workload import Workload, candidates, estimates, find_workload, parts_needed
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY

CATALOGUE = our_catalogue()
IMIX = find_workload("imix", REPOSITORY)  # 40, 576 and 1500 bytes as 7 : 4 : 1


def costs(stream: int, mac: int) -> dict[str, dict[str, dict[tuple[str | int, ...], float]]]:
    """Make costs per byte, with 100 cycles for each call."""
    return {
        "crypto_stream": {"rabbit": {("xor", n, 0, 1, 0): 100.0 + stream * n for n in (40, 576, 1500)}},
        "crypto_auth": {"hmac-sha-1": {("auth", n, 0, 1, 0): 100.0 + mac * n for n in (40, 576, 1500)}},
    }


def named(name: str, load: Workload = IMIX) -> list[str]:
    return [pair.name for pair in candidates(CATALOGUE, [load], None)[load.name] if pair.name == name]


def test_an_estimate_is_the_weighted_sum_of_the_parts() -> None:
    """The mean of simple IMIX is 340.33 bytes."""
    admitted = candidates(CATALOGUE, [IMIX], None)["imix"]
    [only] = [each for each in estimates(IMIX, admitted, costs(2, 3))]
    assert only.pair.name == "rabbit+hmac-sha-1"
    assert abs(only.cycles - (200 + 5 * (7 * 40 + 4 * 576 + 1500) / 12)) < 1e-6


def test_a_pair_that_the_workload_does_not_admit_is_no_candidate() -> None:
    assert named("rabbit+hmac-sha-1") == ["rabbit+hmac-sha-1"]
    assert named("chacha20+poly1305") == ["chacha20+poly1305"]
    assert named("salsa20+poly1305") == []  # salsa20-poly1305 is ranked anyway


def test_only_the_lengths_of_the_load_are_needed_of_the_parts() -> None:
    needs = parts_needed(candidates(CATALOGUE, [IMIX], None), [IMIX])
    assert needs["crypto_auth"]["hmac-sha-256"] == {("auth", n, 0, 1, 0) for n in (40, 576, 1500)}
    assert set(needs) == {"crypto_stream", "crypto_cipher", "crypto_onetimeauth", "crypto_auth", "crypto_nonceauth"}
