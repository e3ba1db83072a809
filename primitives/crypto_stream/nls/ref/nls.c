/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* NLS version 1, as its specification reads. */

#include "crypto_stream.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    nls_register s;
    nls_expandkey(&s, key);
    memcpy(expanded->r, s.r, sizeof s.r);
    expanded->konst = s.konst;
}

static void generate(nls_register *s, uint8_t *out)
{
    nls_cycle(s);
    store_le32(out, nls_tap(s));
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    memcpy(state->r, expanded->r, sizeof state->r);
    state->konst = expanded->konst;
    nls_loadnonce(state, nonce);
    for (int i = 0; i < 16; i += 4) generate(state, first + i);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint8_t word[4];
    while (length > 0) {
        uint64_t n = length < 4 ? length : 4;
        generate(state, word);
        xor_bytes(out, in, word, n);
        out += n;
        in += n;
        length -= n;
    }
}
