/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BYTES_H
#define BYTES_H

/* Words from bytes and back, in a stated byte order on any machine, at any
 * alignment; rotations.  Compilers turn each into one or two instructions. */

#include <stdint.h>
#include <string.h>

static inline uint32_t rotl32(uint32_t x, unsigned n) /* 0 < n < 32 */
{
    return (x << n) | (x >> (32 - n));
}

static inline uint32_t rotr32(uint32_t x, unsigned n) /* 0 < n < 32 */
{
    return (x >> n) | (x << (32 - n));
}

static inline uint64_t rotl64(uint64_t x, unsigned n) /* 0 < n < 64 */
{
    return (x << n) | (x >> (64 - n));
}

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTES_LE32(x) (x)
#define BYTES_LE64(x) (x)
#define BYTES_BE32(x) __builtin_bswap32(x)
#define BYTES_BE64(x) __builtin_bswap64(x)
#else
#define BYTES_LE32(x) __builtin_bswap32(x)
#define BYTES_LE64(x) __builtin_bswap64(x)
#define BYTES_BE32(x) (x)
#define BYTES_BE64(x) (x)
#endif

#define BYTES_DEFINE(order, bits, CONVERT)                                     \
    static inline uint##bits##_t load_##order##bits(const void *p)             \
    {                                                                          \
        uint##bits##_t x;                                                      \
        memcpy(&x, p, sizeof x);                                               \
        return CONVERT(x);                                                     \
    }                                                                          \
    static inline void store_##order##bits(void *p, uint##bits##_t x)          \
    {                                                                          \
        x = CONVERT(x);                                                        \
        memcpy(p, &x, sizeof x);                                               \
    }

BYTES_DEFINE(le, 32, BYTES_LE32)
BYTES_DEFINE(le, 64, BYTES_LE64)
BYTES_DEFINE(be, 32, BYTES_BE32)
BYTES_DEFINE(be, 64, BYTES_BE64)

/* out = in ^ pad, any length, out == in allowed: eight bytes at a time. */
static inline void xor_bytes(uint8_t *out, const uint8_t *in,
                             const uint8_t *pad, uint64_t length)
{
    for (; length >= 8; length -= 8, out += 8, in += 8, pad += 8) {
        uint64_t x, y;
        memcpy(&x, in, 8);
        memcpy(&y, pad, 8);
        x ^= y;
        memcpy(out, &x, 8);
    }
    for (; length > 0; length--) *out++ = (uint8_t)(*in++ ^ *pad++);
}

#endif
