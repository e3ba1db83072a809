# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compositions of compositions: sizes, order, and parts that cannot be combined."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.compile import build_requests, dependency_levels
from cyclometer.discover.compositions import _inner, read_composition
from cyclometer.errors import BadDeclaration
from cyclometer.records.tuning import Tuning
from support.our_catalogue import our_catalogue

CATALOGUE = our_catalogue()
PRIMITIVES = CATALOGUE.primitives


def test_a_size_is_a_sum_of_the_parts_or_a_number() -> None:
    assert PRIMITIVES["crypto_cipher/aes-ctr"].sizes == {"key_bytes": 16, "iv_bytes": 16, "block_bytes": 1}


def test_the_primitive_may_declare_another_size() -> None:
    assert PRIMITIVES["crypto_cipher/aes-256-cbc"].sizes["key_bytes"] == 32
    sizes = PRIMITIVES["crypto_aead/aes-128-cbc-hmac-sha-256"].sizes
    assert (sizes["key_bytes"], sizes["nonce_bytes"], sizes["tag_bytes"]) == (32, 16, 16)  # RFC 7518, 5.2.3


def test_a_part_may_be_composed_itself() -> None:
    composed = PRIMITIVES["crypto_aead/aes-128-cbc-hmac-sha-256"].composed
    assert composed
    assert set(composed.inner) == {("crypto_blockcipher", "aes"), ("crypto_hash", "sha-256")}


def test_two_primitives_of_one_operation_cannot_be_composed() -> None:
    parts = {"one": ("crypto_auth", "hmac-sha-256"), "other": ("crypto_hash", "sha-1")}
    with pytest.raises(BadDeclaration, match="two primitives of crypto_hash"):
        _inner(parts, PRIMITIVES, Path("primitive.toml"))


def test_only_the_leaders_of_a_chosen_part_are_composed() -> None:
    ctr, own = PRIMITIVES["crypto_cipher/aes-ctr"], {"aesni", "openssl"}
    ahead = {Tuning(operation="crypto_blockcipher", primitive="aes", implementation=name, compiler="") for name in own}

    def composed(ahead: set[Tuning]) -> set[str]:
        wanted = build_requests(CATALOGUE, ctr, {}, leaders=ahead)
        return {r.implementation.name.removeprefix("ctr-") for r in wanted if len(r.implementation.folders) > 1}

    assert composed(ahead) == own
    assert composed(set()) > {*own, "ref", "nettle"}, "the leaders are not known"


def test_a_searched_part_is_chosen_first_if_it_is_selected_itself() -> None:
    selected = [PRIMITIVES["crypto_cipher/aes-ctr"]]
    assert dependency_levels(CATALOGUE, selected) == []
    assert dependency_levels(CATALOGUE, selected, {"crypto_blockcipher/aes"}) == [["crypto_blockcipher/aes"]]


COMPOSITION = """
description = "d"
source = "s"
parts = { stream = "crypto_stream", mac = "crypto_onetimeauth" }
tuned_first = ["mac"]
searched = "stream"
[sizes]
key_bytes = ["mac.key_bytes", "min(stream.key_bytes, 32)", "4"]
"""


def test_sums_of_sizes_and_parts_are_read(tmp_path: Path) -> None:
    file = tmp_path / "composition.toml"
    file.write_text(COMPOSITION, encoding="utf-8")
    assert read_composition(file).sizes == {"key_bytes": ["mac.key_bytes", "min(stream.key_bytes, 32)", "4"]}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"4"]', '"²"]', "sizes.key_bytes: '²' is no number"),
        ('"4"]', '"min(4"]', "is no number"),
        ('"mac.key_bytes"', '"hash.key_bytes"', "sizes.key_bytes: 'hash' is not one of its parts (stream, mac)"),
        ('["mac"]', '["max"]', "tuned_first: 'max' is not one of its parts"),
        ('searched = "stream"', 'searched = "streams"', "searched: 'streams' is not one of its parts"),
        ('tuned_first = ["mac"]\nsearched = "stream"', "", "name the parts in tuned_first"),
    ],
)
def test_a_composition_that_names_no_part_or_size_is_named(old: str, new: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "composition.toml"
    assert old in COMPOSITION
    file.write_text(COMPOSITION.replace(old, new), encoding="utf-8")
    with pytest.raises(BadDeclaration) as refused:
        read_composition(file)
    assert str(refused.value).startswith(f"{file}: ")
    assert complaint in str(refused.value)
