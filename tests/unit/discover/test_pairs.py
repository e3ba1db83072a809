# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pairs of a cipher and an authenticator, which no file declares."""

from __future__ import annotations

import pytest

from cyclometer.discover import pairs, same_as_declared, select, with_pairs
from cyclometer.errors import UnknownName
from support.our_catalogue import our_catalogue

CATALOGUE = our_catalogue()
PAIRS = {pair.name: pair for pair in pairs(CATALOGUE)}

FOR_ONE_LENGTH = {"cbc-mac-aes-128"}  # insecure for messages of several lengths


def test_every_stream_meets_every_authenticator() -> None:
    names = {of: {p.name for p in CATALOGUE.primitives.values() if p.operation == of} for of in CATALOGUE.operations}
    macs = names["crypto_onetimeauth"] | names["crypto_auth"] | names["crypto_nonceauth"]
    assert {f"{s}+{mac}" for s in names["crypto_stream"] for mac in macs - FOR_ONE_LENGTH} <= PAIRS.keys()
    ctr = {name for name in names["crypto_cipher"] if name.endswith("-ctr")}
    assert {f"{c}+{mac}" for c in ctr for mac in macs - FOR_ONE_LENGTH - {"cmac-aes-128"}} <= PAIRS.keys()
    assert not [name for name in PAIRS if name.endswith(tuple(FOR_ONE_LENGTH)) or "-cbc+" in name]


def test_keys_are_separate_and_a_nonce_fits_both_parts() -> None:
    sizes = PAIRS["salsa20+hmac-sha-256"].sizes
    assert (sizes["key_bytes"], sizes["nonce_bytes"], sizes["tag_bytes"]) == (32 + 32, 8, 32)
    sizes = PAIRS["chacha20+umac-128"].sizes  # nonces of 12 and 8 bytes
    assert (sizes["key_bytes"], sizes["nonce_bytes"], sizes["tag_bytes"]) == (32 + 16, 8, 16)
    sizes = PAIRS["serpent-ctr+poly1305-aes"].sizes  # a counter of 4 bytes follows the nonce
    assert (sizes["key_bytes"], sizes["nonce_bytes"]) == (16 + 32, 12)


def test_security_is_that_of_the_cipher_and_the_tag() -> None:
    facts = PAIRS["py+hmac-sha-1"].facts
    assert facts["security_bits"] == 256
    assert facts["attacks"] == CATALOGUE.primitives["crypto_stream/py"].facts["attacks"]  # not those on SHA-1
    assert facts["year"] == 2005  # of Py; SHA-1 is older
    assert PAIRS["rabbit+umac-64"].facts["forgery_bits"] == 60
    assert PAIRS["rabbit+cmac-aes-128"].facts["block_bits"] == 128


def test_a_pair_is_selected_by_name_or_pattern_and_never_otherwise() -> None:
    assert [p.key for p in select(with_pairs(CATALOGUE, ["rc4+hmac-sha-1"]), ["rc4+hmac-sha-1"])] == [
        "crypto_aead/rc4+hmac-sha-1"
    ]
    assert len(select(with_pairs(CATALOGUE, ["*+umac-64"]), ["*+umac-64"])) >= 30
    assert with_pairs(CATALOGUE, ["crypto_aead", "salsa20-poly1305"]) is CATALOGUE
    with pytest.raises(UnknownName, match=r"did you mean 'rc4\+hmac-sha-1'"):
        with_pairs(CATALOGUE, ["rc4+hmac-sha1"])


def test_a_pair_may_be_a_declared_system_by_another_name() -> None:
    declared = list(CATALOGUE.primitives.values())
    assert same_as_declared(PAIRS["salsa20+poly1305"], declared)
    assert same_as_declared(PAIRS["chacha20+hmac-sha-256"], declared)
    assert not same_as_declared(PAIRS["chacha20+poly1305"], declared)  # RFC 8439 makes a one-time key
