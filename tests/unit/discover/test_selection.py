# SPDX-License-Identifier: MIT OR Apache-2.0
"""What a name on the command line means, and what is suggested if it means nothing."""

from __future__ import annotations

import pytest

from cyclometer.discover import select
from cyclometer.errors import UnknownName
from support.our_catalogue import our_catalogue

SUGGESTIONS = {
    "salsa2o": "did you mean 'salsa20'?",
    "AES-128-GCM": "did you mean 'aes-128-gcm'?",
    "sha256": "did you mean 'sha-256'?",
    "crypto_hsh": "did you mean 'crypto_hash'?",
    "x25519": "crypto_dh/curve25519",  # the word is in the description
    "rsa": "such as crypto_encrypt/ronald",
    "chacha": "crypto_aead/chacha20-poly1305",
    "gcm": "crypto_aead/aes-128-gcm",
    "kyber768": "crypto_kem/ml-kem-768",  # once called so; the description says Kyber
    "zzz": "`cyclometer run --list` lists all",
}


@pytest.mark.parametrize(("name", "suggestion"), SUGGESTIONS.items())
def test_a_name_that_means_nothing_is_answered_with_what_may_be_meant(name: str, suggestion: str) -> None:
    with pytest.raises(UnknownName) as error:
        select(our_catalogue(), [name])
    assert suggestion in str(error.value)
