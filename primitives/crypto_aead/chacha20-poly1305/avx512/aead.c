/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ChaCha20-Poly1305 with AVX-512: keystream blocks side by side in vectors,
 * eight Poly1305 blocks a vector with IFMA.  As r is new in each packet, its
 * powers are computed where the packet is long enough to pay for them;
 * otherwise Poly1305 goes one block at a time through the 64-bit multiplier. */

#include "../../../crypto_stream/_chacha20/avx512.h"
#include "../../../crypto_onetimeauth/_poly1305/ifma.h"

#define CHACHA20_POLY1305_TOGETHER 4

#ifndef CHACHA20_POLY1305_SHORT
#define CHACHA20_POLY1305_SHORT 224 /* bytes up to which powers do not pay */
#endif

/* Lanes r^8, ..., r: one multiplication to r^2, two vectors wide ones after. */
static inline poly1305_ifma_vector powers_of(const uint64_t r[2])
{
    uint64_t r2[3] = {r[0], r[1], 0};

    poly1305_64_mul(r2, r);
#define LANES(first, second)                                                   \
    _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)(second)), 0x55,       \
                           (long long)(first))
    /* r^2, r, r^2, r, ... */
    poly1305_ifma_vector v = poly1305_ifma_split(
        LANES(r2[0], r[0]), LANES(r2[1], r[1]), LANES(r2[2], 0));
#undef LANES
    for (int k = 2; k <= 4; k += 2) { /* then r^4, r^3, r^2, r, ... */
        __mmask8 low = k == 2 ? 0x33 : 0x0f;
        poly1305_ifma_factor f = poly1305_ifma_factor_of(poly1305_ifma_lane0(v));
        poly1305_ifma_vector w = poly1305_ifma_times(v, &f);
        v.x0 = _mm512_mask_mov_epi64(v.x0, low, w.x0);
        v.x1 = _mm512_mask_mov_epi64(v.x1, low, w.x1);
        v.x2 = _mm512_mask_mov_epi64(v.x2, low, w.x2);
    }
    return v;
}

#define poly1305_run poly1305_ifma_run
#include "../../_chacha20-poly1305/powers.h"
#include "../../_chacha20-poly1305/aead.h"
