/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SOSEMANUK word by word, as in Berbain et al., "Sosemanuk, a fast
 * software-oriented stream cipher", sections 2-4; Serpent's S-boxes as tables
 * of nibbles (Anderson, Biham, Knudsen, "Serpent", appendix A.5).  The
 * expanded key is the subkeys of Serpent24. */

#include "crypto_stream.h"

#include "../../_snow/alpha.h"
#include "bytes.h"

static const uint8_t sbox[8][16] = {
    { 3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12 },
    { 15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4 },
    { 8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2 },
    { 0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14 },
    { 1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13 },
    { 15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1 },
    { 7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0 },
    { 1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6 },
};

static void substitute(uint32_t x[4], int k) /* S_k; nibble bit i is in x[i] */
{
    uint32_t y[4] = { 0 };
    for (int p = 0; p < 32; p++) {
        unsigned n = 0;
        for (int i = 0; i < 4; i++) n |= (x[i] >> p & 1) << i;
        for (int i = 0; i < 4; i++) y[i] |= (uint32_t)(sbox[k][n] >> i & 1) << p;
    }
    memcpy(x, y, sizeof y);
}

static void transform(uint32_t x[4])
{
    x[0] = rotl32(x[0], 13);
    x[2] = rotl32(x[2], 3);
    x[1] = rotl32(x[1] ^ x[0] ^ x[2], 1);
    x[3] = rotl32(x[3] ^ x[2] ^ (x[0] << 3), 7);
    x[0] = rotl32(x[0] ^ x[1] ^ x[3], 5);
    x[2] = rotl32(x[2] ^ x[3] ^ (x[1] << 7), 22);
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    uint32_t w[108];
    for (int i = 0; i < 8; i++) w[i] = load_le32(key + 4 * i);
    for (uint32_t i = 0; i < 100; i++)
        w[i + 8] = rotl32(w[i] ^ w[i + 3] ^ w[i + 5] ^ w[i + 7] ^ 0x9E3779B9 ^ i, 11);
    memcpy(expanded->k, w + 8, sizeof expanded->k);
    for (int j = 0; j < 25; j++) substitute(expanded->k[j], (35 - j) & 7);
}

static void add_key(uint32_t x[4], const uint32_t k[4])
{
    for (int i = 0; i < 4; i++) x[i] ^= k[i];
}

static void setup(crypto_stream_state *z, const uint8_t *nonce,
                  const crypto_stream_key *expanded)
{
    uint32_t x[4], y[25][4]; /* x now; x after each number of rounds */
    uint32_t *y12 = y[12], *y18 = y[18], *a = z->a;
    for (int i = 0; i < 4; i++) x[i] = load_le32(nonce + 4 * i);
    for (int r = 0; r < 24; r++) {
        add_key(x, expanded->k[r]);
        substitute(x, r & 7);
        transform(x);
        memcpy(y[r + 1], x, sizeof x);
    }
    add_key(x, expanded->k[24]);
    a[0] = x[3], a[1] = x[2], a[2] = x[1], a[3] = x[0];
    a[4] = y18[1], a[5] = y18[3];
    a[6] = y12[3], a[7] = y12[2], a[8] = y12[1], a[9] = y12[0];
    z->r1 = y18[0];
    z->r2 = y18[2];
}

static uint32_t clock(crypto_stream_state *z, uint32_t *f) /* returns what drops out */
{
    uint32_t *a = z->a, r1 = z->r1, dropped = a[0];
    uint32_t new = a[9] ^ alpha_divides(a[3]) ^ alpha_times(a[0]);
    z->r1 = z->r2 + (r1 & 1 ? a[1] ^ a[8] : a[1]);
    z->r2 = rotl32(0x54655307 * r1, 7);
    *f = (a[9] + z->r1) ^ z->r2;
    memmove(a, a + 1, 9 * sizeof *a);
    a[9] = new;
    return dropped;
}

static void block(crypto_stream_state *z, uint8_t out[16])
{
    uint32_t f[4], v[4];
    for (int i = 0; i < 4; i++) v[i] = clock(z, &f[i]);
    substitute(f, 2);
    for (int i = 0; i < 4; i++) store_le32(out + 4 * i, f[i] ^ v[i]);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    (void)soon;
    setup(state, nonce, expanded);
    block(state, first);
}

#include "../../_words/xor_blocks16.h"
