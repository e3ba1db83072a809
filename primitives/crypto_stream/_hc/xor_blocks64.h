/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The two functions that take keystream, for an implementation that defines
 *   setup(state, nonce, expanded)
 *   sixteen(state, steps, out, in): 16 steps, with their 64 bytes of keystream
 * where `steps`, a multiple of 16, steps were done before.  The first sixteen
 * steps serve start; what it does not hand out waits in state->pad. */

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    setup(state, nonce, expanded);
    memset(state->pad, 0, 64);
    sixteen(state, 0, state->pad, state->pad);
    memcpy(first, state->pad, 16);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t n = length < 48 ? length : 48;
    uint32_t steps = 16;
    xor_bytes(out, in, state->pad + 16, n);
    for (; (length -= n) >= 64; steps += 16) {
        out += n;
        in += n;
        n = 64;
        sixteen(state, steps, out, in);
    }
    if (length > 0) {
        memset(state->pad, 0, 64);
        sixteen(state, steps, state->pad, state->pad);
        xor_bytes(out + n, in + n, state->pad, length);
    }
}
