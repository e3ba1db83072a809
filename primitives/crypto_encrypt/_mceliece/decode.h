/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_DECODE_H
#define MCELIECE_DECODE_H

/* Patterson's algorithm, and the tables for it. */

#include "rows.h"
#include "slices.h"

static void goppa_polynomial(uint16_t g[33], const unsigned char *sk)
{
    for (unsigned i = 0; i < 33; i++) g[i] = word16(sk, AT_POLYNOMIAL + i);
}

static void secret_support(sliced x[SLICE_GROUPS], const unsigned char *sk)
{
    uint16_t L[2048];

    for (unsigned i = 0; i < 2048; i++) L[i] = word16(sk, i);
    sliced_support(x, L);
}

/* Syndromes: 64 elements a lane, four coefficients at a time side by side. */
static void complete_syndromes(unsigned char *sk, const uint16_t g[33])
{
    sliced x[SLICE_GROUPS], s[32];
    slice m[64] = {{0}};

    secret_support(x, sk);
    for (int n = 0; n < SLICE_GROUPS; n++) {
        sliced_syndromes(s, g, &x[n]);
        for (int i = 0; i < 32; i += 4) {
            for (int r = 0; r < 64; r++)
                m[r] = r % 16 < 11 ? s[i + r / 16].bit[r % 16] : m[r] ^ m[r];
            transpose(m);
            for (int w = 0; w < SLICE_WORDS; w++) {
                unsigned char *at = sk + 2 * (AT_SYNDROMES +
                                              32 * 64 * (unsigned)(SLICE_WORDS * n + w));
                for (int r = 0; r < 64; r++) store_le64(at + 64 * r + 2 * i, m[r][w]);
            }
        }
    }
}

/* out = X x modulo g, whose lower coefficients are `low` */
static void times_x(row *out, const row *x, const row *low)
{
    uint16_t c[33] = {0};

    row_put(c + 1, x);
    row_get(out, c);
    row_add(out, low, c[32]);
}

/* Roots of X^i.  With g = e^2 + X o^2 is X = (e/o)^2: root of X = e/o. */
static void complete_roots(unsigned char *sk, const uint16_t g[33])
{
    uint16_t even[33] = {0}, odd[32] = {0}, c[32];
    struct remainder a, b;
    row low, p, power[2];

    for (int i = 0; i < 16; i++) {
        even[i] = gf_root(g[2 * i]);
        odd[i] = gf_root(g[2 * i + 1]);
    }
    even[16] = 1;
    row_get(&low, g);
    row_get(&p, odd);
    const struct remainder *last = euclid(&a, &b, g, &p, 0);
    uint16_t inverse = gf_invert(last->value[0]);
    row_get(&p, last->factor + 32);
    power[1] = p ^ p;
    for (int i = 0; i <= 16; i++) {
        row_add(&power[1], &p, gf_multiply(even[i], inverse));
        times_x(&p, &p, &low);
    }
    memset(c, 0, sizeof c);
    c[0] = 1;
    row_get(&power[0], c);
    for (unsigned i = 0; i < 32; i++) {
        row_put(c, &power[i % 2]);
        for (unsigned k = 0; k < 32; k++) put_word16(sk, AT_ROOTS + 32 * i + k, c[k]);
        times_x(&power[i % 2], &power[i % 2], &low);
    }
}

static void goppa_complete(unsigned char *sk)
{
    uint16_t g[33];

    goppa_polynomial(g, sk);
    complete_syndromes(sk, g);
    complete_roots(sk, g);
}

static int syndrome(row *s, const unsigned char *word, const unsigned char *sk)
{
    row sum = {0}, x;
    const unsigned char *table = sk + 2 * AT_SYNDROMES;
    uint16_t c[32], any = 0;

    for (unsigned w = 0; w < 32; w++)
        for (uint64_t rest = load_le64(word + 8 * w); rest; rest &= rest - 1) {
            row_from_key(&x, table + 64 * (64 * w + (unsigned)__builtin_ctzll(rest)));
            sum ^= x;
        }
    *s = sum;
    row_put(c, s);
    for (int i = 0; i < 32; i++) any |= c[i];
    return any ? 0 : -1;
}

/* The polynomial whose roots are the wrong positions, but for a constant. */
static int error_locator(uint16_t sigma[33], const uint16_t g[33], const row *s,
                         const unsigned char *sk)
{
    struct remainder a, b;
    uint16_t t[32];
    row x, root = *s ^ *s;
    const struct remainder *last = euclid(&a, &b, g, s, 0);
    uint16_t inverse = gf_invert(last->value[0]);

    row_get(&x, last->factor + 32);
    row_add(&root, &x, inverse); /* T = 1/s */
    row_put(t, &root);
    t[1] ^= 1;
    root ^= root;
    for (unsigned i = 0; i < 32; i++) {
        row_from_key(&x, sk + 2 * (AT_ROOTS + 32 * i));
        row_add(&root, &x, gf_root(t[i]));
    }
    last = euclid(&a, &b, g, &root, 16); /* u = v root, and sigma = u^2 + X v^2 */
    if (last->degree != 16) return -1;
    for (int i = 0; i <= 16; i++) {
        uint16_t u = last->value[16 - i], v = last->factor[32 + i];
        sigma[2 * i] = gf_multiply(u, u);
        if (i < 16) sigma[2 * i + 1] = gf_multiply(v, v);
    }
    return 0;
}

static int goppa_decode(uint64_t errors[32], const unsigned char *word,
                        const unsigned char *sk)
{
    uint16_t g[33], sigma[33];
    sliced x[SLICE_GROUPS];
    int found = 0;
    row s;

    goppa_polynomial(g, sk);
    if (syndrome(&s, word, sk) || error_locator(sigma, g, &s, sk)) return -1;
    secret_support(x, sk);
    for (int n = 0; n < SLICE_GROUPS; n++) {
        sliced y = {{{0}}};
        for (int i = 32; i >= 0; i--) {
            if (i < 32) sliced_multiply(&y, &y, &x[n]);
            sliced_add(&y, sigma[i]);
        }
        for (int i = 1; i < 11; i++) y.bit[0] |= y.bit[i];
        for (int w = 0; w < SLICE_WORDS; w++) {
            errors[SLICE_WORDS * n + w] = ~y.bit[0][w];
            found += __builtin_popcountll(~y.bit[0][w]);
        }
    }
    return found == 32 ? 0 : -1;
}

#endif
