/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ABC v3 without tables: the filter is added up bit by bit, and so the expanded
 * key is as small as the cipher allows. */

#include "crypto_stream.h"

#include "../../_abc/key_coefficients.h"
#include "bytes.h"

#define M 0xfffffffc

static uint32_t step(crypto_stream_state *st, const uint32_t *e)
{
    uint32_t *z = st->z, *d = st->d;
    uint32_t t = z[2] ^ z[1] << 31 ^ z[0] >> 1;
    z[0] = z[1];
    z[1] = z[2];
    z[2] = z[3];
    z[3] = t;
    st->x = t + (((st->x ^ d[0]) + d[1]) ^ d[2]);
    uint32_t sum = e[32];
    for (int i = 0; i < 32; i++) sum += e[i] & -(st->x >> i & 1);
    return z[0] + rotl32(sum, 16);
}

static void warm_up(crypto_stream_state *st, const uint32_t *e)
{
    uint32_t r = step(st, e);
    st->x ^= r;
    st->d[0] = (st->d[0] ^ step(st, e)) & M;
    st->d[1] = ((st->d[1] ^ step(st, e)) & M) | 1;
    st->d[2] = (st->d[2] ^ step(st, e)) & M;
    for (int i = 0; i < 4; i++) {
        r = step(st, e);
        st->z[2] ^= r;
    }
    st->z[0] |= 2;
}

void crypto_stream_expandkey(crypto_stream_key *k, const uint8_t *key)
{
    const uint32_t *e0 = abc_key_coefficients;
    crypto_stream_state st;
    for (int i = 0; i < 4; i++) st.z[i] = rotl32(load_le32(key + 4 * i), 16);
    st.z[0] |= 2;
    st.x = load_le32(key);
    st.d[0] = load_le32(key + 12) & M;
    st.d[1] = (load_le32(key + 8) & M) | 1;
    st.d[2] = load_le32(key + 4) & M;
    warm_up(&st, e0);

    for (int i = 0; i < 3; i++) k->d[i] = step(&st, e0);
    k->x = step(&st, e0);
    for (int i = 0; i < 4; i++) k->z[i] = step(&st, e0);
    uint32_t *e = k->e;
    e[32] = step(&st, e0);
    for (int i = 0; i < 32; i++) {
        e[i] = step(&st, e0);
        for (int j = 1; j < 4; j++) e[i] &= step(&st, e0);
    }
    for (int i = 0; i < 32; i++) {
        uint32_t r = 0;
        for (int field = 0; field < 20; field++) {
            if (field % 6 == 0) r = step(&st, e0);
            e[r >> (5 * (field % 6)) & 31] |= (uint32_t)1 << i;
        }
    }
    e[30] |= e[31] & 0xffff;
    e[31] = (e[31] & 0xffff0000) | 0x00010000;
    k->z[0] |= 2;
    k->d[0] &= M;
    k->d[1] = (k->d[1] & M) | 1;
    k->d[2] &= M;
}

void crypto_stream_start(crypto_stream_state *st, uint8_t *first, const uint8_t *nonce,
                         const crypto_stream_key *k, uint64_t soon)
{
    (void)soon;
    *st = *k;
    for (int i = 0; i < 4; i++) st->z[i] ^= rotl32(load_le32(nonce + 4 * i), 16);
    st->z[0] |= 2;
    st->x ^= load_le32(nonce);
    st->d[0] = (st->d[0] ^ load_le32(nonce + 12)) & M;
    st->d[1] = ((st->d[1] ^ load_le32(nonce + 8)) & M) | 1;
    st->d[2] = (st->d[2] ^ load_le32(nonce + 4)) & M;
    warm_up(st, st->e);
    for (int i = 0; i < 4; i++) store_le32(first + 4 * i, step(st, st->e));
}

void crypto_stream_xor(crypto_stream_state *st, uint8_t *out, const uint8_t *in,
                       uint64_t length)
{
    uint8_t pad[4];
    for (; length > 0; out += 4, in += 4) {
        uint64_t n = length < 4 ? length : 4;
        store_le32(pad, step(st, st->e));
        xor_bytes(out, in, pad, n);
        length -= n;
    }
}
