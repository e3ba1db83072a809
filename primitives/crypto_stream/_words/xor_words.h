/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The two functions that take keystream, for an implementation that defines
 * setup(state, nonce, expanded) and step(state): one keystream word. */

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    setup(state, nonce, expanded);
    for (int n = 0; n < 16; n += 4) store_le32(first + n, step(state));
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    for (; length > 0;) {
        uint8_t word[4];
        uint64_t n = length < 4 ? length : 4;
        store_le32(word, step(state));
        xor_bytes(out, in, word, n);
        out += n;
        in += n;
        length -= n;
    }
}
