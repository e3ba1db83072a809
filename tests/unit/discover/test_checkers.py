# SPDX-License-Identifier: MIT OR Apache-2.0
"""Which implementations can be measured where constant time must be shown."""

from __future__ import annotations

from cyclometer.discover import followable
from support.our_catalogue import our_catalogue
from support.small_tree import REPOSITORY

CATALOGUE = our_catalogue()


def names(key: str) -> set[str]:
    kept = followable(CATALOGUE, REPOSITORY)
    return {each.name for each in kept.implementations if f"{each.operation}/{each.primitive}" == key}


def test_what_needs_instructions_that_valgrind_lacks_is_left_out() -> None:
    assert {"ref", "avx2"} < names("crypto_stream/salsa20")
    assert "avx512" not in names("crypto_stream/salsa20")
    assert "openssl" in names("crypto_aead/aes-128-gcm")  # libraries choose while they run


def test_no_system_loses_all_its_implementations() -> None:
    kept = followable(CATALOGUE, REPOSITORY)
    before, after = ({(i.operation, i.primitive) for i in each.implementations} for each in (CATALOGUE, kept))
    assert before == after
