/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SNOW 2.0 word by word, as in Ekdahl and Johansson, "A New Version of the
 * Stream Cipher SNOW", SAC 2002; IV and output bytes in the order of the
 * eSTREAM version (little-endian).  The nonce enters the state machine in the
 * first clock: expandkey can do no more than load the key. */

#include "crypto_stream.h"

#include "../../_snow/alpha.h"
#include "../../_aes/sbox.h"
#include "bytes.h"

static uint32_t twice(uint32_t a) /* in GF(2^8) of AES */
{
    return ((a << 1) ^ ((a >> 7) * 0x1b)) & 255;
}

static uint32_t S(uint32_t w) /* SubBytes and MixColumn of one column */
{
    uint32_t a[4], r = 0;
    for (int i = 0; i < 4; i++) a[i] = aes_sbox[(w >> 8 * i) & 255];
    for (int i = 0; i < 4; i++) {
        uint32_t a1 = a[(i + 1) & 3], a2 = a[(i + 2) & 3], a3 = a[(i + 3) & 3];
        r |= (twice(a[i]) ^ twice(a1) ^ a1 ^ a2 ^ a3) << 8 * i;
    }
    return r;
}

static uint32_t filter(const crypto_stream_state *z)
{
    return (z->s[15] + z->r1) ^ z->r2;
}

static void clock(crypto_stream_state *z, uint32_t feedback)
{
    uint32_t *s = z->s, r1 = z->r1;
    uint32_t new = alpha_divides(s[11]) ^ s[2] ^ alpha_times(s[0]) ^ feedback;
    z->r1 = z->r2 + s[5];
    z->r2 = S(r1);
    memmove(s, s + 1, 15 * sizeof *s);
    s[15] = new;
}

static uint32_t step(crypto_stream_state *z)
{
    clock(z, 0);
    return filter(z) ^ z->s[0];
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) {
        expanded->s[15 - i] = load_be32(key + 4 * i);
        expanded->s[7 - i] = ~expanded->s[15 - i];
    }
}

static void setup(crypto_stream_state *z, const uint8_t *nonce,
                  const crypto_stream_key *expanded)
{
    memcpy(z->s, expanded->s, sizeof z->s);
    z->s[15] ^= load_le32(nonce + 12);
    z->s[12] ^= load_le32(nonce + 8);
    z->s[10] ^= load_le32(nonce + 4);
    z->s[9] ^= load_le32(nonce);
    z->r1 = z->r2 = 0;
    for (int i = 0; i < 32; i++) clock(z, filter(z));
}

#include "../../_words/xor_words.h"
