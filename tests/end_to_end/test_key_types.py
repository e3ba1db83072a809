# SPDX-License-Identifier: MIT OR Apache-2.0
"""The harness knows expanded keys by their size alone: any size and alignment works, and none can lie about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.records.failure import FailureKind
from cyclometer.store import open_runs
from support.command_line import CommandLine
from support.faulty_implementations import FaultyImplementation
from support.small_tree import SmallTree

TYPES = """
    #include <stdint.h>
    #define AES_ROUNDS 10
    #define crypto_aead_key inner_key
    #include "../../_gcm/ref_types.h"
    #undef crypto_aead_key

    typedef struct {
        _Alignas(64) uint8_t room[300]; /* the inner key follows at an odd place */
        inner_key key;
    } crypto_aead_key;
"""

SOURCE = """
    #include <stdlib.h>
    #include <string.h>
    #include "crypto_aead.h"
    #define crypto_aead_key inner_key
    #define crypto_aead_expandkey good_expandkey
    #define crypto_aead_encrypt good_encrypt
    #define crypto_aead_decrypt good_decrypt
    #include "../../_gcm/ref.h"
    #undef crypto_aead_key
    #undef crypto_aead_expandkey
    #undef crypto_aead_encrypt
    #undef crypto_aead_decrypt

    static const inner_key *inner(const crypto_aead_key *expanded)
    {
        if ((uintptr_t)expanded % 64) abort();
        return &expanded->key;
    }

    int crypto_aead_expandkey(crypto_aead_key *expanded, const uint8_t *key)
    {
        memset(expanded, 1, sizeof *expanded); /* keys beside it must not be changed by this */
        return good_expandkey((inner_key *)inner(expanded), key);
    }

    int crypto_aead_encrypt(uint8_t *packet, const uint8_t *plaintext, uint64_t length, const uint8_t *ad,
                            uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
    {
        return good_encrypt(packet, plaintext, length, ad, ad_length, nonce, inner(expanded));
    }

    int crypto_aead_decrypt(uint8_t *plaintext, const uint8_t *packet, uint64_t packet_length, const uint8_t *ad,
                            uint64_t ad_length, const uint8_t *nonce, const crypto_aead_key *expanded)
    {
        return good_decrypt(plaintext, packet, packet_length, ad, ad_length, nonce, inner(expanded));
    }
"""

FOLDER = "primitives/crypto_aead/aes-128-gcm/aligned"
CLAIMS_ANOTHER_SIZE = FaultyImplementation(
    name="claims-another-size", includes="const unsigned long crypto_stream_key_size = 1;"
)
CLAIMS_IT_WEAKLY = FaultyImplementation(
    name="claims-it-weakly", includes="__attribute__((weak)) const unsigned long crypto_stream_key_size = 1;"
)


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    """Grow a tree with an implementation of AES-128-GCM that traps if a key is not at a multiple of 64."""
    tree = SmallTree.grow(tmp_path / "tree", "crypto_aead/aes-128-gcm/ref", "crypto_stream/salsa20/ref")
    tree.write(f"{FOLDER}/crypto_aead_types.h", TYPES)
    tree.write(f"{FOLDER}/gcm.c", SOURCE)
    return tree


def test_a_key_has_the_alignment_of_its_type_alone_and_among_others(tree: SmallTree, cyclometer: CommandLine) -> None:
    chosen = ("--implementation", "aligned", "--length", "64", "--keys", "1,8", "--ad", "0")
    result = cyclometer("run", "aes-128-gcm", *chosen, "--rounds", "1", "--no-tables")
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        measured = runs.sql("SELECT DISTINCT measure, keys FROM samples WHERE keys = 8").fetchall()
    assert set(measured) == {("encrypt", 8), ("decrypt", 8), ("reject", 8)}


def test_an_implementation_cannot_claim_another_size(tree: SmallTree, cyclometer: CommandLine) -> None:
    CLAIMS_ANOTHER_SIZE.add_to(tree)
    CLAIMS_IT_WEAKLY.add_to(tree)
    result = cyclometer("check", "salsa20", "--format", "json")
    assert result.kinds() == {CLAIMS_ANOTHER_SIZE.name: FailureKind.DOES_NOT_LINK}
    assert result.right() == {"ref", CLAIMS_IT_WEAKLY.name}  # the harness has its own
    assert "crypto_stream_key_size" in result.stdout
