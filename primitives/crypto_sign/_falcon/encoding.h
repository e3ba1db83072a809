/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef FALCON_ENCODING_H
#define FALCON_ENCODING_H

/* Bytes of keys and signatures: sections 3.11.2 to 3.11.5. */

#include "modq.h"

/* Bits in and out, most significant first. */
struct bits {
    uint32_t held;
    unsigned count; /* of held, below 8 between two calls */
};

static inline uint8_t *put_bits(struct bits *b, uint8_t *out, uint32_t value, unsigned width) /* to 24 */
{
    b->held = b->held << width | value;
    for (b->count += width; b->count >= 8; b->count -= 8) *out++ = (uint8_t)(b->held >> (b->count - 8));
    return out;
}

static inline uint32_t get_bits(struct bits *b, const uint8_t **in, unsigned width) /* to 24 */
{
    for (; b->count < width; b->count += 8) b->held = b->held << 8 | *(*in)++;
    b->count -= width;
    return b->held >> b->count & ((UINT32_C(1) << width) - 1);
}

static void encode_public(uint8_t pk[crypto_sign_PUBLICKEYBYTES], const uint16_t h[N])
{
    struct bits b = {0, 0};
    *pk++ = LOGN;
    for (unsigned i = 0; i < N; i++) pk = put_bits(&b, pk, h[i], 14);
}

/* -1 when it is none */
static int decode_public(uint16_t h[N], const uint8_t pk[crypto_sign_PUBLICKEYBYTES])
{
    struct bits b = {0, 0};
    int wrong = *pk++ != LOGN;
    for (unsigned i = 0; i < N; i++) {
        h[i] = (uint16_t)get_bits(&b, &pk, 14);
        wrong |= h[i] >= Q;
    }
    return -wrong;
}

static uint8_t *encode_small(uint8_t *out, const int8_t a[N], unsigned width)
{
    struct bits b = {0, 0};
    for (unsigned i = 0; i < N; i++) out = put_bits(&b, out, (uint32_t)a[i] & ((1u << width) - 1), width);
    return out;
}

/* Into `wrong` 1 where the least value of that width is. */
static const uint8_t *decode_small(int8_t a[N], const uint8_t *in, unsigned width, uint32_t *wrong)
{
    struct bits b = {0, 0};
    const uint32_t sign = 1u << (width - 1);
    for (unsigned i = 0; i < N; i++) {
        const uint32_t x = get_bits(&b, &in, width) ^ sign;
        *wrong |= (x - 1) >> 31;
        a[i] = (int8_t)((int32_t)x - (int32_t)sign);
    }
    return in;
}

/* Algorithm 17, Compress: sign, 7 low bits, the rest in unary.  Bytes written, 0 when there are more than `room`. */
static unsigned compress(uint8_t *out, unsigned room, const int32_t s[N])
{
    struct bits b = {0, 0};
    const uint8_t *const begin = out;
    for (unsigned i = 0; i < N; i++) {
        const uint32_t sign = (uint32_t)s[i] >> 31, x = (uint32_t)(s[i] < 0 ? -s[i] : s[i]);
        uint32_t zeroes = x >> 7;
        if ((unsigned)(out - begin) + (b.count + 9 + zeroes + 7) / 8 > room) return 0;
        out = put_bits(&b, out, sign << 7 | (x & 127), 8);
        for (; zeroes > 0; zeroes--) out = put_bits(&b, out, 0, 1);
        out = put_bits(&b, out, 1, 1);
    }
    if (b.count) out = put_bits(&b, out, 0, 8 - b.count);
    return (unsigned)(out - begin);
}

#define MOST_ZEROES 127 /* a coefficient of 2^14 is beyond any bound */

/* Algorithm 18, Decompress: -1 unless the bytes are what Compress makes of s. */
static int decompress(int32_t s[N], const uint8_t *in, uint64_t length)
{
    struct bits b = {0, 0};
    const uint8_t *const end = in + length;
    for (unsigned i = 0; i < N; i++) {
        if (end - in < 1) return -1;
        const uint32_t first = get_bits(&b, &in, 8);
        uint32_t zeroes = 0;
        for (;; zeroes++) {
            if ((b.count == 0 && in == end) || zeroes > MOST_ZEROES) return -1;
            if (get_bits(&b, &in, 1)) break;
        }
        s[i] = (int32_t)(zeroes << 7 | (first & 127));
        if (first >> 7) {
            if (s[i] == 0) return -1; /* 0 has one form */
            s[i] = -s[i];
        }
    }
    return in == end && get_bits(&b, &in, b.count) == 0 ? 0 : -1;
}

#endif
