/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef LANES_H
#define LANES_H

/* Vectors of 4, 8 and 16 words of 32 bits, as far as the machine has them, for
 * Salsa20 and its variants.  Names end in the number of words.  +, ^ and &
 * are the compiler's own; here is what C has no sign for.
 *
 * A "lane" is 128 bits, four words.  The files columns.h and rows.h are
 * templates on these names and on those of a cipher's wide.h. */

#include <stdint.h>
#include <string.h>
#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "bytes.h"

#define LANES_INLINE static inline __attribute__((always_inline))
#define LANES_PASTE2(a, b) a##_##b
#define LANES_PASTE(a, b) LANES_PASTE2(a, b)

/* Before a loop over the rounds: unrolled, as clang would, it is no faster, and the
 * code half as large again. */
#ifdef __clang__
#define LANES_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define LANES_ROLLED _Pragma("GCC unroll 1")
#endif

/* Keeps words in integer registers, where the vector units are busy enough
 * and a compiler would think of vectors. */
#define LANES_SCALAR(x) __asm__("" : "+r"(x))
#define LANES_SCALARS(a, b, c, d)                                              \
    do {                                                                       \
        LANES_SCALAR(a);                                                       \
        LANES_SCALAR(b);                                                       \
        LANES_SCALAR(c);                                                       \
        LANES_SCALAR(d);                                                       \
    } while (0)

/* ---- four words: in the compilers' own language, for any machine ---- */

typedef uint32_t u32_4 __attribute__((vector_size(16)));
typedef uint64_t u64_4 __attribute__((vector_size(16)));
typedef uint8_t u8_4 __attribute__((vector_size(16)));

#define broadcast_4(x)                                                         \
    ((u32_4){(uint32_t)(x), (uint32_t)(x), (uint32_t)(x), (uint32_t)(x)})
#define iota_4() ((u32_4){0, 1, 2, 3})
#define shuffle_4(x, imm)                                                      \
    __builtin_shufflevector(x, x, (imm)&3, (imm) >> 2 & 3, (imm) >> 4 & 3,     \
                            (imm) >> 6)
#define low32_4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define high32_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define low64_4(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define high64_4(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
/* b where the mask, of four bits, has ones */
#define select_4(a, b, mask)                                                   \
    __builtin_shufflevector(a, b, (mask)&1 ? 4 : 0, (mask)&2 ? 5 : 1,          \
                            (mask)&4 ? 6 : 2, (mask)&8 ? 7 : 3)
#define rotate_4(x, n) ((x) << (n) | (x) >> (32 - (n)))

/* A rotation by 16 or 8 is a permutation of bytes, if that is an instruction
 * and a rotation is none. */
#if defined __SSSE3__ && !defined __AVX512VL__
#define rotate_by_16_4(x)                                                      \
    ((u32_4)__builtin_shufflevector((u8_4)(x), (u8_4)(x), 2, 3, 0, 1, 6, 7, 4, \
                                    5, 10, 11, 8, 9, 14, 15, 12, 13))
#define rotate_by_8_4(x)                                                       \
    ((u32_4)__builtin_shufflevector((u8_4)(x), (u8_4)(x), 3, 0, 1, 2, 7, 4, 5, \
                                    6, 11, 8, 9, 10, 15, 12, 13, 14))
#else
#define rotate_by_16_4(x) rotate_4(x, 16)
#define rotate_by_8_4(x) rotate_4(x, 8)
#endif

/* the four words at p, in every lane */
LANES_INLINE u32_4 four_4(const uint32_t p[4])
{
    u32_4 x;

    memcpy(&x, p, 16);
    return x;
}

/* the words a, b, c, d, in every lane; of lane i the number a + i, with a carry
 * into b or not */
LANES_INLINE u32_4 count32_4(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return (u32_4){a, b, c, d};
}

LANES_INLINE u32_4 count64_4(uint64_t ab, uint32_t c, uint32_t d)
{
    return (u32_4){(uint32_t)ab, (uint32_t)(ab >> 32), c, d};
}

/* Sixteen bytes of keystream, or of message if there is one. */
LANES_INLINE void put_4(uint8_t *out, const uint8_t *in, u32_4 x)
{
    u32_4 y;

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
    x = (u32_4)__builtin_shufflevector((u8_4)x, (u8_4)x, 3, 2, 1, 0, 7, 6, 5, 4,
                                       11, 10, 9, 8, 15, 14, 13, 12);
#endif
    if (in) {
        memcpy(&y, in, 16);
        x ^= y;
    }
    memcpy(out, &x, 16);
}

