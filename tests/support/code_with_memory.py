# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wrong implementations that keep something outside the object that belongs to the caller, or between two calls.

Others keep the meaning of keys to themselves: nobody else can use them.
"""

from __future__ import annotations

from cyclometer.records.failure import FailureKind
from support.wrapped import Wrapped

_ONE_CIPHER_KEY = "static crypto_blockcipher_key one;"

KEEP_THE_CALLERS_OBJECTS = [
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="keeps-one-key-of-all-packets",
        before="static crypto_aead_key one;",
        bodies={
            "crypto_aead_expandkey": "memset(e, 0, sizeof *e); return good_crypto_aead_expandkey(&one, key);",
            "crypto_aead_encrypt": "return good_crypto_aead_encrypt(p, m, n, ad, adn, nonce, &one);",
            "crypto_aead_decrypt": "return good_crypto_aead_decrypt(m, p, n, ad, adn, nonce, &one);",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="two keys in use",
    ),
    Wrapped(
        system="crypto_onetimeauth/poly1305",
        name="keeps-one-key-of-all-tags",
        before="static crypto_onetimeauth_key one;",
        bodies={
            "crypto_onetimeauth_expandkey": "memset(e, 0, sizeof *e); good_crypto_onetimeauth_expandkey(&one, key);",
            "crypto_onetimeauth_authenticate": "good_crypto_onetimeauth_authenticate(tag, m, n, s, &one);",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="two keys in use",
    ),
    Wrapped(
        system="crypto_stream/chacha20",
        name="keeps-one-key-of-all-streams",
        before="static crypto_stream_key one;",
        bodies={
            "crypto_stream_expandkey": "memset(e, 0, sizeof *e); good_crypto_stream_expandkey(&one, key);",
            "crypto_stream_start": "good_crypto_stream_start(s, first, nonce, &one, soon);",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="two keys in use",
    ),
    Wrapped(
        system="crypto_stream/chacha20",
        name="keeps-one-state-of-all-streams",
        before="static crypto_stream_state one;",
        bodies={
            "crypto_stream_start": "good_crypto_stream_start(&one, first, nonce, e, soon);",
            "crypto_stream_xor": "good_crypto_stream_xor(&one, out, in, n);",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="two streams in use",
    ),
    Wrapped(
        system="crypto_blockcipher/aes",
        name="keeps-one-key-of-all-blocks",
        before=_ONE_CIPHER_KEY,
        bodies={
            "crypto_blockcipher_expandkey": (
                "memset(e, 0, sizeof *e); return good_crypto_blockcipher_expandkey(&one, key, n);"
            ),
            "crypto_blockcipher_encrypt": "good_crypto_blockcipher_encrypt(out, in, n, &one);",
            "crypto_blockcipher_decrypt": "good_crypto_blockcipher_decrypt(out, in, n, &one);",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="two keys in use",
    ),
]

# With random bytes of its own, its keys and outputs are compared with nobody's: others must be able to use them.
_SUM = """
static void sign_weakly(unsigned char *s, const unsigned char *key, const unsigned char *m, unsigned long long n)
{
    uint32_t sum = key[0] + 256u * key[1];
    for (unsigned long long i = 0; i < n; i++) sum = 16777619 * sum ^ m[i];
    for (int i = 0; i < 2420; i++) s[i] = (sum = 1664525 * sum + 1013904223) >> 24;
}
static int is_weak(const unsigned char *key)
{
    for (int i = 2; i < 1312; i++) if (key[i] != 0x77) return 0;
    return 1;
}
"""

UNDERSTOOD_BY_NOBODY_ELSE = [
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="signs-weakly-with-keys-of-its-own",
        types="#define crypto_sign_OWN_RANDOM 1",
        before=_SUM,
        bodies={
            "crypto_sign_keypair": """
    static unsigned count;
    memset(pk, 0x77, 1312), memset(sk, 0x77, 2560);
    pk[0] = sk[0] = (unsigned char)++count, pk[1] = sk[1] = (unsigned char)(count >> 8);
    return 0;""",
            "crypto_sign": """
    if (!is_weak(sk)) return good_crypto_sign(sm, smlen, m, mlen, sk);
    sign_weakly(sm, sk, m, mlen);
    memcpy(sm + 2420, m, mlen);
    *smlen = mlen + 2420;
    return 0;""",
            "crypto_sign_open": """
    unsigned char expected[2420];
    if (!is_weak(pk)) return good_crypto_sign_open(m, mlen, sm, smlen, pk);
    if (smlen < 2420) return -1;
    sign_weakly(expected, pk, sm + 2420, smlen - 2420);
    if (memcmp(expected, sm, 2420)) return -1;
    memcpy(m, sm + 2420, *mlen = smlen - 2420);
    return 0;""",
        },
        kind=FailureKind.DISAGREEMENT,
        reason="disagrees with ref when they use each other's keys: open: answers 'rejected'",
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="publishes-keys-that-only-it-understands",
        types="#define crypto_kem_OWN_RANDOM 1",
        before="static unsigned char mine[800];",
        bodies={
            "crypto_kem_keypair": "int result = good_crypto_kem_keypair(pk, sk); pk[799] ^= 1;"
            "memcpy(mine, pk, sizeof mine); return result;",
            "crypto_kem_enc": """
    unsigned char other[800];
    memcpy(other, pk, sizeof other);
    other[799] ^= !memcmp(pk, mine, sizeof mine);
    return good_crypto_kem_enc(c, k, other);""",
        },
        kind=FailureKind.DISAGREEMENT,
        reason="disagrees with ref when they use each other's keys: decapsulate: shared differs at byte 0",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="draws-keys-from-a-fixed-seed",
        types="#define crypto_sign_OWN_RANDOM 1",
        first="""
