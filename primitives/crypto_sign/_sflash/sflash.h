/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SFLASH_H
#define SFLASH_H

/* What SFLASHv2's implementations share: hashing, the drawing of maps, the secret
 * key's order.  Patarin, Courtois, Goubin, SFLASH, NESSIE 2001.
 *
 * K = GF(2)[X]/(X^7 + X + 1), bit i of a byte is X^i;
 * L = K[Y]/(Y^37 + Y^12 + Y^10 + Y^2 + 1), byte i is Y^i. */

#include <stdint.h>
#include <string.h>

#include "crypto_sign.h"
#include "randombytes.h"

#include "../../_shared/sha2_small.h"

#define N 37           /* variables */
#define PUBLISHED 26   /* equations */
#define TERMS 741      /* of an equation: 1 + 37 + 37 * 38 / 2 */
#define DELTA 11       /* secret bytes that fix the other equations' values */
#define SECRET_ROW (2 * (N + 1))

static inline void sha1(uint8_t digest[20], const uint8_t *in, uint64_t length)
{
    struct hash h;
    sha1_init(&h);
    hash_update(&h, in, length);
    hash_final(&h, digest);
}

/* Groups of seven bits, the first bit the highest. */
static inline void unpack7(uint8_t *y, unsigned count, const uint8_t *bytes)
{
    for (unsigned i = 0, bit = 0; i < count; i++, bit += 7) {
        unsigned pair = (unsigned)bytes[bit / 8] << 8 | bytes[bit / 8 + 1];
        y[i] = pair >> (9 - bit % 8) & 127;
    }
}

/* The 182 bits that the published equations must give, and the two digests they
 * are the first bits of. */
static inline void challenge(uint8_t y[PUBLISHED], uint8_t digests[40], const uint8_t *m, uint64_t mlen)
{
    sha1(digests, m, mlen);
    sha1(digests + 20, digests, 20);
    unpack7(y, PUBLISHED, digests);
}

/* What the other equations give: 77 bits of a digest keyed by delta. */
static inline void secret_values(uint8_t y[DELTA], const uint8_t digests[40], const uint8_t delta[DELTA])
{
    uint8_t in[33], out[20];
    memcpy(in, digests, 22);
    in[22] = (digests[22] & 0xfc) | delta[0];
    memcpy(in + 23, delta + 1, DELTA - 1);
    sha1(out, in, sizeof in);
    unpack7(y, DELTA, out);
}

/* x -> x * linear + affine; linear is the product of the triangles drawn. */
struct map {
    uint8_t affine[N], linear[N * N], inverse[N * N];
};

static void draw_triangles(struct map *map, uint8_t lower[N * N], uint8_t upper[N * N])
{
    uint8_t random[N * N];
    const uint8_t *next = random;
    randombytes(random, sizeof random);
    memset(lower, 0, N * N);
    memset(upper, 0, N * N);
    for (int i = 0; i < N; i++) {
        map->affine[i] = *next++ & 127;
        lower[N * i + i] = upper[N * i + i] = 1;
        for (int j = 0; j < N; j++)
            if (j != i) (i < j ? upper : lower)[N * i + j] = *next++ & 127;
    }
}

static void pack_secret(uint8_t *sk, const struct map *s, const struct map *t)
{
    for (int i = 0; i < N; i++) {
        *sk++ = s->affine[i];
        *sk++ = t->affine[i];
        for (int j = 0; j < N; j++) {
            *sk++ = s->inverse[N * i + j];
            *sk++ = t->inverse[N * i + j];
        }
    }
}

#endif
