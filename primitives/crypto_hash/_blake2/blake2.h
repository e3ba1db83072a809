/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* BLAKE2b and BLAKE2s without a key: RFC 7693.  Before it is included:
 *
 *   WORD, BITS    the type of a word and its bits; LOAD, STORE little-endian
 *   ROUNDS        12 or 10
 *   ROTR(x, n)    and R1..R4, the rotations of G (section 2.1)
 *   start_value[] the initialisation vector (section 2.6)
 *
 * and crypto_hash_state has length, held, h[8] and block[crypto_hash_BLOCKBYTES]. */
#include <string.h>

#define BLOCK crypto_hash_BLOCKBYTES

/* Section 2.7; rounds 10 and 11 of BLAKE2b begin again. */
static const uint8_t sigma[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

#define G(a, b, c, d, x, y)       \
    do {                          \
        a += b + m[x];            \
        d = ROTR(d ^ a, R1);      \
        c += d;                   \
        b = ROTR(b ^ c, R2);      \
        a += b + m[y];            \
        d = ROTR(d ^ a, R3);      \
        c += d;                   \
        b = ROTR(b ^ c, R4);      \
    } while (0)

/* Section 3.2; `last` is all ones for the last block.  Lengths are below 2^64,
 * so only BLAKE2s has a high word of the counter. */
static void compress(crypto_hash_state *state, const uint8_t *in, uint64_t length, WORD last)
{
    WORD v[16], m[16];
    for (unsigned i = 0; i < 16; i++) m[i] = LOAD(in + sizeof m[0] * i);
    for (unsigned i = 0; i < 8; i++) v[i] = state->h[i], v[i + 8] = start_value[i];
    v[12] ^= (WORD)length;
    v[13] ^= (WORD)(BITS == 32 ? length >> 32 : 0);
    v[14] ^= last;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint8_t *s = sigma[round % 10];
        G(v[0], v[4], v[8], v[12], s[0], s[1]);
        G(v[1], v[5], v[9], v[13], s[2], s[3]);
        G(v[2], v[6], v[10], v[14], s[4], s[5]);
        G(v[3], v[7], v[11], v[15], s[6], s[7]);
        G(v[0], v[5], v[10], v[15], s[8], s[9]);
        G(v[1], v[6], v[11], v[12], s[10], s[11]);
        G(v[2], v[7], v[8], v[13], s[12], s[13]);
        G(v[3], v[4], v[9], v[14], s[14], s[15]);
    }
    for (unsigned i = 0; i < 8; i++) state->h[i] ^= v[i] ^ v[i + 8];
}

void crypto_hash_start(crypto_hash_state *state)
{
    memcpy(state->h, start_value, sizeof state->h);
    state->h[0] ^= 0x01010000 ^ crypto_hash_BYTES; /* the parameter block: no key, one leaf */
    state->length = 0;
    state->held = 0;
}

/* The last block, even a full one, waits for the end. */
void crypto_hash_update(crypto_hash_state *state, const unsigned char *in, unsigned long long inlen)
{
    const uint64_t room = BLOCK - state->held;
    if (inlen > room) {
        if (state->held) {
            memcpy(state->block + state->held, in, (size_t)room);
            compress(state, state->block, state->length += BLOCK, 0);
            state->held = 0;
            in += room, inlen -= room;
        }
        for (; inlen > BLOCK; in += BLOCK, inlen -= BLOCK) compress(state, in, state->length += BLOCK, 0);
    }
    if (inlen) memcpy(state->block + state->held, in, (size_t)inlen);
    state->held += (unsigned)inlen;
}

void crypto_hash_end(crypto_hash_state *state, unsigned char *out)
{
    WORD h[8];
    memset(state->block + state->held, 0, BLOCK - state->held);
    compress(state, state->block, state->length + state->held, (WORD)~(WORD)0);
    for (unsigned i = 0; i < 8; i++) STORE(&h[i], state->h[i]);
    memcpy(out, h, crypto_hash_BYTES);
}

int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_hash_state state;
    crypto_hash_start(&state);
    crypto_hash_update(&state, in, inlen);
    crypto_hash_end(&state, out);
    return 0;
}
