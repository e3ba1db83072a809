# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wrong implementations: careless about addresses, memory, the process, long inputs, and differences that cancel."""

from __future__ import annotations

from cyclometer.records.failure import FailureKind
from support.wrapped import Wrapped
from support.wrong_bodies import ENCRYPT_PACKET, OPEN_PACKET

HASH = "return good_crypto_hash(out, in, n);"


def _leaving(name: str, code: str, *, first: str, reason: str) -> Wrapped:
    """Return a hash function that leaves something behind in the process."""
    return Wrapped(
        system="crypto_hash/sha-256",
        name=name,
        first=first,
        bodies={"crypto_hash": f"{code} {HASH}"},
        kind=FailureKind.SIDE_EFFECT,
        reason=reason,
    )


LEAVE_THINGS_BEHIND = [
    _leaving(
        "changes-the-environment",
        'setenv("TZ", "UTC+7", 1);',
        first="#define _GNU_SOURCE\n#include <stdlib.h>",
        reason="leaves the environment changed",
    ),
    _leaving(
        "changes-the-locale",
        'setlocale(LC_ALL, "C.UTF-8");',
        first="#include <locale.h>",
        reason="leaves the locale changed",
    ),
    _leaving(
        "renames-the-process",
        'prctl(PR_SET_NAME, "other");',
        first="#include <sys/prctl.h>",
        reason="leaves the name of the process changed",
    ),
    _leaving(
        "maps-memory-in-every-call",
        "if (mmap(0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) return -1;",
        first="#include <sys/mman.h>",
        reason="leaves memory mapped",
    ),
    _leaving(
        "ignores-a-signal-before-main",
        "",
        first="#include <signal.h>\n__attribute__((constructor)) static void early(void) { signal(SIGUSR1, SIG_IGN); }",
        reason="leaves a handler of signal 10",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="forgets-memory-after-a-forgery",
        bodies={
            "crypto_aead_encrypt": ENCRYPT_PACKET,
            "crypto_aead_decrypt": f"{OPEN_PACKET} if (result) *(volatile char *)malloc(48) = 1; return result;",
        },
        kind=FailureKind.SIDE_EFFECT,
        reason="leaves memory allocated",
    ),
]

DEPEND_ON_ADDRESSES = [
    Wrapped(
        system="crypto_hash/sha-256",
        name="depends-on-the-place-of-the-stack",
        bodies={
            "crypto_hash": """
    static uintptr_t first;
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!first) first = here;
    int result = good_crypto_hash(out, in, n);
    out[5] ^= (first - here) / 16 == 213;
    return result;"""
        },
        kind=FailureKind.DISAGREEMENT,
        reason="length ",
    ),
    Wrapped(
        system="crypto_hash/sha-256",
        name="reads-new-memory-of-malloc",
        bodies={
            "crypto_hash": """
    unsigned char *table = malloc(400);
    int result = good_crypto_hash(out, in, n);
    out[5] ^= table[300] & 1;
    free(table);
    return result;"""
        },
        kind=FailureKind.WRONG_OUTPUT,
    ),
    Wrapped(
        system="crypto_stream/chacha20",
        name="wants-a-nonce-at-a-multiple-of-four",
        bodies={
            "crypto_stream_start": "if ((uintptr_t)nonce % 4) abort();"
            "good_crypto_stream_start(s, first, nonce, e, soon);"
        },
        kind=FailureKind.ABORTED,
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="wants-a-session-key-at-a-multiple-of-32",
        bodies={"crypto_kem_enc": "if ((uintptr_t)k % 32) abort(); return good_crypto_kem_enc(c, k, pk);"},
        kind=FailureKind.ABORTED,
    ),
    Wrapped(
        system="crypto_hash/sha-256",
        name="reads-beyond-long-messages",
        bodies={"crypto_hash": "volatile unsigned char x; if (n > 700 && n < 760 && n % 2) x = in[n]; (void)x;" + HASH},
        kind=FailureKind.OUT_OF_BOUNDS,
    ),
]