/* The block whose words 0..3, 4..7, 8..11, 12..15 are a, b, c, d; of vectors
 * with more lanes the block of each lane, `apart` bytes from one another. */
LANES_INLINE void put_blocks_4(uint8_t *out, const uint8_t *in, int apart,
                               u32_4 a, u32_4 b, u32_4 c, u32_4 d)
{
    (void)apart;
    put_4(out, in, a);
    put_4(out + 16, in ? in + 16 : 0, b);
    put_4(out + 32, in ? in + 32 : 0, c);
    put_4(out + 48, in ? in + 48 : 0, d);
}

/* ---- eight words ---- */

#ifdef __AVX2__
typedef uint32_t u32_8 __attribute__((vector_size(32)));

#define broadcast_8(x) ((u32_8)_mm256_set1_epi32((int)(x)))
#define iota_8() ((u32_8){0, 1, 2, 3, 4, 5, 6, 7})
#define every_lane_8(x) ((u32_8)_mm256_broadcastsi128_si256((__m128i)(x)))
#define four_8(p) every_lane_8(four_4(p))
#define shuffle_8(x, imm) ((u32_8)_mm256_shuffle_epi32((__m256i)(x), imm))
#define low32_8(a, b) ((u32_8)_mm256_unpacklo_epi32((__m256i)(a), (__m256i)(b)))
#define high32_8(a, b) ((u32_8)_mm256_unpackhi_epi32((__m256i)(a), (__m256i)(b)))
#define low64_8(a, b) ((u32_8)_mm256_unpacklo_epi64((__m256i)(a), (__m256i)(b)))
#define high64_8(a, b) ((u32_8)_mm256_unpackhi_epi64((__m256i)(a), (__m256i)(b)))
#define select_8(a, b, mask)                                                   \
    ((u32_8)_mm256_blend_epi32((__m256i)(a), (__m256i)(b), 17 * (mask)))
#ifdef __AVX512VL__
#define rotate_8(x, n) ((u32_8)_mm256_rol_epi32((__m256i)(x), n))
#define rotate_by_16_8(x) rotate_8(x, 16)
#define rotate_by_8_8(x) rotate_8(x, 8)
#else
#define LANES_ROT16 0x0d0c0f0e09080b0a, 0x0504070601000302
#define LANES_ROT8 0x0e0d0c0f0a09080b, 0x0605040702010003
#define rotate_8(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define rotate_by_16_8(x)                                                      \
    ((u32_8)_mm256_shuffle_epi8((__m256i)(x),                                  \
                                _mm256_set_epi64x(LANES_ROT16, LANES_ROT16)))
#define rotate_by_8_8(x)                                                       \
    ((u32_8)_mm256_shuffle_epi8((__m256i)(x),                                  \
                                _mm256_set_epi64x(LANES_ROT8, LANES_ROT8)))
#endif

LANES_INLINE u32_8 count32_8(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return every_lane_8(count32_4(a, b, c, d)) + (u32_8){0, 0, 0, 0, 1, 0, 0, 0};
}

LANES_INLINE u32_8 count64_8(uint64_t ab, uint32_t c, uint32_t d)
{
    return (u32_8)_mm256_add_epi64((__m256i)every_lane_8(count64_4(ab, c, d)),
                                   _mm256_set_epi64x(0, 1, 0, 0));
}

LANES_INLINE void put_8(uint8_t *out, const uint8_t *in, __m256i x)
{
    if (in) x = _mm256_xor_si256(x, _mm256_loadu_si256((const __m256i *)in));
    _mm256_storeu_si256((__m256i *)out, x);
}

LANES_INLINE void put_blocks_8(uint8_t *out, const uint8_t *in, int apart,
                               u32_8 a, u32_8 b, u32_8 c, u32_8 d)
{
    __m256i ab = _mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x20);
    __m256i cd = _mm256_permute2x128_si256((__m256i)c, (__m256i)d, 0x20);
    __m256i AB = _mm256_permute2x128_si256((__m256i)a, (__m256i)b, 0x31);
    __m256i CD = _mm256_permute2x128_si256((__m256i)c, (__m256i)d, 0x31);

    put_8(out, in, ab);
    put_8(out + 32, in ? in + 32 : 0, cd);
    put_8(out + apart, in ? in + apart : 0, AB);
    put_8(out + apart + 32, in ? in + apart + 32 : 0, CD);
}
#endif

