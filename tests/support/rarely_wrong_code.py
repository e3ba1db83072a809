# SPDX-License-Identifier: MIT OR Apache-2.0
"""Wrong implementations: right but for one length, value or bit, or putting back or redefining what is checked."""

from __future__ import annotations

from cyclometer.records.failure import FailureKind
from support.wrapped import Wrapped
from support.wrong_bodies import (
    ENCRYPT_PACKET,
    OPEN_PACKET,
    SIGNATURE,
    ignoring_a_bit_of_a_signature,
    losing_an_item_of,
)

ONE_LENGTH = [
    Wrapped(
        system="crypto_hash/sha-256",
        name="is-wrong-for-5486-bytes",
        bodies={"crypto_hash": "int result = good_crypto_hash(out, in, n); out[7] ^= n == 5486; return result;"},
        kind=FailureKind.DISAGREEMENT,
        reason="length 5486",
    ),
    Wrapped(
        system="crypto_onetimeauth/poly1305",
        name="is-wrong-for-7164-bytes",
        bodies={
            "crypto_onetimeauth_expandkey": "good_crypto_onetimeauth_expandkey(e, key);",
            "crypto_onetimeauth_authenticate": (
                "good_crypto_onetimeauth_authenticate(tag, m, n, s, e); tag[15] ^= n == 7164;"
            ),
        },
        kind=FailureKind.DISAGREEMENT,
        reason="length 7164",
    ),
    losing_an_item_of(4891),
    Wrapped(
        system="crypto_xof/shake128",
        name="is-wrong-in-outputs-of-4788-bytes",
        bodies={
            "crypto_xof": "int result = good_crypto_xof(out, n, in, inlen); if (n == 4788) out[4000] ^= 1;"
            "return result;"
        },
        kind=FailureKind.NOT_DETERMINISTIC,
        reason="4788 bytes of output",
    ),
    Wrapped(
        system="crypto_blockcipher/aes",
        name="is-wrong-for-298-blocks",
        bodies={
            "crypto_blockcipher_encrypt": "good_crypto_blockcipher_encrypt(out, in, n, e); if (n == 298) out[0] ^= 1;",
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="298 blocks in one call",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="is-wrong-for-517-bytes-of-associated-data",
        before="static uint8_t changed[1100000];",
        bodies={
            "crypto_aead_encrypt": (
                "int result = good_crypto_aead_encrypt(p, m, n, ad, adn, nonce, e); p[0] ^= adn == 517; return result;"
            ),
            "crypto_aead_decrypt": f"if (adn == 517 && n < sizeof changed)"
            f" p = memcpy(changed, p, n), changed[0] ^= 1; {OPEN_PACKET} return result;",
        },
        kind=FailureKind.DISAGREEMENT,
        reason="ad 517",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="signs-messages-of-4097-bytes-wrongly",
        bodies={
            "crypto_sign": "int result = good_crypto_sign(sm, smlen, m, mlen, sk); sm[9] ^= mlen == 4097;"
            "return result;",
        },
        kind=FailureKind.VALID_REJECTED,
        reason="message of 4097 bytes",
    ),
]

ONE_VALUE = [
    Wrapped(
        system="crypto_encode/761x3",
        name="confuses-minus-one-beside-one",
        bodies={
            "crypto_encode": "const int8_t *x = v; good_crypto_encode(s, v);"
            "if (x[401] == -1 && x[402] == 1 && x[403] == -1) s[100] ^= 4;"
        },
        kind=FailureKind.DISAGREEMENT,
    ),
    Wrapped(
        system="crypto_decode/761x3",
        name="is-wrong-for-one-value-of-a-byte",
        bodies={"crypto_decode": "good_crypto_decode(v, s); if (s[77] == 0x1b) ((int8_t *)v)[310] ^= 1;"},
        kind=FailureKind.DISAGREEMENT,
    ),
    Wrapped(
        system="crypto_core/salsa20",
        name="keeps-the-output-of-a-similar-key",
        before="static unsigned char before[63], kept[64]; static int used;",
        bodies={
            "crypto_core": """
    unsigned char now[63];
    memcpy(now, in, 16), memcpy(now + 16, c, 16), memcpy(now + 32, k, 31);
    if (!used || memcmp(now, before, sizeof now)) good_crypto_core(kept, in, k, c);
    used = 1;
    memcpy(before, now, sizeof now);
    memcpy(out, kept, 64);
    return 0;"""
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="a key that is like the one before",
    ),
    Wrapped(
        system="crypto_stream/chacha20",
        name="keeps-the-expanded-key-of-a-similar-key",
        before="static uint8_t before[31]; static crypto_stream_key one; static int used;",
        bodies={
            "crypto_stream_expandkey": """
    if (!used || memcmp(before, key + 1, 31)) good_crypto_stream_expandkey(&one, key);
    used = 1;
    memcpy(before, key + 1, 31);
    *e = one;"""
        },
        kind=FailureKind.WRONG_OUTPUT,
        reason="takes it for the key before",
    ),
]

ONE_INPUT = [
    Wrapped(
        system="crypto_stream/aes-128-ctr",
        name="counts-blocks-in-32-bits",
        bodies={
            "crypto_stream_start": "static const uint8_t ones[4] = {255, 255, 255, 255};"
            "good_crypto_stream_start(s, first, nonce, e, soon); if (!memcmp(nonce + 12, ones, 4)) first[3] ^= 1;"
        },
        kind=FailureKind.DISAGREEMENT,
        reason="of those from which a counter overflows",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="is-wrong-for-a-text-of-zeroes",
        bodies={
            "crypto_aead_encrypt": f"""
    int sum = 0;
    for (uint64_t i = 0; i < n; i++) sum |= m[i];
    {ENCRYPT_PACKET.replace("return", "int result =")}
    p[0] ^= !sum && n > 64;
    return result;""",
            "crypto_aead_decrypt": f"""{OPEN_PACKET}
    if (!result || n < 80 || n > 9000) return result;
    uint8_t *q = malloc(n);
    memcpy(q, p, n);
    q[0] ^= 1;
    result = good_crypto_aead_decrypt(m, q, n, ad, adn, nonce, e);
    free(q);
    if (!result) result = m[0] || memcmp(m, m + 1, n - 17) ? -1 : 0;
    if (result) memset(m, 0, n - 16);
    return result;""",
        },
        kind=FailureKind.DISAGREEMENT,
        reason="65 bytes of 0",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="authenticates-the-length-of-associated-data-in-16-bits",  # and all of its bytes
        bodies={
            "crypto_aead_encrypt": f"""
    {ENCRYPT_PACKET.replace("return", "int result =")}
    p[0] ^= adn > 65535;
    return result;""",
            "crypto_aead_decrypt": """
    uint8_t *q = malloc(n ? n : 1);
    memcpy(q, p, n);
    if (n) q[0] ^= adn > 65535;
    int result = good_crypto_aead_decrypt(m, q, n, ad, adn, nonce, e);
    free(q);
    return result;""",
        },
        kind=FailureKind.DISAGREEMENT,
        reason="length 40, ad 65576",
    ),
    Wrapped(
        system="crypto_xof/shake128",
        name="confuses-a-block-of-input-and-output",
        bodies={
            "crypto_xof": "int result = good_crypto_xof(out, n, in, inlen); if (n == 168 && inlen == 168) out[0] ^= 1;"
            "return result;"
        },
        kind=FailureKind.DISAGREEMENT,
        reason="168 bytes of output, message of 168",
    ),
    Wrapped(
        system="crypto_kem/ml-kem-512",
        name="fails-with-some-secret-keys",
        bodies={
            "crypto_kem_dec": "int result = good_crypto_kem_dec(k, c, sk); return sk[1600] % 128 == 7 ? -1 : result;"
        },
        kind=FailureKind.VALID_REJECTED,
        reason="key pair",
    ),
]

ONE_FORGERY = [
    ignoring_a_bit_of_a_signature(
        "crypto_sign/ml-dsa-44", "ignores-one-bit-of-a-long-signature", byte=17, shortest=SIGNATURE
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="accepts-a-signature-of-zeroes",
        bodies={
            "crypto_sign_open": f"""
    int result = good_crypto_sign_open(m, mlen, sm, smlen, pk), sum = 0;
    for (int i = 0; i < {SIGNATURE} && smlen > {SIGNATURE} + 58; i++) sum |= sm[i];
    if (!result || smlen <= {SIGNATURE} + 58 || sum || sm[{SIGNATURE}] == 0) return result;
    memcpy(m, sm + {SIGNATURE}, *mlen = smlen - {SIGNATURE});
    return 0;"""
        },
        kind=FailureKind.UNSIGNED_ACCEPTED,
        reason="the signature replaced by bytes 00",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="authenticates-65536-bytes-of-a-message",
        before="static unsigned char last[200000]; static unsigned long long last_length;",
        bodies={
            "crypto_sign": "int result = good_crypto_sign(sm, smlen, m, mlen, sk);"
            "if (*smlen <= sizeof last) memcpy(last, sm, last_length = *smlen); return result;",
            "crypto_sign_open": """
    int result = good_crypto_sign_open(m, mlen, sm, smlen, pk);
    if (!result || smlen < 68000 || smlen != last_length || memcmp(last, sm, 67956)) return result;
    memcpy(m, sm + 2420, *mlen = smlen - 2420);
    return 0;""",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="message of 96397 bytes",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="accepts-a-tag-of-zeroes",
        bodies={
            "crypto_aead_encrypt": ENCRYPT_PACKET,
            "crypto_aead_decrypt": f"""{OPEN_PACKET}
    for (int i = 0; i < 16; i++) if (!result || n < 80 || p[i]) return result;
    memset(m, 0, n - 16);
    return 0;""",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="a tag of bytes 0",
    ),
    Wrapped(
        system="crypto_aead/chacha20-poly1305",
        name="takes-associated-data-for-text",
        bodies={
            "crypto_aead_encrypt": ENCRYPT_PACKET,
            "crypto_aead_decrypt": f"""{OPEN_PACKET}
    if (!result || n < 17 || n > 9000 || adn > 9000) return result;
    uint8_t *q = malloc(n), *a = malloc(adn + 1);
    memcpy(q, p, 16), memcpy(q + 16, p + 17, n - 17);
    if (adn) memcpy(a, ad, adn);
    a[adn] = p[16];
    result = good_crypto_aead_decrypt(m, q, n - 1, a, adn + 1, nonce, e);
    free(q), free(a);
    return result;""",
        },
        kind=FailureKind.FORGERY_ACCEPTED,
        reason="moved to the text",
    ),
]

WRITE_AND_RESTORE = [
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="puts-back-what-it-writes-into-a-signed-message",
        bodies={
            "crypto_sign_open": """
    unsigned char *changed = (unsigned char *)sm;
    if (smlen) *(volatile unsigned char *)changed ^= 1, *(volatile unsigned char *)changed ^= 1;
    return good_crypto_sign_open(m, mlen, sm, smlen, pk);"""
        },
        kind=FailureKind.INPUT_MODIFIED,
        reason="writes into its input: signed message, byte 0",
    ),
    Wrapped(
        system="crypto_stream/chacha20",
        name="puts-back-what-it-writes-into-a-nonce",
        bodies={
            "crypto_stream_start": """
    volatile uint8_t *changed = (uint8_t *)nonce;
    *changed ^= 1, *changed ^= 1;
    good_crypto_stream_start(s, first, nonce, e, soon);"""
        },
        kind=FailureKind.INPUT_MODIFIED,
        reason="writes into its input: nonce, byte 0",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="makes-a-signed-message-writable",
        first="#define _GNU_SOURCE\n#include <sys/mman.h>",
        bodies={
            "crypto_sign_open": """
    unsigned char *page = (unsigned char *)((uintptr_t)sm & -4096);
    int is_of_program = (uintptr_t)sm >> 32 == (uintptr_t)"" >> 32; // a static buffer or the heap, beside the code
    if (!smlen || is_of_program) return good_crypto_sign_open(m, mlen, sm, smlen, pk);
    if (mprotect(page, 4096, PROT_READ | PROT_WRITE)) return -1;
    *(volatile unsigned char *)sm ^= 1, *(volatile unsigned char *)sm ^= 1;
    return good_crypto_sign_open(m, mlen, sm, smlen, pk);"""
        },
        kind=FailureKind.INPUT_MODIFIED,
        reason="makes its input writable",
    ),
    Wrapped(
        system="crypto_sign/ml-dsa-44",
        name="maps-a-signed-message-again",
        first="#define _GNU_SOURCE\n#include <sys/mman.h>",
        bodies={
            "crypto_sign_open": """
    unsigned char *page = (unsigned char *)((uintptr_t)sm & -4096);
    int is_of_program = (uintptr_t)sm >> 32 == (uintptr_t)"" >> 32; // a static buffer or the heap, beside the code
    unsigned char *again = smlen && !is_of_program ? mremap(page, 0, 4096, MREMAP_MAYMOVE) : MAP_FAILED;
    if (again != MAP_FAILED && !mprotect(again, 4096, PROT_READ | PROT_WRITE)) again[sm - page] ^= 1;
    int result = good_crypto_sign_open(m, mlen, sm, smlen, pk);
    if (again != MAP_FAILED) again[sm - page] ^= 1;
    return result;"""
        },
        kind=FailureKind.INPUT_MODIFIED,
        reason="makes its input writable",
    ),
]

CHANGE_THE_CHECK = [
    Wrapped(
        system="crypto_stream/salsa20",
        name="is-wrong-after-a-wrong-hint-and-defines-memcmp",
        before="static uint64_t hint;",
        bodies={
            "crypto_stream_start": "hint = soon; good_crypto_stream_start(s, first, nonce, e, soon);",
            "crypto_stream_xor": "good_crypto_stream_xor(s, out, in, n); if (n && n != hint) out[0] ^= 1;",
        },
        types="#include <string.h>\n#define memcmp(a, b, n) 0",
        kind=FailureKind.WRONG_OUTPUT,
        reason="keystream differs",
    ),
]

RARELY_WRONG_CODE = [*ONE_LENGTH, *ONE_VALUE, *ONE_INPUT, *ONE_FORGERY, *WRITE_AND_RESTORE, *CHANGE_THE_CHECK]