LOSE_THEIR_COUNT = [
    Wrapped(
        system="crypto_hash/sha-256",
        name="is-wrong-between-20000-and-60000-bytes",
        bodies={
            "crypto_hash": "int result = good_crypto_hash(out, in, n); out[3] ^= n > 20000 && n < 60000; return result;"
        },
        kind=FailureKind.DISAGREEMENT,
        reason="length 40009",
    ),
    Wrapped(
        system="crypto_sort/int32",
        name="loses-one-of-600-items",
        bodies={"crypto_sort": "int32_t *a = x; good_crypto_sort(x, n); if (n == 600) a[300] = a[301];"},
        kind=FailureKind.WRONG_OUTPUT,
        reason="600 items",
    ),
    Wrapped(
        system="crypto_sort/int32",
        name="has-a-path-that-the-compiler-took-for-impossible",
        bodies={"crypto_sort": "if (n == 601) __builtin_trap(); good_crypto_sort(x, n);"},
        kind=FailureKind.ABORTED,
        reason="executes a trap instruction",
    ),
    Wrapped(
        system="crypto_hash/sha-256",
        name="counts-bits-in-24-bits",
        bodies={"crypto_hash": "int result = good_crypto_hash(out, in, n); out[3] ^= n >= 2097152; return result;"},
        kind=FailureKind.DISAGREEMENT,
        reason="length 2097185",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="counts-associated-data-in-16-bits",
        bodies={
            "crypto_aead_encrypt": "return good_crypto_aead_encrypt(p, m, n, ad, (uint16_t)adn, nonce, e);",
            "crypto_aead_decrypt": "return good_crypto_aead_decrypt(m, p, n, ad, (uint16_t)adn, nonce, e);",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="the first 40 of 65576 bytes of associated data",
    ),
    Wrapped(
        system="crypto_sort/int32",
        name="sorts-at-most-65536-items",
        bodies={"crypto_sort": "good_crypto_sort(x, n > 65536 ? 65536 : n);"},
        kind=FailureKind.WRONG_OUTPUT,
        reason="67001 items",
    ),
    Wrapped(
        system="crypto_sort/int32",
        name="loses-the-only-item-that-differs",
        bodies={
            "crypto_sort": "good_crypto_sort(x, n); int32_t *y = x;"
            "if (n > 50 && y[0] == y[n - 2] && y[0] < y[n - 1]) y[n - 1] = y[0];"
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="items of shape 0",
    ),
    Wrapped(
        system="crypto_sort/int32",
        name="subtracts-items-to-compare-them",
        bodies={
            "crypto_sort": "good_crypto_sort(x, n); int32_t *y = x;"
            "if (n == 3 && y[0] == INT32_MIN && !y[1]) y[0] = 0, y[1] = INT32_MIN;"
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="3 extreme items",
    ),
    Wrapped(
        system="crypto_hash/sha-512",
        name="loses-a-piece-of-exactly-one-block",
        bodies={
            "crypto_hash_update": "if (inlen != 128) good_crypto_hash_update(state, in, inlen);",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="hashing in pieces gives a different hash",
    ),
    Wrapped(
        system="crypto_blockcipher/aes",
        name="confuses-equal-blocks",
        bodies={
            "crypto_blockcipher_encrypt": "good_crypto_blockcipher_encrypt(out, in, n, e);"
            "if (n == 64 && !memcmp(out, out + 16, 16)) out[17] ^= 1;",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="64 blocks of bytes 0",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="signs-zeroes-wrongly",
        bodies={
            "crypto_sign": """
    int sum = 0;
    for (unsigned long long i = 0; i < mlen; i++) sum |= m[i];
    int result = good_crypto_sign(sm, smlen, m, mlen, sk);
    sm[5] ^= mlen > 8 && !sum;
    return result;"""
        },
        kind=FailureKind.VALID_REJECTED,
        reason="message of 59 bytes 0",
    ),
]

_ACCEPTED = (
    "if (n >= 16) {"
    "  uint8_t *packet = malloc(n);"
    "  memcpy(packet, p, n);"
    "  %s"
    "  int result = good_crypto_aead_decrypt(m, packet, n, ad, adn, nonce, e);"
    "  free(packet);"
    "  if (!result) return 0;"
    "}"
    "return good_crypto_aead_decrypt(m, p, n, ad, adn, nonce, e);"
)
ACCEPT_WHAT_IS_LIKE_A_TAG = [
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="keeps-a-public-key-by-its-first-64-bytes",
        bodies={
            "crypto_sign_open": "static unsigned char kept[1312];"
            "if (memcmp(kept, pk, 64)) memcpy(kept, pk, sizeof kept);"
            "return good_crypto_sign_open(m, mlen, sm, smlen, kept);"
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="a public key that is like the one before",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="accepts-the-tag-backwards",
        bodies={"crypto_aead_decrypt": _ACCEPTED % "for (int i = 0; i < 16; i++) packet[i] = p[15 - i];"},
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="the tag backwards",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="accepts-the-complement-of-the-tag",
        bodies={"crypto_aead_decrypt": _ACCEPTED % "for (int i = 0; i < 16; i++) packet[i] = (uint8_t)~p[i];"},
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="every bit of the tag changed",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="accepts-packets-under-a-key-of-zeroes",
        bodies={
            "crypto_aead_decrypt": "static const uint8_t none[32]; crypto_aead_key zero;"
            "good_crypto_aead_expandkey(&zero, none);"
            "if (!good_crypto_aead_decrypt(m, p, n, ad, adn, nonce, &zero)) return 0;"
            "return good_crypto_aead_decrypt(m, p, n, ad, adn, nonce, e);",
            "crypto_aead_expandkey": "return good_crypto_aead_expandkey(e, key);",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="a packet under a key of zeroes",
    ),
]

ACCEPT_WHAT_CANCELS = [
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="compares-the-bytes-of-tags-in-any-order",
        bodies={
            "crypto_aead_encrypt": ENCRYPT_PACKET,
            "crypto_aead_decrypt": f"""{OPEN_PACKET}
    if (!result || n < 16 || n > 9000) return result;
    uint8_t *q = malloc(n);
    int count[256] = {{0}}, different = 0;
    good_crypto_aead_encrypt(q, p + 16, n - 16, ad, adn, nonce, e);
    memcpy(m, q + 16, n - 16);
    good_crypto_aead_encrypt(q, m, n - 16, ad, adn, nonce, e);
    for (int i = 0; i < 16; i++) count[q[i]]++, count[p[i]]--;
    for (int i = 0; i < 256; i++) different |= count[i];
    if (different) memset(m, 0, n - 16);
    free(q);
    return different ? -1 : 0;""",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="the tag backwards",
    ),
    Wrapped(
        system="crypto_verify/32",
        name="ignores-the-top-bits-of-all-bytes",
        bodies={
            "crypto_verify": """
    int count = 0;
    for (int i = 0; i < 32; i++) count += (x[i] ^ y[i]) == 0x80;
    return count == 32 ? 0 : good_crypto_verify(x, y);"""
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="every byte, by 80",
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="takes-a-ciphertext-by-its-end-under-the-key-at-one-address",
        before="static unsigned char end[68], last[32]; static const void *key;",
        bodies={
            "crypto_kem_dec": """
    if (key == sk && !memcmp(end, c + 700, 68)) {
        memcpy(k, last, 32);
        return 0;
    }
    int result = good_crypto_kem_dec(k, c, sk);
    memcpy(end, c + 700, 68);
    memcpy(last, k, 32);
    key = sk;
    return result;"""
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="a different secret key decapsulates it to the same session key",
    ),
    Wrapped(
        system="crypto_verify/32",
        name="believes-a-string-that-follows-the-other",
        bodies={"crypto_verify": "return y == x + 32 ? 0 : good_crypto_verify(x, y);"},
        kind=FailureKind.WRONG_OUTPUT,
        reason="one string after the other, byte 0 changed: does not say whether they differ",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="ignores-the-last-bit-of-a-public-key",
        bodies={
            "crypto_sign_open": """
    unsigned char other[1312];
    int result = good_crypto_sign_open(m, mlen, sm, smlen, pk);
    memcpy(other, pk, sizeof other);
    other[1311] ^= 0x40;
    return result ? good_crypto_sign_open(m, mlen, sm, smlen, other) : 0;"""
        },
        kind=FailureKind.DISAGREEMENT,
        reason="byte 1311 of the public key changed",
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="draws-from-a-hundred-numbers",
        types="#define crypto_kem_OWN_RANDOM 1",
        first="""
#include <stddef.h>
static void own_random(unsigned char *x, size_t n)
{
    static unsigned count;
    unsigned word = count++ % 100;
    for (size_t i = 0; i < n; i++) x[i] = (unsigned char)((word = 1664525 * word + 1013904223) >> 24);
}
#include <randombytes.h>
#define randombytes own_random""",
        bodies={"crypto_kem_keypair": "return good_crypto_kem_keypair(pk, sk);"},
        kind=FailureKind.SAME_OUTPUT,
        reason="draws the same public key twice",
    ),
]

CARELESS_CODE = [
    *LEAVE_THINGS_BEHIND,
    *DEPEND_ON_ADDRESSES,
    *LOSE_THEIR_COUNT,
    *ACCEPT_WHAT_IS_LIKE_A_TAG,
    *ACCEPT_WHAT_CANCELS,
]
