/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SNOW 2.0 with the state machine by AES-NI, as in ../aesni, and the register
 * eight words at once by GFNI. */

#include "crypto_stream.h"

#include "../../_snow/aes_fsm.h"
#include "../../_snow/ahead.h"
#include "../../_snow/gfni.h"
#include "../../_snow/start.h"

/* s[32] .. s[39] from s[0] .. s[31], all by planes */
static inline __m256i eight_ahead(__m256i s0, __m256i s8, __m256i s16, __m256i s24)
{
    __m256i x = alpha2_times(s0), y = alpha2_divides(WORDS_FROM(6, s16, s24));
    return _mm256_xor_si256(_mm256_xor_si256(x, y), WORDS_FROM(4, s0, s8));
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint32_t buffer[16 * 18], *s = buffer;
    fsm r1 = fsm_set(state->r1), r2 = fsm_set(state->r2);
    if (length == 0) return;
    memcpy(s, state->s, sizeof state->s);
    sixteen_ahead(s + 16, s);
    if (length > 64) {
        __m256i s0 = to_planes(s), s8 = to_planes(s + 8);
        __m256i s16 = to_planes(s + 16), s24 = to_planes(s + 24);
        for (; length > 64; length -= 64, out += 64, in += 64) {
            __m256i s32 = eight_ahead(s0, s8, s16, s24);
            __m256i s40 = eight_ahead(s8, s16, s24, s32);
            _mm256_storeu_si256((__m256i *)(s + 32), from_planes(s32));
            _mm256_storeu_si256((__m256i *)(s + 40), from_planes(s40));
            s0 = s16, s8 = s24, s16 = s32, s24 = s40;
            sixteen_words(out, in, s, &r1, &r2);
            s += 16;
            if (s == buffer + 16 * 16) s = memcpy(buffer, s, 128);
        }
    }
    if (length == 64) {
        sixteen_words(out, in, s, &r1, &r2);
    } else {
        uint8_t pad[64] = { 0 };
        sixteen_words(pad, pad, s, &r1, &r2);
        xor_bytes(out, in, pad, length);
    }
}
