/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_SIGN_H
#define FALCON_SIGN_H

/* Algorithm 10, Sign. */

#include "../../_shared/randombytes.h"
#include "../../_shared/verdict.h"
#include "tree.h"
#include "verify.h"

struct secret {
    int8_t f[N], g[N], F[N], G[N];
};

/* G = g F / f modulo q, of which G, below 128, is the representative around 0. */
static int complete(struct secret *s)
{
    uint16_t f[N], g[N], F[N];
    uint32_t wrong;
    for (unsigned i = 0; i < N; i++) f[i] = to_q(s->f[i]), g[i] = to_q(s->g[i]), F[i] = to_q(s->F[i]);
    ntt(f), ntt(g), ntt(F);
    wrong = (uint32_t)divide(f, g, f);
    for (unsigned i = 0; i < N; i++) f[i] = (uint16_t)mont(f[i], mont(F[i], R2));
    ntt_inverse(f);
    for (unsigned i = 0; i < N; i++) {
        const int32_t x = centred(f[i]);
        wrong |= (uint32_t)(x + 127) > 254;
        s->G[i] = (int8_t)x;
    }
    return (int)wrong;
}

static void transform(double out[N], const int8_t a[N], int sign)
{
    for (unsigned i = 0; i < N; i++) out[i] = sign * a[i];
    fft(out, N);
}

static void expand(crypto_sign_expanded_secret *expanded, const struct secret *s)
{
    transform(expanded->basis[0][0], s->g, 1);
    transform(expanded->basis[0][1], s->f, -1);
    transform(expanded->basis[1][0], s->G, 1);
    transform(expanded->basis[1][1], s->F, -1);
    tree_build(expanded->tree, (const double (*)[2][N])expanded->basis);
}

/* -1, public, for bytes that KeyGen does not make. */
int crypto_sign_expand_secret(crypto_sign_expanded_secret *expanded, const unsigned char *sk)
{
    struct secret s;
    uint32_t wrong = *sk++ ^ (0x50 + LOGN);
    sk = decode_small(s.f, sk, SMALL_BITS, &wrong);
    sk = decode_small(s.g, sk, SMALL_BITS, &wrong);
    decode_small(s.F, sk, 8, &wrong);
    wrong |= (uint32_t)complete(&s);
    expand(expanded, &s);
    wrong |= (uint32_t)leaves_wrong(expanded->tree, N);
    return -verdict(wrong != 0);
}

/* Lines 4 to 8: (s1, s2) for c; returns s2 and whether the two are too long. */
static int sample_short(int32_t s2[N], struct generator *g, const uint16_t c[N],
                        const crypto_sign_expanded_secret *expanded)
{
    double t0[N], t1[N], work[4 * N];
    const double (*const b)[2][N] = (const double (*)[2][N])expanded->basis;
    const double inverse_q = 1.0 / Q;
    uint64_t sum = 0;
    for (unsigned i = 0; i < N; i++) work[i] = c[i];
    fft(work, N);
    for (unsigned i = 0; i < N / 2; i++) {
        const struct complex x = value(work, N, i);
        const struct complex y0 = times(x, value(b[1][1], N, i)), y1 = times(x, value(b[0][1], N, i));
        set_value(t0, N, i, (struct complex){y0.re * inverse_q, y0.im * inverse_q});
        set_value(t1, N, i, (struct complex){-y1.re * inverse_q, -y1.im * inverse_q});
    }
    ff_sampling(g, t0, t1, expanded->tree, N, work);
    for (unsigned i = 0; i < N / 2; i++) { /* z B, whose difference from (c, 0) is short */
        const struct complex z0 = value(t0, N, i), z1 = value(t1, N, i);
        const struct complex a = times(z0, value(b[0][0], N, i)), d = times(z0, value(b[0][1], N, i));
        const struct complex e = times(z1, value(b[1][0], N, i)), f = times(z1, value(b[1][1], N, i));
        set_value(t0, N, i, (struct complex){a.re + e.re, a.im + e.im});
        set_value(t1, N, i, (struct complex){d.re + f.re, d.im + f.im});
    }
    fft_inverse(t0, N);
    fft_inverse(t1, N);
    for (unsigned i = 0; i < N; i++) {
        const int32_t s1 = c[i] - nearest(t0[i]);
        s2[i] = -nearest(t1[i]);
        sum += (uint64_t)((int64_t)s1 * s1) + (uint64_t)((int64_t)s2[i] * s2[i]);
    }
    return (int)((BOUND - sum) >> 63);
}

int crypto_sign_expanded(unsigned char *sm, unsigned long long *smlen, const unsigned char *m,
                         unsigned long long mlen, const crypto_sign_expanded_secret *expanded)
{
    struct generator g;
    uint16_t c[N];
    int32_t s2[N];
    uint8_t nonce[NONCE], seed[SEED], signature[LONGEST_PART];
    unsigned length = 0;
    randombytes(nonce, sizeof nonce);
    randombytes(seed, sizeof seed);
    crypto_declassify(nonce, sizeof nonce); /* part of the signed message */
    hash_to_point(c, nonce, m, mlen);
    generator_start(&g, seed);
    while (length == 0) {
        /* The specification's: the distribution of (s1, s2) tells nothing of the key, and what is too long is thrown
         * away; s2 of the right length is published, or once in a universe too long for its encoding. */
        if (verdict(sample_short(s2, &g, c, expanded))) continue;
        crypto_declassify(s2, sizeof s2);
        length = compress(signature + 1, LONGEST_PART - 1, s2);
    }
    signature[0] = 0x20 + LOGN;
    length++;
    if (mlen > 0) memcpy(sm + 2 + NONCE, m, mlen);
    sm[0] = (uint8_t)(length >> 8);
    sm[1] = (uint8_t)length;
    memcpy(sm + 2, nonce, NONCE);
    memcpy(sm + 2 + NONCE + mlen, signature, length);
    *smlen = 2 + NONCE + mlen + length;
    return 0;
}

int crypto_sign(unsigned char *sm, unsigned long long *smlen, const unsigned char *m, unsigned long long mlen,
                const unsigned char *sk)
{
    crypto_sign_expanded_secret expanded;
    if (crypto_sign_expand_secret(&expanded, sk)) return -1;
    return crypto_sign_expanded(sm, smlen, m, mlen, &expanded);
}

#endif
