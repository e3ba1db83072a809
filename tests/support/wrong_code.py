# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wrong implementations of every kind of operation, each right in all but a few of its calls.

Some keep something outside the object that belongs to the caller, or between two calls; others make keys that nobody
else can use.
"""

from __future__ import annotations

from cyclometer.records.failure import FailureKind
from support.rarely_wrong_code import RARELY_WRONG_CODE
from support.wrapped import Wrapped
from support.wrong_bodies import (
    ENCRYPT_PACKET,
    OPEN_PACKET,
    SIGNATURE,
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
        kind=FailureKind.DISAGREEMENT,
        reason="of the ciphertext changed",
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
    pk[0] = sk[0] = (unsigned char)++count, pk[1] = sk[1] = 9;
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

WRONG_CODE = [
    *ACCEPT_TOO_MUCH,
    *WRONG_FOR_SOME_INPUTS,
    *KEEP_THE_CALLERS_OBJECTS,
    *UNDERSTOOD_BY_NOBODY_ELSE,
    *CHANGE_FROM_CALL_TO_CALL,
    *RARELY_WRONG_CODE,
]
