/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NTRU_GENERATION_H
#define NTRU_GENERATION_H

/* Streams of digests H(seed || 0), H(seed || 1), ... with 4-byte big-endian
 * counters, H = SHA-1 or SHA-256 as NTRU_HASH_INIT says:
 *
 *   ntru_mgf           the stream itself
 *   ntru_indices_from  different exponents below N out of it: pieces of one byte
 *                      (N < 256) or two, the low NTRU_INDEX_BITS of each; those
 *                      beyond the last multiple of N are dropped, so that all
 *                      exponents are equally likely */

#include "sha2_small.h"

static unsigned ntru_digest(uint8_t digest[32], const struct hash *seeded,
                            uint32_t counter)
{
    struct hash h = *seeded;
    uint8_t bytes[4];

    store_be32(bytes, counter);
    hash_update(&h, bytes, 4);
    hash_final(&h, digest);
    return h.digest_bytes;
}

static void ntru_mgf(uint8_t *out, unsigned length, const uint8_t *seed,
                     unsigned seed_length)
{
    struct hash seeded;
    uint8_t digest[32];

    NTRU_HASH_INIT(&seeded);
    hash_update(&seeded, seed, seed_length);
    for (uint32_t counter = 0; length > 0; counter++) {
        unsigned n = ntru_digest(digest, &seeded, counter);
        if (n > length) n = length;
        memcpy(out, digest, n);
        out += n;
        length -= n;
    }
}

static void ntru_indices_from(uint16_t *list, unsigned count, const uint8_t *seed,
                              unsigned seed_length)
{
    const uint32_t all = 1u << NTRU_INDEX_BITS, limit = all - all % NTRU_N;
    struct hash seeded;
    uint8_t digest[32], used[NTRU_N] = {0};
    unsigned found = 0;

    NTRU_HASH_INIT(&seeded);
    hash_update(&seeded, seed, seed_length);
    for (uint32_t counter = 0; found < count; counter++) {
        unsigned n = ntru_digest(digest, &seeded, counter);
        for (unsigned i = 0; i < n && found < count; i += NTRU_INDEX_BYTES) {
            uint32_t x = digest[i];
            if (NTRU_INDEX_BYTES == 2) x = x << 8 | digest[i + 1];
            x &= all - 1;
            if (x >= limit) continue;
            x %= NTRU_N;
            list[found] = (uint16_t)x;
            found += !used[x]; /* a repeated one is overwritten by the next */
            used[x] = 1;
        }
    }
}

#endif
