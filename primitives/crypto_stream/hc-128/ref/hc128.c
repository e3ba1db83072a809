/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HC-128 word by word, as in Wu, "The Stream Cipher HC-128", section 2.  The
 * expansion mixes key and nonce from its first word on, so the expanded key
 * is the key. */

#include "crypto_stream.h"

#include "../../_hc/expand.h"

#define AT(n) ((n) & 511)

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 4; i++) expanded->word[i] = load_le32(key + 4 * i);
}

static uint32_t step(crypto_stream_state *state)
{
    uint32_t *p = state->p, *q = state->q;
    uint32_t i = state->i, j = AT(i), y, s;
    if (i < 512) {
        p[j] += (rotr32(p[AT(j - 3)], 10) ^ rotr32(p[AT(j - 511)], 23))
                + rotr32(p[AT(j - 10)], 8);
        y = p[AT(j - 12)];
        s = (q[y & 255] + q[256 + ((y >> 16) & 255)]) ^ p[j];
    } else {
        q[j] += (rotl32(q[AT(j - 3)], 10) ^ rotl32(q[AT(j - 511)], 23))
                + rotl32(q[AT(j - 10)], 8);
        y = q[AT(j - 12)];
        s = (p[y & 255] + p[256 + ((y >> 16) & 255)]) ^ q[j];
    }
    state->i = (i + 1) & 1023;
    return s;
}

static void setup(crypto_stream_state *state, const uint8_t *nonce,
                  const crypto_stream_key *expanded)
{
    uint32_t w[1280];
    for (int i = 0; i < 4; i++) {
        w[i] = w[i + 4] = expanded->word[i];
        w[i + 8] = w[i + 12] = load_le32(nonce + 4 * i);
    }
    for (uint32_t i = 16; i < 1280; i++)
        w[i] = f2(w[i - 2]) + w[i - 7] + f1(w[i - 15]) + w[i - 16] + i;
    memcpy(state->p, w + 256, sizeof state->p);
    memcpy(state->q, w + 768, sizeof state->q);
    state->i = 0;
    for (int i = 0; i < 512; i++) state->p[i] = step(state);
    for (int i = 0; i < 512; i++) state->q[i] = step(state);
}

#include "../../_words/xor_words.h"
