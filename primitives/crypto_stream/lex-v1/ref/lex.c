/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* LEX version 1: E(s) is AES-128 with MixColumns in the last round too; after
 * each round four bytes of the state are keystream.  Ten rounds at a time, for
 * reading. */

#include "crypto_stream.h"

#include "bytes.h"

#define AES_ROUNDS 10
#include "../../_aes/cipher_ref.h"

/* s = E(s); leak = L_1, ..., L_10.  Byte 4c + r of s is row r of column c; the
 * sheet's words have row 0 on top and are output in little-endian order. */
static void encrypt_and_leak(uint8_t *s, uint8_t *leak, const uint8_t *w)
{
    aes_addroundkey(s, w);
    for (int round = 1; round <= 10; round++, leak += 4) {
        aes_subbytes_shiftrows(s);
        aes_mixcolumns(s);
        aes_addroundkey(s, w + 16 * round);
        if (round % 2 == 1) { /* rows 0 and 2 of columns 0 and 2 */
            leak[3] = s[0];
            leak[2] = s[8];
            leak[1] = s[2];
            leak[0] = s[10];
        } else { /* rows 1 and 3 of columns 1 and 3 */
            leak[3] = s[5];
            leak[2] = s[13];
            leak[1] = s[7];
            leak[0] = s[15];
        }
    }
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes_expandkey(expanded->roundkeys, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    state->expanded = expanded;
    for (int c = 0; c < 4; c++)
        store_be32(state->s + 4 * c, load_le32(nonce + 4 * c));
    encrypt_and_leak(state->s, state->leak, expanded->roundkeys);
    encrypt_and_leak(state->s, state->leak, expanded->roundkeys);
    memcpy(first, state->leak, 16);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    uint64_t used = 16;
    while (length > 0) {
        if (used == 40) {
            encrypt_and_leak(state->s, state->leak, state->expanded->roundkeys);
            used = 0;
        }
        uint64_t n = length < 40 - used ? length : 40 - used;
        xor_bytes(out, in, state->leak + used, n);
        used += n;
        out += n;
        in += n;
        length -= n;
    }
}
