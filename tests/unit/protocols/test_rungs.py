# SPDX-License-Identifier: MIT OR Apache-2.0
"""The ladder: which rungs the names on the command line mean."""

from __future__ import annotations

import pytest

from cyclometer.errors import CyclometerError, UnknownName
from cyclometer.protocols.rungs import ladder
from cyclometer.records.catalogue import Catalogue
from support.our_catalogue import our_catalogue


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return our_catalogue()


def names(catalogue: Catalogue, *systems: str, mac: str = "hmac-sha-1") -> list[str]:
    return [rung.name for rung in ladder(catalogue, systems, mac)]


def test_a_block_cipher_stands_for_its_modes_above_the_mac_alone(catalogue: Catalogue) -> None:
    assert names(catalogue, "rc6", "aes-128-gcm") == [
        "plain",
        "null",
        "mac+hmac-sha-1",
        "etm+hmac-sha-1+rc6-cbc",
        "etm+hmac-sha-1+rc6-ctr",
        "etm+hmac-sha-1+rc6-ofb",
        "aead+aes-128-gcm",
    ]


def test_a_mode_and_another_mac_are_taken_as_named(catalogue: Catalogue) -> None:
    assert names(catalogue, "serpent-ctr", mac="umac-64")[2:] == ["mac+umac-64", "etm+umac-64+serpent-ctr"]


def test_an_aead_needs_no_mac(catalogue: Catalogue) -> None:
    assert names(catalogue, "ascon-aead128") == ["plain", "null", "aead+ascon-aead128"]


def test_a_misspelt_system_is_named_with_the_nearest_one(catalogue: Catalogue) -> None:
    with pytest.raises(UnknownName, match="did you mean 'aes-128-gcm'"):
        names(catalogue, "aes-128-gmc")


def test_a_one_time_authenticator_is_no_mac_of_a_connection(catalogue: Catalogue) -> None:
    with pytest.raises(CyclometerError, match="authenticates one message"):
        names(catalogue, "rc6", mac="poly1305")
