/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* crypto_stream_xor for an implementation that defines block(state, out): 16
 * bytes of keystream. */

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    while (length > 0) {
        uint8_t pad[16];
        uint64_t n = length < 16 ? length : 16;
        block(state, pad);
        xor_bytes(out, in, pad, n);
        out += n;
        in += n;
        length -= n;
    }
}
