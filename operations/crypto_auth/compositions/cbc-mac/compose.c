/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CBC-MAC: ISO/IEC 9797-1, MAC algorithm 1 with padding method 2, a one bit and then zeros, which
 * is also added after a full block. The tag is the whole block. */
#include "crypto_auth.h"

#include "../_chained/chain.h"

static void last_block(chained_state *state)
{
    if (state->filled == BLOCK) {
        chain(state, state->block);
        state->filled = 0;
    }
    memset(state->block + state->filled, 0, BLOCK - state->filled);
    state->block[state->filled] = 0x80;
}