/* ---- sixteen words ---- */

#ifdef __AVX512F__
typedef uint32_t u32_16 __attribute__((vector_size(64)));

#define broadcast_16(x) ((u32_16)_mm512_set1_epi32((int)(x)))
#define iota_16()                                                              \
    ((u32_16){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
#define every_lane_16(x) ((u32_16)_mm512_broadcast_i32x4((__m128i)(x)))
#define four_16(p) every_lane_16(four_4(p))
#define shuffle_16(x, imm)                                                     \
    ((u32_16)_mm512_shuffle_epi32((__m512i)(x), (_MM_PERM_ENUM)(imm)))
#define low32_16(a, b) ((u32_16)_mm512_unpacklo_epi32((__m512i)(a), (__m512i)(b)))
#define high32_16(a, b)                                                        \
    ((u32_16)_mm512_unpackhi_epi32((__m512i)(a), (__m512i)(b)))
#define low64_16(a, b) ((u32_16)_mm512_unpacklo_epi64((__m512i)(a), (__m512i)(b)))
#define high64_16(a, b)                                                        \
    ((u32_16)_mm512_unpackhi_epi64((__m512i)(a), (__m512i)(b)))
#define select_16(a, b, mask)                                                  \
    ((u32_16)_mm512_mask_blend_epi32((__mmask16)(0x1111 * (mask)),             \
                                     (__m512i)(a), (__m512i)(b)))
#define rotate_16(x, n) ((u32_16)_mm512_rol_epi32((__m512i)(x), n))
#define rotate_by_16_16(x) rotate_16(x, 16)
#define rotate_by_8_16(x) rotate_16(x, 8)

LANES_INLINE u32_16 count32_16(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return every_lane_16(count32_4(a, b, c, d)) +
           (u32_16){0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
}

LANES_INLINE u32_16 count64_16(uint64_t ab, uint32_t c, uint32_t d)
{
    return (u32_16)_mm512_add_epi64((__m512i)every_lane_16(count64_4(ab, c, d)),
                                    _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0));
}

LANES_INLINE void put_16(uint8_t *out, const uint8_t *in, __m512i x)
{
    if (in) x = _mm512_xor_si512(x, _mm512_loadu_si512(in));
    _mm512_storeu_si512(out, x);
}

LANES_INLINE void put_blocks_16(uint8_t *out, const uint8_t *in, int apart,
                                u32_16 a, u32_16 b, u32_16 c, u32_16 d)
{
    __m512i ab = _mm512_shuffle_i32x4((__m512i)a, (__m512i)b, 0x44);
    __m512i cd = _mm512_shuffle_i32x4((__m512i)c, (__m512i)d, 0x44);
    __m512i AB = _mm512_shuffle_i32x4((__m512i)a, (__m512i)b, 0xee);
    __m512i CD = _mm512_shuffle_i32x4((__m512i)c, (__m512i)d, 0xee);

    put_16(out, in, _mm512_shuffle_i32x4(ab, cd, 0x88));
    put_16(out + apart, in ? in + apart : 0, _mm512_shuffle_i32x4(ab, cd, 0xdd));
    out += 2 * apart;
    if (in) in += 2 * apart;
    put_16(out, in, _mm512_shuffle_i32x4(AB, CD, 0x88));
    put_16(out + apart, in ? in + apart : 0, _mm512_shuffle_i32x4(AB, CD, 0xdd));
}
#endif

/* ---- any length ---- */

static inline void lanes_apply(uint8_t *out, const uint8_t *in,
                               const uint8_t *pad, uint64_t length)
{
#ifdef __AVX2__
    for (; length >= 32; length -= 32, out += 32, in += 32, pad += 32)
        put_8(out, in, _mm256_loadu_si256((const __m256i *)pad));
#endif
    for (; length >= 16; length -= 16, out += 16, in += 16, pad += 16) {
        u32_4 x, y;
        memcpy(&x, in, 16);
        memcpy(&y, pad, 16);
        x ^= y;
        memcpy(out, &x, 16);
    }
    xor_bytes(out, in, pad, length);
}

#endif
