/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SNOW 2.0 in portable C: alpha and S-box with MixColumn by tables, sixteen
 * clocks at a time so that the register stands still and the names of its words
 * move (Ekdahl and Johansson, SAC 2002, section 5). */

#include "crypto_stream.h"

#include "../../_snow/sbox_mix.h"

typedef uint32_t fsm;

static inline fsm fsm_set(uint32_t w) { return w; }
static inline uint32_t fsm_word(fsm x) { return x; }
static inline fsm fsm_add(fsm x, uint32_t w) { return x + w; }

static inline fsm fsm_S(fsm x)
{
    return sbox_mix[0][x & 255] ^ sbox_mix[1][(x >> 8) & 255]
           ^ sbox_mix[2][(x >> 16) & 255] ^ sbox_mix[3][x >> 24];
}

#include "../../_snow/start.h"

/* Clock t of sixteen; word i of the register is s[(t + i) & 15]. */
#define STEP(t)                                                                \
    s[t] = alpha_times(s[t]) ^ s[(t + 2) & 15] ^ alpha_divides(s[(t + 11) & 15]); \
    old = r1;                                                                  \
    r1 = r2 + s[(t + 5) & 15];                                                 \
    r2 = fsm_S(old);                                                           \
    store_le32(out + 4 * t, load_le32(in + 4 * t)                              \
                                ^ (((s[t] + r1) ^ r2) ^ s[(t + 1) & 15]));

static void sixteen(crypto_stream_state *state, uint8_t *out, const uint8_t *in,
                    uint64_t blocks)
{
    uint32_t s[16], r1 = state->r1, r2 = state->r2, old;
    memcpy(s, state->s, sizeof s);
    for (; blocks > 0; blocks--, out += 64, in += 64) {
        STEP(0) STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7)
        STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
    }
    memcpy(state->s, s, sizeof s);
    state->r1 = r1;
    state->r2 = r2;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t whole = length & ~(uint64_t)63;
    sixteen(state, out, in, length / 64);
    if (length > whole) {
        uint8_t pad[64] = { 0 };
        sixteen(state, pad, pad, 1);
        xor_bytes(out + whole, in + whole, pad, length - whole);
    }
}
