/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SOSEMANUK in portable C: Serpent24 bitsliced, the register by tables, twenty
 * steps at a time (Berbain et al., section 5). */

#include "crypto_stream.h"

#include "../../_sosemanuk/setup.h"
#include "../../_sosemanuk/steps.h"

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    static const uint8_t zero[16];
    (void)soon;
    setup(state, nonce, expanded);
    group(state, first, zero);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    xor_by_groups(state, out, in, length);
}
