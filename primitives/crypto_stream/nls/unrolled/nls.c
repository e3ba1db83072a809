/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* NLS version 1 in turns of 17 cycles; see _nls/unrolled.h for the idea.
 * (A window over the sequence of words, with all but the S-box in vectors, was
 * tried: no faster, as the S-box is the critical path.) */

#include "crypto_stream.h"

#include "../../_nls/unrolled.h"

#define TURN 68 /* bytes */

/* The push of R[2] comes after cycle 65537 of the packet; 4 cycles have made
 * the first 16 bytes, 65533 = 3854 * 17 + 15. */
#define WRAP_TURNS 3854
#define WRAP_CYCLES 15

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    expanded->konst = nls_expandkey(expanded->r, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint32_t r[17];
    const uint32_t konst = expanded->konst;
    (void)soon;
    memcpy(r, expanded->r, sizeof r);
    NLS_LOAD(NLS_REST, nonce);
    NLS_CYCLE(13);
    store_le32(first, NLS_TAP(14));
    NLS_CYCLE(14);
    store_le32(first + 4, NLS_TAP(15));
    NLS_CYCLE(15);
    store_le32(first + 8, NLS_TAP(16));
    NLS_CYCLE(16);
    store_le32(first + 12, NLS_TAP(17));
    memcpy(state->r, r, sizeof r);
    state->konst = konst;
}

static inline void xor_le32(uint8_t *out, const uint8_t *in, uint32_t x)
{
    store_le32(out, load_le32(in) ^ x);
}

#define WORD(f)                                                                \
    NLS_CYCLE(f);                                                              \
    xor_le32(out + 4 * (f), in + 4 * (f), NLS_TAP((f) + 1));

/* The last cycles of a packet need not make a whole turn. */
#define LAST(f)                                                                \
    NLS_CYCLE(f);                                                              \
    store_le32(pad + 4 * (f), NLS_TAP((f) + 1));                               \
    if (length <= 4 * (f) + 4) goto last;

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint32_t r[17], push;
    const uint32_t konst = state->konst;
    uint8_t pad[TURN];
    memcpy(r, state->r, sizeof r);
    for (uint64_t turn = 0;; turn++) {
        push = turn == WRAP_TURNS ? NLS_WRAP : 0;
        if (length < TURN) break;
        WORD(0) WORD(1) WORD(2) WORD(3) WORD(4) WORD(5) WORD(6) WORD(7)
        WORD(8) WORD(9) WORD(10) WORD(11) WORD(12) WORD(13) WORD(14)
        NLS_R(WRAP_CYCLES, 2) += push;
        WORD(15) WORD(16)
        out += TURN;
        in += TURN;
        length -= TURN;
    }
    if (length == 0) return;
    LAST(0) LAST(1) LAST(2) LAST(3) LAST(4) LAST(5) LAST(6) LAST(7)
    LAST(8) LAST(9) LAST(10) LAST(11) LAST(12) LAST(13) LAST(14)
    NLS_R(WRAP_CYCLES, 2) += push;
    LAST(15) LAST(16)
last:
    xor_bytes(out, in, pad, length);
}
