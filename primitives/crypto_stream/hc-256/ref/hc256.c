/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HC-256 word by word, as in Wu, "A New Stream Cipher HC-256", FSE 2004,
 * section 2, with a 128-bit nonce (used twice).  The expansion mixes key and
 * nonce from its first words on, so the expanded key is the key. */

#include "crypto_stream.h"

#include "../../_hc/expand.h"

#define AT(n) ((n) & 1023)

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) expanded->word[i] = load_le32(key + 4 * i);
}

static uint32_t step(crypto_stream_state *state)
{
    uint32_t i = state->i, j = AT(i);
    uint32_t *a = i < 1024 ? state->p : state->q;
    const uint32_t *b = i < 1024 ? state->q : state->p;
    uint32_t x = a[AT(j - 3)], y = a[AT(j - 1023)], z = a[AT(j - 12)];
    a[j] += a[AT(j - 10)] + (rotr32(x, 10) ^ rotr32(y, 23)) + b[AT(x ^ y)];
    state->i = (i + 1) & 2047;
    return (b[z & 255] + b[256 + ((z >> 8) & 255)] + b[512 + ((z >> 16) & 255)]
            + b[768 + (z >> 24)]) ^ a[j];
}

static void setup(crypto_stream_state *state, const uint8_t *nonce,
                  const crypto_stream_key *expanded)
{
    uint32_t w[2560];
    for (int i = 0; i < 8; i++) w[i] = expanded->word[i];
    for (int i = 0; i < 4; i++) w[i + 8] = w[i + 12] = load_le32(nonce + 4 * i);
    for (uint32_t i = 16; i < 2560; i++)
        w[i] = f2(w[i - 2]) + w[i - 7] + f1(w[i - 15]) + w[i - 16] + i;
    memcpy(state->p, w + 512, sizeof state->p);
    memcpy(state->q, w + 1536, sizeof state->q);
    state->i = 0;
    for (int i = 0; i < 4096; i++) step(state);
}

#include "../../_words/xor_words.h"
