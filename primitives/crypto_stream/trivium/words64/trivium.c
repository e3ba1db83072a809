/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Trivium, 64 clocks at a time in 64-bit words.
 *
 * No bit is used in the 64 clocks after it entered a register (specification,
 * section 2: the first taps are 66, 69 and 66 places deep), so 64 clocks are
 * one computation on words.  The registers do not shift: each is the sequence
 * of the bits that entered it, cut into words, and the tap k places deep is
 * this sequence, k - 64 bits up from the last word.  Key and nonce enter as
 * they lie in memory, so nothing is left to do in expandkey: the first 64
 * clocks already mix the nonce into what depends on the key alone. */

#include "crypto_stream.h"

#include "bytes.h"

/* The 64 bits k places deep.  Double-width shifts have one port on many CPUs and
 * single ones two: the products use DEEP, the sums XOR the single shifts. */
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 two_words;
#define DEEP(x, k) ((uint64_t)(((two_words)x##0 << 64 | x##1) >> (128 - (k))))
#else
#define DEEP(x, k) (x##0 << ((k) - 64) | x##1 >> (128 - (k)))
#endif
#define SUM(x, j, k)                                                           \
    ((x##0 << ((j) - 64) ^ x##0 << ((k) - 64)) ^                               \
     (x##1 >> (128 - (j)) ^ x##1 >> (128 - (k))))

/* 64 clocks; the 64 keystream bits, the first one least significant */
static inline uint64_t next64(crypto_stream_state *s)
{
    uint64_t a0 = s->a[0], a1 = s->a[1];
    uint64_t b0 = s->b[0], b1 = s->b[1];
    uint64_t c0 = s->c[0], c1 = s->c[1];
    uint64_t t1 = SUM(a, 66, 93);
    uint64_t t2 = SUM(b, 69, 84);
    uint64_t t3 = SUM(c, 66, 111);
    uint64_t z = t1 ^ t2 ^ t3;

    s->a[1] = a0;
    s->b[1] = b0;
    s->c[1] = c0;
    s->a[0] = t3 ^ (DEEP(c, 109) & DEEP(c, 110)) ^ DEEP(a, 69);
    s->b[0] = t1 ^ (DEEP(a, 91) & DEEP(a, 92)) ^ DEEP(b, 78);
    s->c[0] = t2 ^ (DEEP(b, 82) & DEEP(b, 83)) ^ DEEP(c, 87);
    return z;
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    memcpy(expanded->key, key, sizeof expanded->key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    crypto_stream_state s = {
        .a = {load_le64(expanded->key + 2), load_le64(expanded->key) << 48},
        .b = {load_le64(nonce + 2), load_le64(nonce) << 48},
        .c = {0, (uint64_t)7 << 17}, /* 111, 110 and 109 places deep */
    };

    (void)soon;
    for (unsigned i = 0; i < 4 * 288 / 64; i++) next64(&s);
    store_le64(first, next64(&s));
    store_le64(first + 8, next64(&s));
    *state = s;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    crypto_stream_state s = *state;

    for (; length >= 8; length -= 8, out += 8, in += 8)
        store_le64(out, load_le64(in) ^ next64(&s));
    if (length > 0) {
        uint64_t z = next64(&s);
        for (; length > 0; length--, z >>= 8) *out++ = (uint8_t)(*in++ ^ z);
    }
}
