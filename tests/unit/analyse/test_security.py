# SPDX-License-Identifier: MIT OR Apache-2.0
"""The security that is left: which attacks count for a use, and what a mode's proof allows."""

from __future__ import annotations

import datetime
import math
from typing import Any

import pytest

from cyclometer.analyse import is_unbroken, meets, remaining_bits
from cyclometer.analyse.security import Use, forgery_exponent, loss_bits
from support.our_catalogue import our_catalogue


def attacked(**attack: Any) -> dict[str, Any]:
    return {"security_bits": 128, "attacks": [{"remaining_bits": 40, "year": 2007, **attack}]}


def test_phelix_is_not_broken_by_an_attack_that_repeats_nonces() -> None:
    phelix = our_catalogue().primitives["crypto_aead/phelix"].facts
    assert is_unbroken(phelix)
    assert meets(phelix, unbroken=True, least_bits=128)
    assert remaining_bits(phelix, Use(model="misuse-resistant")) == 41
    [attack] = phelix["attacks"]
    assert "forbid" in attack["disputed"]


@pytest.mark.parametrize(
    ("of_attack", "of_user", "left"),
    [
        ("nonce-respecting", "nonce-respecting", 40),
        ("weak keys", "nonce-respecting", 40),
        ("many targets", "nonce-respecting", 40),
        ("nonce reuse", "nonce-respecting", 128),
        ("related keys", "nonce-respecting", 128),
        ("other use", "nonce-respecting", 128),
        ("nonce reuse", "misuse-resistant", 40),
        ("related keys", "misuse-resistant", 128),
        ("related keys", "related-key", 40),
    ],
)
def test_an_attack_counts_in_its_model(of_attack: str, of_user: str, left: int) -> None:
    assert remaining_bits(attacked(model=of_attack), Use(model=of_user)) == left


@pytest.mark.parametrize(
    ("data", "left"),
    [
        ("2^20 packets", 40),
        ("2^20.1 packets", 128),
        ("2^30 bytes", 40),
        ("2^28 words", 40),
        ("2^28.1 words", 128),
        ("2^33 bits", 40),
        ("2^33.1 bits", 128),
    ],
)
def test_an_attack_counts_if_its_data_is_available_under_one_key(data: str, left: int) -> None:
    use = Use(packets=2**20, bytes=2**30)
    assert remaining_bits(attacked(data=data), use) == left
    assert remaining_bits(attacked(data=data, keys="many"), use) == 40  # the data of several keys serve as well


@pytest.mark.parametrize(("day", "left"), [("2007-03-25", 128), ("2007-03-26", 40), ("2020-01-01", 40)])
def test_an_attack_counts_from_the_day_on_which_it_was_published(day: str, left: int) -> None:
    use = Use(as_of=datetime.date.fromisoformat(day))
    assert remaining_bits(attacked(published="2007-03-26"), use) == left


def test_without_a_day_it_counts_from_the_start_of_its_year() -> None:
    assert remaining_bits(attacked(), Use(as_of=datetime.date(2007, 1, 1))) == 40
    assert remaining_bits(attacked(), Use(as_of=datetime.date(2006, 12, 31))) == 128


@pytest.mark.parametrize(("blocks", "bits"), [(2**34.5, 60), (2**48, 33), (2**64, 1), (2**66, 0)])
def test_a_mode_loses_the_square_of_the_blocks(blocks: float, bits: float) -> None:
    """The figures are RFC 8446's (2^24.5 records are 2^34.5 blocks, 2^-60) and RFC 7253's (2^48 blocks, 2^-32)."""
    assert loss_bits({"block_bits": 128}, Use(blocks=blocks)) == pytest.approx(bits)
    assert loss_bits({}, Use(blocks=blocks)) == math.inf


def test_a_forgery_is_as_likely_as_its_proof_says() -> None:
    """Poly1305 is that of RFC 8439: a message of 94 blocks is forged with probability 8 * 94 / 2^106."""
    use = Use(forgeries=1024, longest_blocks=94)
    assert forgery_exponent({"tag_bytes": 16, "forgery_bits": 103}, use) == pytest.approx(math.log2(8 * 94) - 106 + 10)
    assert forgery_exponent({"tag_bytes": 4}, use) == -22
    assert forgery_exponent({"tag_bytes": 4}, Use()) == -32  # one attempt can always be made
