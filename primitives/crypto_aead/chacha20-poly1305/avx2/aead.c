/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ChaCha20-Poly1305 with AVX2: keystream blocks side by side in vectors, four
 * Poly1305 blocks a vector.  As r is new in each packet, its powers are
 * computed where the packet is long enough to pay for them; otherwise Poly1305
 * goes one block at a time through the 64-bit multiplier. */

#include "../../../crypto_stream/_chacha20/avx2.h"
#include "../../../crypto_onetimeauth/_poly1305/avx2.h"

#define CHACHA20_POLY1305_TOGETHER 2

#ifndef CHACHA20_POLY1305_SHORT
#define CHACHA20_POLY1305_SHORT 288 /* bytes up to which powers do not pay */
#endif

/* Lanes r^4, r^2, r^3, r. */
static inline poly1305_avx2_vector powers_of(const uint64_t r[2])
{
    uint64_t p[4][3] = {{r[0], r[1], 0}};

    for (int i = 1; i < 4; i++) {
        memcpy(p[i], p[i - 1], sizeof p[i]);
        poly1305_64_mul(p[i], r);
    }
#define LANES(word)                                                            \
    _mm256_setr_epi64x((int64_t)p[3][word], (int64_t)p[1][word],               \
                       (int64_t)p[2][word], (int64_t)p[0][word])
    return poly1305_avx2_split(LANES(0), LANES(1),
                               _mm256_slli_epi64(LANES(2), 24));
#undef LANES
}

#define poly1305_run poly1305_avx2_run
#include "../../_chacha20-poly1305/powers.h"
#include "../../_chacha20-poly1305/aead.h"