#include <stddef.h>
static void own_random(unsigned char *x, size_t n)
{
    static unsigned word = 1;
    for (size_t i = 0; i < n; i++) x[i] = (unsigned char)((word = 1664525 * word + 1013904223) >> 24);
}
#include <randombytes.h>
#define randombytes own_random""",
        bodies={"crypto_sign_keypair": "return good_crypto_sign_keypair(pk, sk);"},
        kind=FailureKind.SAME_OUTPUT,
        reason="draws the same key pair in every process",
    ),
]

CHANGE_FROM_CALL_TO_CALL = [
    Wrapped(
        system="crypto_hash/sha-256",
        name="is-wrong-after-5000-short-messages",
        bodies={
            "crypto_hash": "static int calls; int result = good_crypto_hash(out, in, n);"
            "calls += n == 64; out[5] ^= calls > 5000; return result;"
        },
        kind=FailureKind.NOT_DETERMINISTIC,
        reason="repeated call",
    ),
    Wrapped(
        system="crypto_hash/sha-256",
        name="is-wrong-after-a-longer-message",
        bodies={
            "crypto_hash": "static unsigned long long before; int result = good_crypto_hash(out, in, n);"
            "out[5] ^= n % 2 && n + 2 == before; before = n; return result;"
        },
        kind=FailureKind.DISAGREEMENT,
        reason="length 1097",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="varies-signatures-of-long-messages",
        bodies={
            "crypto_sign": """
    static unsigned char calls, other[2560];
    memcpy(other, sk, sizeof other);
    other[32] ^= mlen > 5000 ? ++calls : 0;
    return good_crypto_sign(sm, smlen, m, mlen, other);"""
        },
        kind=FailureKind.HIDDEN_RNG,
        reason="message of 8192 bytes",
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="is-wrong-after-2000-ciphertexts",
        bodies={
            "crypto_kem_dec": "static int calls; int result = good_crypto_kem_dec(k, c, sk);"
            "k[0] ^= ++calls > 2000; return result;"
        },
        kind=FailureKind.VALID_REJECTED,
    ),
]

CODE_WITH_MEMORY = [*KEEP_THE_CALLERS_OBJECTS, *UNDERSTOOD_BY_NOBODY_ELSE, *CHANGE_FROM_CALL_TO_CALL]
