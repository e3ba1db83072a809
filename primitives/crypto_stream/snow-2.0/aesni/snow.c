/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SNOW 2.0 with the state machine in vector registers (AES-NI) and the register
 * in ordinary ones, by tables.  Nothing goes back from the state machine to the
 * register after initialisation: the register runs sixteen words ahead through
 * memory, so that both work side by side and its stores have reached the cache
 * when vector loads take four words at once. */

#include "crypto_stream.h"

#include "../../_snow/aes_fsm.h"
#include "../../_snow/ahead.h"
#include "../../_snow/start.h"

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint32_t buffer[16 * 18], *s = buffer;
    fsm r1 = fsm_set(state->r1), r2 = fsm_set(state->r2);
    if (length == 0) return;
    memcpy(s, state->s, sizeof state->s);
    sixteen_ahead(s + 16, s);
    for (; length > 64; length -= 64, out += 64, in += 64) {
        sixteen_ahead(s + 32, s + 16);
        sixteen_words(out, in, s, &r1, &r2);
        s += 16;
        if (s == buffer + 16 * 16) s = memcpy(buffer, s, 128);
    }
    if (length == 64) {
        sixteen_words(out, in, s, &r1, &r2);
    } else {
        uint8_t pad[64] = { 0 };
        sixteen_words(pad, pad, s, &r1, &r2);
        xor_bytes(out, in, pad, length);
    }
}
