/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef NLS_UNROLLED_H
#define NLS_UNROLLED_H

/* The register of NLS as a circular buffer of 17 words r[]: in phase f the word
 * R[i] of the specification stands in r[(f + i) % 17].  Unrolled 17 times, all
 * indices are constants and nothing moves (NLS paper, "software
 * implementation": the sliding window).  From word to word the critical path is
 * R[15] -> R[16] -> R[15]: one table look-up in two cycles of the cipher, so
 * everything else is kept off it.
 *
 * A register at rest stands in phase 9, because 4 + 17 cycles load a nonce and
 * 4 more give the first 16 bytes of keystream: then the phase is 0. */

#include "bytes.h"
#include "tables.h"

#define NLS_KONST 0x6996c53au
#define NLS_WRAP 65537u
#define NLS_REST 9 /* the phase of a register at rest */

#define NLS_R(f, i) r[((f) + (i)) % 17]

/* One cycle from phase f to f + 1.  (The 64-bit shift keeps gcc 12 from holding
 * indices in AVX-512 mask registers.) */
#define NLS_CYCLE(f)                                                           \
    do {                                                                       \
        uint32_t t = rotl32(NLS_R(f, 15), 9) +                                 \
                     (rotl32(NLS_R(f, 0), 19) + konst);                        \
        uint32_t u = t ^ NLS_R(f, 4);                                          \
        NLS_R(f, 0) = nls_sbox[(uint64_t)t >> 24] ^ u;                         \
    } while (0)

/* The filter in phase g. */
#define NLS_TAP(g)                                                             \
    ((NLS_R(g, 0) + NLS_R(g, 16)) ^ (NLS_R(g, 1) + konst) ^                    \
     (NLS_R(g, 6) + NLS_R(g, 13)))

#define NLS_MIX(f)                                                             \
    do {                                                                       \
        NLS_CYCLE(f);                                                          \
        NLS_R(f, 5) ^= NLS_TAP((f) + 1);                                       \
    } while (0)

#define NLS_MIXIN(f, w)                                                        \
    do {                                                                       \
        NLS_R(f, 15) += (w);                                                   \
        NLS_MIX(f);                                                            \
    } while (0)

/* Loads 16 bytes p, from phase f to f + 21. */
#define NLS_LOAD(f, p)                                                         \
    do {                                                                       \
        NLS_MIXIN(f, load_le32(p));                                            \
        NLS_MIXIN((f) + 1, load_le32((p) + 4));                                \
        NLS_MIXIN((f) + 2, load_le32((p) + 8));                                \
        NLS_MIXIN((f) + 3, load_le32((p) + 12));                               \
        NLS_MIXIN((f) + 4, 16);                                                \
        NLS_MIX((f) + 5); NLS_MIX((f) + 6); NLS_MIX((f) + 7);                  \
        NLS_MIX((f) + 8); NLS_MIX((f) + 9); NLS_MIX((f) + 10);                 \
        NLS_MIX((f) + 11); NLS_MIX((f) + 12); NLS_MIX((f) + 13);               \
        NLS_MIX((f) + 14); NLS_MIX((f) + 15); NLS_MIX((f) + 16);               \
        NLS_MIX((f) + 17); NLS_MIX((f) + 18); NLS_MIX((f) + 19);               \
        NLS_MIX((f) + 20);                                                     \
    } while (0)

/* Leaves the register at rest in saved[]; returns konst. */
static inline uint32_t nls_expandkey(uint32_t *saved, const uint8_t *key)
{
    uint32_t r[17], konst = NLS_KONST, v;
    r[0] = r[1] = 1;
    for (int i = 2; i < 17; i++) r[i] = r[i - 1] + r[i - 2];
    NLS_LOAD(0, key);
    for (int i = 0; i < 17; i++) saved[i] = NLS_R(21, i);
    memcpy(r, saved, sizeof r);
    do { /* almost always once */
        NLS_CYCLE(0);
        v = NLS_TAP(1);
        memcpy(saved, r + 1, 16 * sizeof *r);
        saved[16] = r[0];
        memcpy(r, saved, sizeof r);
    } while (v >> 24 == 0);
    for (int i = 0; i < 17; i++) saved[(NLS_REST + i) % 17] = r[i];
    return v;
}

#endif
