/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef MCELIECE_NETWORK_H
#define MCELIECE_NETWORK_H

/* Permutations of the field's elements as control bits of a Benes network: 2m - 1
 * layers of q/2 conditional swaps, of elements 1, 2, 4, ..., q/2, ..., 2, 1 apart. */

#include "sliced.h"

#define ITEM uint32_t
#define SORT sort_pairs
#include "sort.h"
#undef ITEM
#undef SORT

/* ---- the bits of a permutation --------------------------------------------
 *
 * Bernstein, Verified fast formulas for control bits for permutation networks,
 * 2020 (ePrint 2020/1493).  The recursion on two halves of a permutation that
 * keeps the lowest bit is here a loop: at level d there are 2^d permutations of
 * q / 2^d numbers, interleaved; number x of permutation e stands at x 2^d + e, and
 * as x 2^d + e.  So all are sorted together, and no number ever moves to another
 * representation. */

/* out = values o pi^-1: out[pi[i]] = values[i]. */
static void compose_inverse(uint16_t out[Q], const uint16_t values[Q], const uint16_t pi[Q], uint32_t stride)
{
    uint32_t pairs[Q];
    for (uint32_t i = 0; i < Q; i++) pairs[i] = (uint32_t)pi[i] << 16 | values[i];
    sort_pairs(pairs, Q, stride);
    for (uint32_t i = 0; i < Q; i++) out[i] = (uint16_t)pairs[i];
}

static void minima(uint16_t least[Q], const uint16_t other[Q])
{
    for (uint32_t i = 0; i < Q; i++) {
        const uint16_t difference = (uint16_t)(other[i] - least[i]); /* both below 2^15 */
        least[i] = (uint16_t)(least[i] + (difference & -(difference >> 15)));
    }
}

/* The least number on each number's cycle of x -> pi(pi^-1(x ^ 1) ^ 1), which has
 * n/2 numbers at the most: after round i, of 2^i numbers of it. */
static void cycle_minima(uint16_t least[Q], const uint16_t pi[Q], unsigned level)
{
    const uint32_t stride = 1u << level;
    uint16_t forth[Q], back[Q], a[Q], b[Q];
    for (uint32_t i = 0; i < Q; i++) forth[i] = pi[i ^ stride], back[i] = (uint16_t)(pi[i] ^ stride);
    compose_inverse(a, forth, back, stride);
    compose_inverse(b, back, forth, stride);
    for (uint32_t i = 0; i < Q; i++) least[i] = (uint16_t)i;
    minima(least, a);
    for (unsigned i = level + 1; i < M - 1; i++) {
        uint16_t further[Q];
        compose_inverse(forth, a, b, stride);
        compose_inverse(back, b, a, stride);
        compose_inverse(further, least, back, stride);
        minima(least, further);
        memcpy(a, forth, sizeof a);
        memcpy(b, back, sizeof b);
    }
}

/* The first of the k-th two that are so far apart, a power of 2. */
static inline uint32_t first_of_two(uint32_t k, uint32_t apart)
{
    return k + (k & (0 - apart));
}

/* One layer's bits: bit `level` of x at the first of each two that are 2^level apart. */
static void layer_bits(uint8_t out[LAYER_BYTES], const uint16_t x[Q], unsigned level)
{
    const uint32_t stride = 1u << level;
    memset(out, 0, LAYER_BYTES);
    for (uint32_t k = 0; k < Q / 2; k++) {
        const uint32_t at = first_of_two(k, stride);
        out[k / 8] |= (uint8_t)((x[at] >> level & 1) << k % 8);
    }
}

static void swap_layer(uint16_t x[Q], const uint8_t bits[LAYER_BYTES], unsigned level)
{
    const uint32_t stride = 1u << level;
    for (uint32_t k = 0; k < Q / 2; k++) {
        const uint32_t at = first_of_two(k, stride);
        const uint16_t change = (uint16_t)((x[at] ^ x[at + stride]) & -(bits[k / 8] >> k % 8 & 1));
        x[at] ^= change;
        x[at + stride] ^= change;
    }
}

/* The network makes of the numbers 0 to q - 1 in order: pi[0], ..., pi[q - 1]. */
static void network_bits(uint8_t bits[LAYERS * LAYER_BYTES], const uint16_t permutation[Q])
{
    uint16_t pi[Q], identity[Q], inverse[Q], first[Q];
    memcpy(pi, permutation, sizeof pi);
    for (uint32_t i = 0; i < Q; i++) identity[i] = (uint16_t)i;
    for (unsigned level = 0; level < M - 1; level++) {
        uint8_t *left = bits + level * LAYER_BYTES, *right = bits + (LAYERS - 1 - level) * LAYER_BYTES;
        cycle_minima(first, pi, level);
        layer_bits(left, first, level);
        memcpy(first, identity, sizeof first);
        swap_layer(first, left, level);
        compose_inverse(inverse, identity, pi, 1u << level);
        compose_inverse(pi, first, inverse, 1u << level); /* the first layer after pi */
        layer_bits(right, pi, level);
        swap_layer(pi, right, level);
    }
    layer_bits(bits + (M - 1) * LAYER_BYTES, pi, M - 1);
}

/* ---- the network ------------------------------------------------------------ */

/* Bits of 32 swaps to the places of the lower ones: of each 2 apart, apart <= 32. */
static inline uint64_t spread(uint32_t bits, unsigned apart)
{
    uint64_t x = bits;
    for (unsigned s = 16; s >= apart; s /= 2) x = (x | x << s) & (~(uint64_t)0 / (((uint64_t)1 << s) + 1));
    return x;
}

static void network_layer(struct support *s, const uint8_t bits[LAYER_BYTES], unsigned apart)
{
    const unsigned words = apart / 64;
    if (words > 0) {
        for (unsigned k = 0; k < Q / 128; k++) {
            const uint64_t swap = load_le64(bits + 8 * k);
            const unsigned at = first_of_two(k, words);
            for (int b = 0; b < M; b++) {
                uint64_t *p = s->plane[b] + at, change = (p[0] ^ p[words]) & swap;
                p[0] ^= change;
                p[words] ^= change;
            }
        }
        return;
    }
    for (unsigned k = 0; k < Q / 64; k++) {
        const uint64_t swap = spread(load_le32(bits + 4 * k), apart);
        for (int b = 0; b < M; b++) {
            const uint64_t x = s->plane[b][k], change = (x >> apart ^ x) & swap;
            s->plane[b][k] = x ^ change ^ change << apart;
        }
    }
}

/* The element of number i: its bits in reverse. */
static void support_of_permutation(struct support *s, const uint16_t pi[Q])
{
    memset(s, 0, sizeof *s);
    for (int b = 0; b < M; b++)
        for (unsigned i = 0; i < Q; i++) s->plane[b][i / 64] |= (uint64_t)(pi[i] >> (M - 1 - b) & 1) << i % 64;
}

static void support_of_network(struct support *s, const uint8_t bits[LAYERS * LAYER_BYTES])
{
    uint16_t identity[Q];
    for (unsigned i = 0; i < Q; i++) identity[i] = (uint16_t)i;
    support_of_permutation(s, identity);
    for (unsigned layer = 0; layer < LAYERS; layer++)
        network_layer(s, bits + layer * LAYER_BYTES, 1u << (layer < M ? layer : LAYERS - 1 - layer));
}

#endif
