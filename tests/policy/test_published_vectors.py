# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published files of vectors are carried whole: every case that fits a primitive's sizes, and every length."""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.small_tree import REPOSITORY

# File of a primitive, how the ids of a published file's cases begin, and how many of its cases fit the primitive.
PUBLISHED = [
    ("crypto_hash/sha-1/vectors.json", "SHA1ShortMsg.rsp", 65),
    ("crypto_hash/sha-1/vectors.json", "SHA1LongMsg.rsp", 64),
    ("crypto_hash/sha-224/vectors.json", "SHA224ShortMsg.rsp", 65),
    ("crypto_hash/sha-256/vectors.json", "SHA256ShortMsg.rsp", 65),
    ("crypto_hash/sha-384/vectors.json", "SHA384ShortMsg.rsp", 129),
    ("crypto_hash/sha-512/vectors.json", "SHA512ShortMsg.rsp", 129),
    ("crypto_aead/aes-128-gcm/vectors-cavp.json", "gcm", 100),
    ("crypto_aead/aes-256-gcm/vectors-cavp.json", "gcm", 100),
    ("crypto_aead/aes-128-ccm/vectors-cavp.json", "", 660),
    ("crypto_aead/aes-256-ccm/vectors-cavp.json", "", 10),
    ("crypto_aead/aes-128-gcm-siv/vectors-rfc8452.json", "RFC 8452", 22),
    ("crypto_aead/aes-256-gcm-siv/vectors-rfc8452.json", "RFC 8452", 24),
    ("crypto_cipher/aes-ecb/vectors.json", "ECBVarTxt128.rsp", 128),
    ("crypto_cipher/aes-cbc/vectors.json", "CBCVarTxt128.rsp", 128),
    ("crypto_cipher/aes-ofb/vectors.json", "OFBVarTxt128.rsp", 128),
    ("crypto_cipher/aes-256-ecb/vectors.json", "ECBVarKey256.rsp", 256),
    ("crypto_cipher/aes-256-cbc/vectors.json", "CBCVarKey256.rsp", 256),
    ("crypto_cipher/aes-256-ofb/vectors.json", "OFBVarKey256.rsp", 256),
    ("crypto_blockcipher/serpent/vectors-submission.json", "ecb_vk.txt", 576),
    ("crypto_blockcipher/serpent/vectors-submission.json", "ecb_vt.txt", 384),
    ("crypto_blockcipher/serpent/vectors-submission.json", "ecb_tbl.txt", 1536),
    ("crypto_aead/aegis-128l/vectors-wycheproof.json", "tcId", 479),
    ("crypto_aead/aegis-256/vectors-wycheproof.json", "tcId", 472),
    ("crypto_aead/aes-128-ccm/vectors-wycheproof.json", "tcId", 6),
    ("crypto_aead/aes-256-ccm/vectors-wycheproof.json", "tcId", 78),
    ("crypto_aead/aes-128-eax/vectors-wycheproof.json", "tcId", 74),
    ("crypto_aead/aes-256-eax/vectors-wycheproof.json", "tcId", 56),
    ("crypto_aead/aes-128-gcm/vectors-wycheproof.json", "tcId", 67),
    ("crypto_aead/aes-256-gcm/vectors-wycheproof.json", "tcId", 66),
    ("crypto_aead/aes-128-gcm-siv/vectors-wycheproof.json", "tcId", 99),
    ("crypto_aead/aes-256-gcm-siv/vectors.json", "tcId", 103),
    ("crypto_aead/ascon-aead128/vectors-wycheproof.json", "tcId", 252),
    ("crypto_aead/ascon-aead128/vectors-official.json", "Count", 1089),
    ("crypto_aead/grain-128aeadv2/vectors-official.json", "Count", 1089),
    ("crypto_aead/chacha20-poly1305/vectors-wycheproof.json", "tcId", 316),
    ("crypto_aead/xchacha20-poly1305/vectors-wycheproof.json", "tcId", 306),
]


def vectors_of(path: str) -> list[dict[str, Any]]:
    content = json.loads((REPOSITORY / "primitives" / path).read_text(encoding="utf-8"))
    return list(content["vectors"])


@pytest.mark.parametrize(("path", "prefix", "cases"), PUBLISHED, ids=lambda value: str(value).replace("/", "-"))
def test_every_case_of_a_published_file_is_carried(path: str, prefix: str, cases: int) -> None:
    assert sum(str(vector.get("id", "")).startswith(prefix) for vector in vectors_of(path)) == cases


@pytest.mark.parametrize(("name", "block"), [("1", 64), ("224", 64), ("256", 64), ("384", 128), ("512", 128)])
def test_the_hashes_have_every_length_up_to_a_block(name: str, block: int) -> None:
    """The length just before and after the padding's own is where padding goes wrong."""
    found = {
        len(vector["message"]) // 2
        for vector in vectors_of(f"crypto_hash/sha-{name}/vectors.json")
        if "message" in vector
    }
    assert set(range(block + 1)) <= found
