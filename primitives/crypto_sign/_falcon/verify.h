/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_VERIFY_H
#define FALCON_VERIFY_H

/* Algorithm 16, Verify.  Everything is public. */

#include "encoding.h"
#include "hash.h"

int crypto_sign_expand_public(crypto_sign_expanded_public *expanded, const unsigned char *pk)
{
    if (decode_public(expanded->h, pk)) return -1;
    ntt(expanded->h);
    for (unsigned i = 0; i < N; i++) expanded->h[i] = (uint16_t)mont(expanded->h[i], R2); /* a factor of mont */
    return 0;
}

/* |(c - s2 h, s2)|^2; beyond the bound when s2 alone is.  s2 is below 2^14. */
static uint64_t length_squared(const uint16_t c[N], const int32_t s2[N], const uint16_t h[N])
{
    uint16_t product[N];
    uint64_t sum = 0;
    for (unsigned i = 0; i < N; i++) {
        sum += (uint64_t)((int64_t)s2[i] * s2[i]);
        product[i] = to_q(s2[i] % Q);
    }
    ntt(product);
    for (unsigned i = 0; i < N; i++) product[i] = (uint16_t)mont(product[i], h[i]);
    ntt_inverse(product);
    for (unsigned i = 0; i < N; i++) {
        const int32_t s1 = centred(mod_q(c[i] + (uint32_t)Q - product[i]));
        sum += (uint64_t)((int64_t)s1 * s1);
    }
    return sum;
}

int crypto_sign_open_expanded(unsigned char *m, unsigned long long *mlen, const unsigned char *sm,
                              unsigned long long smlen, const crypto_sign_expanded_public *expanded)
{
    uint16_t c[N];
    int32_t s2[N];
    if (smlen < 2 + NONCE + 1) return -1;
    const unsigned long long part = (unsigned long long)sm[0] << 8 | sm[1], rest = smlen - 2 - NONCE;
    if (part < 1 || part > LONGEST_PART || part > rest) return -1;
    const uint8_t *const nonce = sm + 2, *const message = nonce + NONCE, *const signature = message + (rest - part);
    if (signature[0] != 0x20 + LOGN || decompress(s2, signature + 1, part - 1)) return -1;
    hash_to_point(c, nonce, message, rest - part);
    if (length_squared(c, s2, expanded->h) > BOUND) return -1;
    *mlen = rest - part;
    if (rest > part) memcpy(m, message, rest - part);
    return 0;
}

int crypto_sign_open(unsigned char *m, unsigned long long *mlen, const unsigned char *sm, unsigned long long smlen,
                     const unsigned char *pk)
{
    crypto_sign_expanded_public expanded;
    if (crypto_sign_expand_public(&expanded, pk)) return -1;
    return crypto_sign_open_expanded(m, mlen, sm, smlen, &expanded);
}

#endif
