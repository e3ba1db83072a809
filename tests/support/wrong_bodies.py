# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bodies that several wrong implementations are made of."""

from __future__ import annotations

import platform

from cyclometer.records.failure import FailureKind
from support.wrapped import Wrapped

WRITES_FAR_AWAY = FailureKind.BUFFER_OVERRUN if platform.machine() == "x86_64" else FailureKind.OUT_OF_BOUNDS
"""The kind of a write into the pages around a buffer: elsewhere, the CPU does not tell it from reading."""

SIGNATURE = 2420  # bytes, of ML-DSA-44
ENCRYPT_PACKET = "return good_crypto_aead_encrypt(p, m, n, ad, adn, nonce, e);"
OPEN_PACKET = "int result = good_crypto_aead_decrypt(m, p, n, ad, adn, nonce, e);"


def losing_an_item_of(items: int) -> Wrapped:
    """Return a sort that writes the first item over the second if there are so many."""
    return Wrapped(
        system="crypto_sort/int32",
        name=f"loses-an-item-of-{items}",
        bodies={"crypto_sort": f"good_crypto_sort(x, n); if (n == {items}) ((int32_t *)x)[1] = ((int32_t *)x)[0];"},
        kind=FailureKind.WRONG_OUTPUT,
        reason=f"{items} items",
    )


def ignoring_a_bit_of_a_signature(system: str, name: str, *, byte: int, shortest: int) -> Wrapped:
    """Return a signature that opens its last signed message, too, if one bit of this byte is changed.

    Signed messages of fewer than `shortest` bytes are opened as they should.
    """
    return Wrapped(
        system=system,
        name=name,
        before="static unsigned char sent[8192];",
        bodies={
            "crypto_sign": "int result = good_crypto_sign(sm, smlen, m, mlen, sk);"
            "if (*smlen <= sizeof sent) memcpy(sent, sm, *smlen); return result;",
            "crypto_sign_open": f"""
    static unsigned char other[8192];
    if (smlen < {shortest} || smlen > sizeof other) return good_crypto_sign_open(m, mlen, sm, smlen, pk);
    memcpy(other, sm, smlen);
    other[{byte}] ^= 8;
    return good_crypto_sign_open(m, mlen, memcmp(other, sent, smlen) ? sm : other, smlen, pk);""",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason=f"byte {byte} of the signed message changed",
    )
