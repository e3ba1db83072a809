/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Py, Py6 and Pypy with the rolling arrays laid out straight: both live in long
 * buffers, a step reads them at an offset that grows by one, and only at the
 * end of the buffers are they moved back to the start (Biham, Seberry, "Py
 * (Roo)", eSTREAM 2005, on the implementation of rolling arrays).  IV set-up
 * uses the first PY_WORDS places, so a packet of up to PY_ROOM - PY_WORDS steps
 * is never moved.
 *
 * A step's chain through s is an addition and two rotations; P depends on Y of
 * long ago only, and all look-ups run beside that chain.  What hurts is a swap
 * in P whose place is not yet known when the next steps want to load from P: a
 * processor that guessed "no overlap" must start again.  So the keystream reads
 * its places to swap AHEAD steps early, and IV set-up, where the place comes
 * from the end of the chain, puts off each swap by LATE steps. */

#include "key_setup.h"

#ifndef PY_FILL
static void fill(uint8_t *p, uint8_t v, uint8_t d)
{
    for (unsigned i = 0; i < PY_SIZE; i++, v = (uint8_t)(v + d))
        p[i] = PY_SIZE == 256 ? py_permutation[v] : v & PY_MASK;
}
#endif

/* With P[0] at p: swaps P[0] and P[x] and rolls; then P[0] is at p + 1. */
static inline void roll_p(uint8_t *p, unsigned x)
{
    uint8_t t = p[x];
    p[x] = p[0];
    p[PY_SIZE] = t;
}

static void iv_setup(crypto_stream_state *st, const uint8_t *iv, const uint32_t *ky)
{
    enum { V = crypto_stream_NONCEBYTES, LATE = 16 };
    uint32_t *y = st->y;
    uint8_t *p = st->p, eiv[V + PY_WORDS];

    uint8_t v = (uint8_t)(iv[0] ^ (ky[3] >> 16));
    uint8_t d = (uint8_t)(iv[1] ^ (ky[4] >> 16)) | 1;
    fill(p, v, d);
    v = (uint8_t)(v + PY_SIZE * d) & PY_MASK;
    memcpy(y, ky, PY_WORDS * sizeof *y);

    uint32_t s = (uint32_t)v << 24 ^ (uint32_t)d << 16;
    s ^= (uint32_t)p[PY_SIZE - 2] << 8 ^ p[PY_SIZE - 1];
    s ^= ky[0] + ky[PY_WORDS - 1];
    for (int i = 0; i < V; i++) {
        s += iv[i] + ky[i];
        eiv[i] = p[s & PY_MASK];
        s = rotl32(s, PY_TURN) ^ eiv[i];
    }
    for (int i = 0; i < V; i++) {
        s += iv[i] + ky[PY_WORDS - 1 - i];
        uint8_t t = p[s & PY_MASK];
        eiv[i] = (eiv[i] + t) & PY_MASK;
        s = rotl32(s, PY_TURN) ^ t;
    }
    uint8_t *e = eiv;
    for (int i = 0; i < PY_WORDS; i++, y++, e++) {
        __asm__("" : "+r"(y), "+r"(e));     /* as in crypto_stream_xor */
        size_t x = e[0] ^ (s & PY_MASK);
        s = (s ^ y[0]) + y[3 + x];
        y[PY_WORDS] = s;
        e[V] = (uint8_t)x;
        if (i >= LATE) roll_p(p++, e[V - LATE]);
    }
    for (int i = 0; i < LATE; i++) roll_p(p + i, e[V - LATE + i]);
    y += 3;
    s += y[PY_FIRST] + y[PY_NEXT] + y[PY_SECOND];
    if (s == 0) s = 8 * crypto_stream_KEYBYTES + (8 * V << 16) + 0x87654321;
    st->s = s;
    st->at = PY_WORDS;
}

static inline unsigned place(const uint32_t *y)
{
    return y[3 + PY_SWAP] & PY_MASK;
}

/* One step with Y[-3] at y, P[0] at p and x = place(y).  Returns its words,
 * the first in the low half. */
static inline uint64_t step(uint32_t *y, uint8_t *p, uint32_t *s_, unsigned x)
{
    uint32_t s = *s_, *y0 = y + 3;
    roll_p(p++, x);
    s += y0[p[PY_PLUS]] - y0[p[PY_MINUS]];
    unsigned r = p[PY_ROTATE] & 31;
    s = s << r | s >> (-r & 31);
    y[PY_WORDS] = (s ^ y[0]) + y0[p[PY_NEXT]];
    uint32_t a = (rotl32(s, 11) ^ y0[PY_SIZE]) + y0[p[PY_FIRST]];
    s = rotl32(s, 18);
    uint32_t b = (s ^ y0[-1]) + y0[p[PY_SECOND]];
    *s_ = s;
    return PY_STEP_BYTES == 8 ? a | (uint64_t)b << 32 : b;
}

static inline void xor_step(uint8_t *out, const uint8_t *in, uint64_t w)
{
    if (PY_STEP_BYTES == 8) store_le64(out, load_le64(in) ^ w);
    else store_le32(out, load_le32(in) ^ (uint32_t)w);
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
    memset(first, 0, crypto_stream_FIRSTBYTES);
    for (int i = 0; i < crypto_stream_FIRSTBYTES; i += PY_STEP_BYTES, st->at++) {
        uint32_t *y = st->y + st->at;
        xor_step(first + i, first + i, step(y, st->p + st->at, &st->s, place(y)));
    }
}

void crypto_stream_xor(crypto_stream_state *st, uint8_t *out, const uint8_t *in,
                       uint64_t length)
{
    enum { AHEAD = 4 };
    uint32_t s = st->s, *y = st->y + st->at;
    uint8_t *p = st->p + st->at;
    uint64_t room = PY_ROOM - st->at;
    for (;;) {
        uint64_t steps = length / PY_STEP_BYTES;
        if (steps > room) steps = room;
        length -= PY_STEP_BYTES * steps;
        room -= steps;
        unsigned x[AHEAD];
        for (int i = 0; i < AHEAD; i++) x[i] = place(y + i);
        for (; steps >= AHEAD; steps -= AHEAD) {
            /* Keeps the compiler from folding the four pointers into one
             * index, which costs an addition at every look-up. */
            __asm__("" : "+r"(y), "+r"(p), "+r"(out), "+r"(in));
#pragma GCC unroll 4
            for (int i = 0; i < AHEAD; i++) {
                xor_step(out, in, step(y, p++, &s, x[i]));
                x[i] = place(y++ + AHEAD);
                out += PY_STEP_BYTES;
                in += PY_STEP_BYTES;
            }
        }
        for (; steps > 0; steps--, y++, out += PY_STEP_BYTES, in += PY_STEP_BYTES)
            xor_step(out, in, step(y, p++, &s, place(y)));
        if (length == 0) return;
        if (room == 0) {
            y = memcpy(st->y, y, PY_WORDS * sizeof *y);
            p = memcpy(st->p, p, PY_SIZE);
            room = PY_ROOM;
        }
        if (length < PY_STEP_BYTES) break;
    }
    uint8_t last[8];
    store_le64(last, step(y, p, &s, place(y)));
    xor_bytes(out, in, last, length);
}
