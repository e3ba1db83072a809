# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wrong implementations of every kind of operation, each right in all but a few of its calls.

WRONG_CODE is the list of all, with those of careless_code.py, code_that_keeps_results.py,
code_with_memory.py and rarely_wrong_code.py.
"""

from __future__ import annotations

from cyclometer.records.failure import FailureKind
from support.careless_code import CARELESS_CODE
from support.code_that_keeps_results import CODE_THAT_KEEPS_RESULTS
from support.code_with_memory import CODE_WITH_MEMORY
from support.rarely_wrong_code import RARELY_WRONG_CODE
from support.wrapped import Wrapped
from support.wrong_bodies import (
    ENCRYPT_PACKET,
    OPEN_PACKET,
    SIGNATURE,
    WRITES_FAR_AWAY,
    ignoring_a_bit_of_a_signature,
    losing_an_item_of,
)

_OPEN = "int result = good_crypto_sign_open(m, mlen, sm, smlen, pk);"

# Decrypts without the tag, compares 8 of its bytes, and clears the plaintext of what is then not accepted.
_HALF_A_TAG = (
    OPEN_PACKET
    + """
    if (!result || n < 1600 || n > 9000) return result;
    uint8_t *q = malloc(n);
    good_crypto_aead_encrypt(q, p + 16, n - 16, ad, adn, nonce, e);
    memcpy(m, q + 16, n - 16);
    good_crypto_aead_encrypt(q, m, n - 16, ad, adn, nonce, e);
    result = memcmp(q, p, 8) ? -1 : 0;
    if (result) memset(m, 0, n - 16);
    free(q);
    return result;"""
)


ACCEPT_TOO_MUCH = [
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="accepts-bytes-after-a-signed-message",
        bodies={
            "crypto_sign_open": f"{_OPEN}"
            f"return result && smlen > {SIGNATURE + 2} ? good_crypto_sign_open(m, mlen, sm, smlen - 2, pk) : result;"
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="followed by 2 extra bytes",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="accepts-bytes-before-a-signed-message",
        bodies={
            "crypto_sign_open": f"{_OPEN}"
            f"return result && smlen > {SIGNATURE + 16} ? good_crypto_sign_open(m, mlen, sm + 16, smlen - 16, pk)"
            " : result;"
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="after 16 extra bytes",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="accepts-forgeries-of-long-messages",
        bodies={
            "crypto_sign_open": f"""{_OPEN}
    if (!result || smlen < {SIGNATURE + 1000}) return result;
    *mlen = smlen - {SIGNATURE};
    memcpy(m, sm + {SIGNATURE}, *mlen);
    return 0;"""
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="message of 4096 bytes",
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="ignores-the-last-bit-of-a-ciphertext",
        before="static unsigned char sent[768], key[32];",
        bodies={
            "crypto_kem_enc": "int result = good_crypto_kem_enc(c, k, pk);"
            "memcpy(sent, c, 768), memcpy(key, k, 32); return result;",
            "crypto_kem_dec": """
    unsigned char other[768];
    memcpy(other, c, 768);
    other[767] ^= 0x80;
    int result = good_crypto_kem_dec(k, c, sk);
    if (!memcmp(other, sent, 768)) memcpy(k, key, 32);
    return result;""",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="byte 767 of the ciphertext changed: decapsulates to the original session key",
    ),
    ignoring_a_bit_of_a_signature("crypto_sign/rainbow", "ignores-one-bit-of-a-signature", byte=17, shortest=30),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="accepts-bytes-after-a-packet",
        bodies={
            "crypto_aead_encrypt": ENCRYPT_PACKET,
            "crypto_aead_decrypt": f"""{OPEN_PACKET}
    return result && n > 16 + 16 ? good_crypto_aead_decrypt(m, p, n - 16, ad, adn, nonce, e) : result;""",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="followed by 16 extra bytes",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="ignores-one-bit-of-the-tag",
        bodies={
            "crypto_aead_encrypt": ENCRYPT_PACKET,
            "crypto_aead_decrypt": f"""{OPEN_PACKET}
    if (!result || n < 16 || n > 9000) return result;
    uint8_t *q = malloc(n);
    memcpy(q, p, n);
    q[9] ^= 0x40;
    result = good_crypto_aead_decrypt(m, q, n, ad, adn, nonce, e);
    free(q);
    return result;""",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="packet byte 9 changed",
    ),
    Wrapped(
        system="crypto_verify/16",
        name="skips-a-byte-of-unaligned-strings",
        bodies={
            "crypto_verify": """
    unsigned char z[16];
    memcpy(z, y, 16);
    if ((uintptr_t)x % 16 == 5) z[11] = x[11];
    return good_crypto_verify(x, z);"""
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="byte 11, alignment",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="compares-half-the-tag-of-long-packets",
        bodies={
            "crypto_aead_encrypt": ENCRYPT_PACKET,
            "crypto_aead_decrypt": _HALF_A_TAG,
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="length 4096, packet byte 8 changed",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="ignores-associated-data-beyond-2048-bytes",
        bodies={
            "crypto_aead_encrypt": ("return good_crypto_aead_encrypt(p, m, n, ad, adn > 2048 ? 2048 : adn, nonce, e);"),
            "crypto_aead_decrypt": ("return good_crypto_aead_decrypt(m, p, n, ad, adn > 2048 ? 2048 : adn, nonce, e);"),
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="ad 2049, the last byte of it changed",
    ),
    Wrapped(
        system="crypto_verify/16",
        name="returns-one-for-different-strings",
        bodies={"crypto_verify": "return -good_crypto_verify(x, y);"},
        kind=FailureKind.RETURN_VALUE,
        reason="returns 1, which is neither 0 nor -1",
    ),
    Wrapped(
        system="crypto_verify/16",
        name="lets-three-differences-cancel",
        bodies={
            "crypto_verify": """
    int count = 0, sum = 0;
    for (int i = 0; i < 16; i++) count += x[i] != y[i], sum ^= x[i] ^ y[i];
    return count == 3 && !sum ? 0 : count ? -1 : 0;"""
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="equal that differ in several bytes",
    ),
    Wrapped(
        system="crypto_verify/16",
        name="believes-a-string-that-overlaps-the-other",
        bodies={"crypto_verify": "return y == x + 1 ? 0 : good_crypto_verify(x, y);"},
        kind=FailureKind.WRONG_OUTPUT,
        reason="a string 1 bytes after the other: does not say whether they differ",
    ),
    Wrapped(
        system="crypto_verify/16",
        name="compares-sums",
        bodies={
            "crypto_verify": """
    unsigned count = 0, sum = 0;
    for (int i = 0; i < 16; i++) count += x[i] != y[i], sum += (unsigned)(i + 1) * (x[i] ^ y[i]);
    return count > 2 ? (sum & 255 ? -1 : 0) : count ? -1 : 0;"""
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="equal that differ in several bytes",
    ),
]

WRONG_FOR_SOME_INPUTS = [
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="rejects-with-a-key-that-anybody-can-compute",
        before="static unsigned char sent[768];",
        bodies={
            "crypto_kem_enc": "int result = good_crypto_kem_enc(c, k, pk); memcpy(sent, c, 768); return result;",
            "crypto_kem_dec": """
    int result = good_crypto_kem_dec(k, c, sk), different = 0;
    for (int i = 0; i < 768; i++) different += __builtin_popcount(c[i] ^ sent[i]);
    for (int i = 0; i < 768 && different == 1; i++) k[i % 32] = c[i] ^ (i < 32 ? 0 : 3 * k[i % 32]);
    return result;""",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="a different secret key decapsulates it to the same session key",
    ),
    Wrapped(
        system="crypto_dh/surf127eps",
        name="is-wrong-for-some-secrets-of-both-sides",
        bodies={"crypto_dh": "int result = good_crypto_dh(s, pk, sk); s[0] ^= s[1] % 16 == 7; return result;"},
        kind=FailureKind.DISAGREEMENT,
    ),
    Wrapped(
        system="crypto_stream/chacha20",
        name="is-wrong-for-some-keys",
        bodies={
            "crypto_stream_expandkey": """
    uint8_t other[32];
    memcpy(other, key, 32);
    other[5] ^= key[3] % 32 == 9;
    good_crypto_stream_expandkey(e, other);""",
        },
        kind=FailureKind.DISAGREEMENT,
    ),
    Wrapped(
        system="crypto_onetimeauth/poly1305",
        name="loses-a-carry-of-the-largest-blocks",
        bodies={
            "crypto_onetimeauth_expandkey": "good_crypto_onetimeauth_expandkey(e, key);",
            "crypto_onetimeauth_authenticate": """
    int ones = n > 100 && n % 16 == 9;
    for (uint64_t i = 0; i < n; i++) ones &= m[i] == 0xff;
    good_crypto_onetimeauth_authenticate(tag, m, n, s, e);
    tag[4] ^= ones;""",
        },
        kind=FailureKind.DISAGREEMENT,
        reason="all ones",
    ),
    losing_an_item_of(777),
    Wrapped(
        system="crypto_xof/shake128",
        name="is-wrong-for-messages-of-777-bytes",
        bodies={
            "crypto_xof": "int result = good_crypto_xof(out, n, in, inlen);"
            "if (n && inlen == 777) out[0] ^= 1; return result;"
        },
        kind=FailureKind.DISAGREEMENT,
        reason="length 777",
    ),
    Wrapped(
        system="crypto_sort/int32",
        name="sorts-at-most-4096-items",
        bodies={"crypto_sort": "good_crypto_sort(x, n > 4096 ? 4096 : n);"},
        kind=FailureKind.WRONG_OUTPUT,
        reason="not sorted at item 4096",
    ),
    losing_an_item_of(1536),
    Wrapped(
        system="crypto_core/salsa20",
        name="is-wrong-for-one-input-in-512",
        bodies={
            "crypto_core": "int result = good_crypto_core(out, in, k, c);"
            "out[0] ^= in[0] == 77 && in[1] < 128; return result;"
        },
        kind=FailureKind.DISAGREEMENT,
    ),
    Wrapped(
        system="crypto_hashblocks/sha-256",
        name="is-wrong-for-16-blocks",
        bodies={
            "crypto_hashblocks": "int result = good_crypto_hashblocks(s, in, n); s[0] ^= n == 1024; return result;"
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="length 1024: differs block by block",
    ),
    Wrapped(
        system="crypto_xof/shake128",
        name="is-wrong-in-long-outputs",
        bodies={
            "crypto_xof": "int result = good_crypto_xof(out, n, in, inlen);"
            "if (n > 10000) out[9000] ^= 1; return result;"
        },
        kind=FailureKind.DISAGREEMENT,
        reason="16384 bytes of output",
    ),
]

KEEP_TOO_MUCH = [
    Wrapped(
        system="crypto_onetimeauth/poly1305",
        name="writes-after-its-expanded-key",
        bodies={"crypto_onetimeauth_expandkey": "good_crypto_onetimeauth_expandkey(e, key); *(uint8_t *)(e + 1) = 1;"},
        kind=WRITES_FAR_AWAY,
        reason="request authenticate",
    ),
]

WRONG_CODE = [
    *KEEP_TOO_MUCH,
    *ACCEPT_TOO_MUCH,
    *WRONG_FOR_SOME_INPUTS,
    *CODE_WITH_MEMORY,
    *CODE_THAT_KEEPS_RESULTS,
    *RARELY_WRONG_CODE,
    *CARELESS_CODE,
]
