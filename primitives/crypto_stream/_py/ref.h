/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Py, Py6 and Pypy as their sheet says it: the rolling arrays roll, that is,
 * every step moves them by one place. */

#include "key_setup.h"

#define Y(i) y[(i) + 3]

/* Swaps P[0] and P[x], then rotates P left by one place. */
static void roll_p(uint8_t *p, unsigned x)
{
    uint8_t t = p[x];
    p[x] = p[0];
    memmove(p, p + 1, PY_SIZE - 1);
    p[PY_SIZE - 1] = t;
}

/* Drops Y[-3] and appends w. */
static void roll_y(uint32_t *y, uint32_t w)
{
    memmove(y, y + 1, (PY_WORDS - 1) * sizeof *y);
    Y(PY_SIZE) = w;
}

static void iv_setup(crypto_stream_state *st, const uint8_t *iv, const uint32_t *ky)
{
    enum { V = crypto_stream_NONCEBYTES };
    uint8_t *p = st->p, eiv[V];
    uint32_t *y = st->y;
    memcpy(y, ky, sizeof st->y);

    uint8_t v = (uint8_t)(iv[0] ^ (Y(0) >> 16));
    uint8_t d = (uint8_t)(iv[1] ^ (Y(1) >> 16)) | 1;
    for (int i = 0; i < PY_SIZE; i++, v = (uint8_t)(v + d))
        p[i] = PY_SIZE == 256 ? py_permutation[v] : v & PY_MASK;
    v &= PY_MASK;

    uint32_t s = (uint32_t)v << 24 ^ (uint32_t)d << 16;
    s ^= (uint32_t)p[PY_SIZE - 2] << 8 ^ p[PY_SIZE - 1];
    s ^= Y(-3) + Y(PY_SIZE);
    for (int i = 0; i < V; i++) {
        s += iv[i] + Y(-3 + i);
        eiv[i] = p[s & PY_MASK];
        s = rotl32(s, PY_TURN) ^ eiv[i];
    }
    for (int i = 0; i < V; i++) {
        s += iv[i] + Y(PY_SIZE - i);
        uint8_t t = p[s & PY_MASK];
        eiv[i] = (eiv[i] + t) & PY_MASK;
        s = rotl32(s, PY_TURN) ^ t;
    }
    for (int i = 0; i < PY_WORDS; i++) {
        uint8_t x = eiv[0] ^ (s & PY_MASK);
        memmove(eiv, eiv + 1, V - 1);
        eiv[V - 1] = x;
        roll_p(p, x);
        s = (s ^ Y(-3)) + Y(x);
        roll_y(y, s);
    }
    s += Y(PY_FIRST) + Y(PY_NEXT) + Y(PY_SECOND);
    if (s == 0) s = 8 * crypto_stream_KEYBYTES + (8 * V << 16) + 0x87654321;
    st->s = s;
}

/* One step: PY_STEP_BYTES bytes of keystream. */
static void step(crypto_stream_state *st, uint8_t *out)
{
    uint8_t *p = st->p;
    uint32_t *y = st->y, s = st->s;
    roll_p(p, Y(PY_SWAP) & PY_MASK);
    s += Y(p[PY_PLUS]) - Y(p[PY_MINUS]);
    unsigned r = p[PY_ROTATE] & 31;
    s = s << r | s >> ((32 - r) & 31);
    uint32_t w = (s ^ Y(-3)) + Y(p[PY_NEXT]);
    s = rotl32(s, 11);
    if (PY_STEP_BYTES == 8) {
        store_le32(out, (s ^ Y(PY_SIZE)) + Y(p[PY_FIRST]));
        out += 4;
    }
    s = rotl32(s, 7);
    store_le32(out, (s ^ Y(-1)) + Y(p[PY_SECOND]));
    roll_y(y, w);
    st->s = s;
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    py_key_setup(expanded->y, key);
}

void crypto_stream_start(crypto_stream_state *st, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *expanded, uint64_t soon)
{
    (void)soon;
    iv_setup(st, nonce, expanded->y);
    for (int i = 0; i < crypto_stream_FIRSTBYTES; i += PY_STEP_BYTES)
        step(st, first + i);
}

void crypto_stream_xor(crypto_stream_state *st, uint8_t *out, const uint8_t *in,
                       uint64_t length)
{
    uint8_t pad[PY_STEP_BYTES];
    while (length > 0) {
        uint64_t n = length < sizeof pad ? length : sizeof pad;
        step(st, pad);
        xor_bytes(out, in, pad, n);
        out += n;
        in += n;
        length -= n;
    }
}
