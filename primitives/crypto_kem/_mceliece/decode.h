/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_DECODE_H
#define MCELIECE_DECODE_H

/* Errors from what is right of them: the code of g is that of g^2, too, whose
 * syndromes are twice as many and let Berlekamp and Massey's algorithm find t
 * errors. */

#include "field.h"
#include "network.h"

struct decoder {
    struct support support;
    sliced weight[GROUPS]; /* 1 / g(a_i)^2 */
};

static void decoder_start(struct decoder *d, const unsigned char *sk)
{
    uint16_t g[T];
    for (unsigned i = 0; i < T; i++) g[i] = (uint16_t)(sk[AT_GOPPA + 2 * i] | sk[AT_GOPPA + 2 * i + 1] << 8);
    support_of_network(&d->support, sk + AT_NETWORK);
    for (unsigned n = 0; n < GROUPS; n++) {
        sliced x, y;
        support_elements(&x, &d->support, SLICE_BITS * n);
        sliced_evaluate(&y, g, &x);
        sliced_square(&y, &y);
        sliced_invert(&d->weight[n], &y);
    }
}

static inline uint64_t parity(uint64_t x)
{
    for (int i = 32; i > 0; i /= 2) x ^= x >> i;
    return x & 1;
}

/* The sum of all elements. */
static uint16_t sliced_sum(const sliced *x)
{
    uint64_t sum = 0;
    for (int b = 0; b < M; b++) {
        uint64_t words[SLICE_WORDS], all = 0;
        memcpy(words, &x->bit[b], sizeof words);
        for (int w = 0; w < SLICE_WORDS; w++) all ^= words[w];
        sum |= parity(all) << b;
    }
    return (uint16_t)sum;
}

/* s_j = the sum of a_i^j / g(a_i)^2 where the word has a 1, for j < 2t. */
static void syndromes(uint16_t s[2 * T], const struct decoder *d, const uint64_t word[CODE_WORDS], unsigned groups)
{
    sliced x[GROUPS], y[GROUPS];
    for (unsigned n = 0; n < groups; n++) {
        slice ones;
        memcpy(&ones, word + SLICE_WORDS * n, sizeof ones);
        support_elements(&x[n], &d->support, SLICE_BITS * n);
        for (int b = 0; b < M; b++) y[n].bit[b] = d->weight[n].bit[b] & ones;
    }
    for (unsigned j = 0; j < 2 * T; j++) {
        sliced sum = y[0];
        for (unsigned n = 1; n < groups; n++)
            for (int b = 0; b < M; b++) sum.bit[b] ^= y[n].bit[b];
        s[j] = sliced_sum(&sum);
        for (unsigned n = 0; n < groups; n++) sliced_multiply(&y[n], &y[n], &x[n]);
    }
}

/* Where the polynomial x^t + c[0] x^(t-1) + ... has its roots. */
static void roots(uint64_t word[CODE_WORDS], const struct decoder *d, const uint16_t c[LANES])
{
    uint16_t locator[T];
    for (unsigned i = 0; i < T; i++) locator[i] = c[T - 1 - i];
    for (unsigned n = 0; n < GROUPS; n++) {
        sliced x, y;
        support_elements(&x, &d->support, SLICE_BITS * n);
        sliced_evaluate(&y, locator, &x);
        for (int b = 1; b < M; b++) y.bit[0] |= y.bit[b];
        y.bit[0] = ~y.bit[0];
        memcpy(word + SLICE_WORDS * n, &y.bit[0], sizeof y.bit[0]);
    }
    for (unsigned w = N / 64; w < CODE_WORDS; w++)
        word[w] &= w > N / 64 ? 0 : ((uint64_t)1 << N % 64) - 1; /* elements without a position */
}

static unsigned weight_of(const uint64_t word[CODE_WORDS])
{
    unsigned sum = 0;
    for (unsigned w = 0; w < CODE_WORDS; w++)
        for (unsigned i = 0; i < 64; i++) sum += word[w] >> i & 1;
    return sum;
}

/* The t errors of which the ciphertext is the syndrome: 1, or 0 when there are none
 * and the word is of no use. */
static unsigned decode(uint64_t errors[CODE_WORDS], const unsigned char *ciphertext, const unsigned char *sk)
{
    struct decoder d;
    uint64_t word[CODE_WORDS] = {0};
    uint16_t s[2 * T], again[2 * T], c[LANES];
    unsigned char bytes[8 * CODE_WORDS] = {0};
    memcpy(bytes, ciphertext, crypto_kem_CIPHERTEXTBYTES);
    for (unsigned w = 0; w < CODE_WORDS; w++) word[w] = load_le64(bytes + 8 * w);
    decoder_start(&d, sk);
    syndromes(s, &d, word, (ROWS + SLICE_BITS - 1) / SLICE_BITS);
    unsigned wrong = shortest_recurrence(c, s) ^ T;
    roots(errors, &d, c);
    wrong |= weight_of(errors) ^ T;
    syndromes(again, &d, errors, GROUPS);
    for (unsigned j = 0; j < 2 * T; j++) wrong |= (unsigned)(s[j] ^ again[j]);
    return (wrong - 1) >> 31; /* all that is in wrong is below 2^31 */
}

#endif
