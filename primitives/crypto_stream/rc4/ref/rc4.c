/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RC4 as in the textbooks, with K = key || nonce; the whole key schedule runs
 * anew for each packet, because the nonce is part of K. */

#include "crypto_stream.h"

#include <string.h>

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, 32);
}

static void swap(uint8_t *a, uint8_t *b)
{
    uint8_t t = *a;
    *a = *b;
    *b = t;
}

static void schedule(crypto_stream_state *state, const uint8_t *K, int K_bytes)
{
    uint8_t *S = state->S, j = 0;
    for (int i = 0; i < 256; i++) S[i] = (uint8_t)i;
    for (int i = 0; i < 256; i++) {
        j = (uint8_t)(j + S[i] + K[i % K_bytes]);
        swap(&S[i], &S[j]);
    }
    state->i = state->j = 0;
}

static uint8_t next_byte(crypto_stream_state *state)
{
    uint8_t *S = state->S;
    state->i++;
    state->j = (uint8_t)(state->j + S[state->i]);
    swap(&S[state->i], &S[state->j]);
    return S[(uint8_t)(S[state->i] + S[state->j])];
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint8_t K[48];
    (void)soon;
    memcpy(K, expanded->key, 32);
    memcpy(K + 32, nonce, 16);
    schedule(state, K, 48);
    for (int i = 0; i < 16; i++) first[i] = next_byte(state);
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    for (; length > 0; length--) *out++ = (uint8_t)(*in++ ^ next_byte(state));
}
