/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef AES_CIPHER_BITSLICED_H
#define AES_CIPHER_BITSLICED_H

/* AES in constant time on any machine, without tables: four blocks in eight
 * 64-bit words, q[i] = bit i of the 64 bytes.  With AES_LANES > 1 a word is a
 * vector of so many (GNU C, which compiles it for vector units of any width),
 * and each lane has its own four blocks.  AES_ROUNDS is 10 or 14.
 *
 * Bitslicing: Biham, "A fast new DES implementation in software" (1997); AES
 * in eight words: Kasper and Schwabe, "Faster and timing-attack resistant
 * AES-GCM" (2009).  Bit 16 r + 4 c + b of a word is row r, column c, block b.
 * No ShiftRows: Adomnicai and Peyrin, "Fixslicing AES-like ciphers" (2020),
 * leave the rows where they are and let MixColumns of round k look k columns
 * further for each row; after four rounds all rows are in place again.
 *
 * The code has no loops over q, because compilers would make vectors of some
 * and not of others, and carry the words to and fro. */

#include "bytes.h"

#if AES_LANES == 1
typedef uint64_t aes_word;
#else
typedef uint64_t aes_word __attribute__((vector_size(8 * AES_LANES)));
#endif

#define AES_BATCH (64 * AES_LANES) /* bytes that come at once */
#define AES_BITSLICED_INLINE static inline __attribute__((always_inline))

/* The S-box without its constant 0x63: Boyar and Peralta, "A new combinational
 * logic minimization technique with applications to cryptology" (2009), their
 * names; x0 is the most significant bit.  32 ANDs, 79 XORs. */
AES_BITSLICED_INLINE void aes_sbox_bitsliced(aes_word *q)
{
    aes_word x0 = q[7], x1 = q[6], x2 = q[5], x3 = q[4];
    aes_word x4 = q[3], x5 = q[2], x6 = q[1], x7 = q[0];

    /* top: linear */
    aes_word y14 = x3 ^ x5, y13 = x0 ^ x6, y9 = x0 ^ x3, y8 = x0 ^ x5;
    aes_word t0 = x1 ^ x2, y1 = t0 ^ x7, y4 = y1 ^ x3, y12 = y13 ^ y14;
    aes_word y2 = y1 ^ x0, y5 = y1 ^ x6, y3 = y5 ^ y8, t1 = x4 ^ y12;
    aes_word y15 = t1 ^ x5, y20 = t1 ^ x1, y6 = y15 ^ x7, y10 = y15 ^ t0;
    aes_word y11 = y20 ^ y9, y7 = x7 ^ y11, y17 = y10 ^ y11, y19 = y10 ^ y8;
    aes_word y16 = t0 ^ y11, y21 = y13 ^ y16, y18 = x0 ^ y16;

    /* middle: inversion in GF(2^8) through GF(2^4) */
    aes_word t2 = y12 & y15, t3 = y3 & y6, t4 = t3 ^ t2, t5 = y4 & x7;
    aes_word t6 = t5 ^ t2, t7 = y13 & y16, t8 = y5 & y1, t9 = t8 ^ t7;
    aes_word t10 = y2 & y7, t11 = t10 ^ t7, t12 = y9 & y11, t13 = y14 & y17;
    aes_word t14 = t13 ^ t12, t15 = y8 & y10, t16 = t15 ^ t12, t17 = t4 ^ t14;
    aes_word t18 = t6 ^ t16, t19 = t9 ^ t14, t20 = t11 ^ t16, t21 = t17 ^ y20;
    aes_word t22 = t18 ^ y19, t23 = t19 ^ y21, t24 = t20 ^ y18, t25 = t21 ^ t22;
    aes_word t26 = t21 & t23, t27 = t24 ^ t26, t28 = t25 & t27, t29 = t28 ^ t22;
    aes_word t30 = t23 ^ t24, t31 = t22 ^ t26, t32 = t31 & t30, t33 = t32 ^ t24;
    aes_word t34 = t23 ^ t33, t35 = t27 ^ t33, t36 = t24 & t35, t37 = t36 ^ t34;
    aes_word t38 = t27 ^ t36, t39 = t29 & t38, t40 = t25 ^ t39, t41 = t40 ^ t37;
    aes_word t42 = t29 ^ t33, t43 = t29 ^ t40, t44 = t33 ^ t37, t45 = t42 ^ t41;
    aes_word z0 = t44 & y15, z1 = t37 & y6, z2 = t33 & x7, z3 = t43 & y16;
    aes_word z4 = t40 & y1, z5 = t29 & y7, z6 = t42 & y11, z7 = t45 & y17;
    aes_word z8 = t41 & y10, z9 = t44 & y12, z10 = t37 & y3, z11 = t33 & y4;
    aes_word z12 = t43 & y13, z13 = t40 & y5, z14 = t29 & y2, z15 = t42 & y9;
    aes_word z16 = t45 & y14, z17 = t41 & y8;

    /* bottom: linear */
    aes_word t46 = z15 ^ z16, t47 = z10 ^ z11, t48 = z5 ^ z13, t49 = z9 ^ z10;
    aes_word t50 = z2 ^ z12, t51 = z2 ^ z5, t52 = z7 ^ z8, t53 = z0 ^ z3;
    aes_word t54 = z6 ^ z7, t55 = z16 ^ z17, t56 = z12 ^ t48, t57 = t50 ^ t53;
    aes_word t58 = z4 ^ t46, t59 = z3 ^ t54, t60 = t46 ^ t57, t61 = z14 ^ t57;
    aes_word t62 = t52 ^ t58, t63 = t49 ^ t58, t64 = z4 ^ t59, t65 = t61 ^ t62;
    aes_word t66 = z1 ^ t63, t67 = t64 ^ t65, s3 = t53 ^ t66;
    q[7] = t59 ^ t63;
    q[6] = t64 ^ s3;
    q[5] = t55 ^ t67;
    q[4] = s3;
    q[3] = t51 ^ t66;
    q[2] = t47 ^ t65;
    q[1] = t56 ^ t62;
    q[0] = t48 ^ t60;
}

#define AES_ROTR(x, n) ((x) >> (n) | (x) << (64 - (n)))

/* In each row, column c takes from column c + k: k and s = 4k are constants. */
#define AES_ROW_MASK(s) (0x0001000100010001 * ((1ULL << (16 - (s))) - 1))
#define AES_COLUMNS_ON(x, s)                                                   \
    ((s) == 0 ? (x) : ((x) >> (s) & AES_ROW_MASK(s)) |                         \
                          ((x) << ((16 - (s)) % 16) & ~AES_ROW_MASK(s)))

/* b = {02}(a + a') + a' + (a + a')''; ' is one row down and k columns on, ''
 * the same twice.  s = 4k mod 16. */
#define AES_MIX(s, i)                                                          \
    aes_word a##i = AES_ROTR(q[i], 16);                                        \
    a##i = AES_COLUMNS_ON(a##i, s);                                            \
    aes_word d##i = q[i] ^ a##i, e##i = AES_ROTR(d##i, 32);                    \
    e##i = a##i ^ AES_COLUMNS_ON(e##i, 2 * (s) % 16)

#define AES_DEFINE_MIXCOLUMNS(name, s)                                         \
    AES_BITSLICED_INLINE void name(aes_word *q)                                \
    {                                                                          \
        AES_MIX(s, 0);                                                         \
        AES_MIX(s, 1);                                                         \
        AES_MIX(s, 2);                                                         \
        AES_MIX(s, 3);                                                         \
        AES_MIX(s, 4);                                                         \
        AES_MIX(s, 5);                                                         \
        AES_MIX(s, 6);                                                         \
        AES_MIX(s, 7);                                                         \
        q[0] = e0 ^ d7;                                                        \
        q[1] = e1 ^ d0 ^ d7;                                                   \
        q[2] = e2 ^ d1;                                                        \
        q[3] = e3 ^ d2 ^ d7;                                                   \
        q[4] = e4 ^ d3 ^ d7;                                                   \
        q[5] = e5 ^ d4;                                                        \
        q[6] = e6 ^ d5;                                                        \
        q[7] = e7 ^ d6;                                                        \
    }

AES_DEFINE_MIXCOLUMNS(aes_mixcolumns_0, 0)
AES_DEFINE_MIXCOLUMNS(aes_mixcolumns_1, 4)
AES_DEFINE_MIXCOLUMNS(aes_mixcolumns_2, 8)
AES_DEFINE_MIXCOLUMNS(aes_mixcolumns_3, 12)

/* The two ShiftRows still owed after 10 or 14 rounds: rows 1 and 3 by two. */
#define AES_SHIFT_TWICE(x)                                                     \
    ((x) & 0x0000ffff0000ffff) | ((x) >> 8 & 0x00ff000000ff0000) |             \
        ((x) << 8 & 0xff000000ff000000)

#define AES_SWAP_BITS(i, j, shift, mask)                                       \
    t = (q[i] >> (shift) ^ q[j]) & (mask);                                     \
    q[j] ^= t;                                                                 \
    q[i] ^= t << (shift)

/* Transposes the 8x8 bits that each byte position of the words makes; its own
 * inverse. */
AES_BITSLICED_INLINE void aes_transpose(aes_word *q)
{
    aes_word t;
    AES_SWAP_BITS(0, 1, 1, 0x5555555555555555);
    AES_SWAP_BITS(2, 3, 1, 0x5555555555555555);
    AES_SWAP_BITS(4, 5, 1, 0x5555555555555555);
    AES_SWAP_BITS(6, 7, 1, 0x5555555555555555);
    AES_SWAP_BITS(0, 2, 2, 0x3333333333333333);
    AES_SWAP_BITS(1, 3, 2, 0x3333333333333333);
    AES_SWAP_BITS(4, 6, 2, 0x3333333333333333);
    AES_SWAP_BITS(5, 7, 2, 0x3333333333333333);
    AES_SWAP_BITS(0, 4, 4, 0x0f0f0f0f0f0f0f0f);
    AES_SWAP_BITS(1, 5, 4, 0x0f0f0f0f0f0f0f0f);
    AES_SWAP_BITS(2, 6, 4, 0x0f0f0f0f0f0f0f0f);
    AES_SWAP_BITS(3, 7, 4, 0x0f0f0f0f0f0f0f0f);
}

/* Four bytes to every second byte of a word, and back. */
static inline uint64_t aes_spread(uint32_t x)
{
    uint64_t y = x;
    y = (y | y << 16) & 0x0000ffff0000ffff;
    return (y | y << 8) & 0x00ff00ff00ff00ff;
}

static inline uint32_t aes_gather(uint64_t y)
{
    y &= 0x00ff00ff00ff00ff;
    y = (y | y >> 8) & 0x0000ffff0000ffff;
    return (uint32_t)(y | y >> 16);
}

/* Blocks, each four columns read as little-endian words; lane l has blocks 4l
 * to 4l + 3.  Of block b of a lane, word b takes columns 0 and 2, word 4 + b
 * columns 1 and 3. */
AES_BITSLICED_INLINE void aes_bitslice(aes_word *q, uint32_t block[][4])
{
    uint64_t raw[8][AES_LANES];
    for (int l = 0; l < AES_LANES; l++) {
        for (int b = 0; b < 4; b++, block++) {
            raw[b][l] = aes_spread((*block)[0]) | aes_spread((*block)[2]) << 8;
            raw[b + 4][l] = aes_spread((*block)[1]) | aes_spread((*block)[3]) << 8;
        }
    }
    memcpy(q, raw, sizeof raw);
    aes_transpose(q);
}

AES_BITSLICED_INLINE void aes_unbitslice(uint8_t *out, aes_word *q)
{
    uint64_t raw[8][AES_LANES];
    aes_transpose(q);
    memcpy(raw, q, sizeof raw);
    for (int l = 0; l < AES_LANES; l++) {
        for (int b = 0; b < 4; b++, out += 16) {
            uint64_t even = raw[b][l], odd = raw[b + 4][l];
            store_le64(out, aes_gather(even) | (uint64_t)aes_gather(odd) << 32);
            even >>= 8;
            odd >>= 8;
            store_le64(out + 8, aes_gather(even) | (uint64_t)aes_gather(odd) << 32);
        }
    }
}

/* SubWord: bit i of the four bytes is one plane as it is. */
static uint32_t aes_subword_bitsliced(uint32_t x)
{
    aes_word q[8], none = {0};
    uint64_t raw[8][AES_LANES];
    uint32_t y = 0;
    for (int i = 0; i < 8; i++) q[i] = none + ((x >> i) & 0x01010101);
    aes_sbox_bitsliced(q);
    memcpy(raw, q, sizeof raw);
    for (int i = 0; i < 8; i++) y |= (uint32_t)(raw[i][0] & 0x01010101) << i;
    return y ^ 0x63636363;
}

/* A round key as it meets rows that are k columns behind for each row: the
 * inverse of k ShiftRows.  Then its bits, each four times, once a block. */
static void aes_bitslice_roundkey(uint64_t *roundkey, const uint32_t *w, int k)
{
    uint64_t column[4];
    for (int c = 0; c < 4; c++) {
        uint32_t x = 0;
        for (int r = 0; r < 4; r++) x |= w[(c - k * r) & 3] & (uint32_t)0xff << 8 * r;
        column[c] = aes_spread(x);
    }
    for (int i = 0; i < 8; i++) {
        uint64_t x = 0;
        for (int c = 0; c < 4; c++)
            x |= (column[c] >> i & 0x0001000100010001) << 4 * c;
        roundkey[i] = 15 * x;
    }
}

/* KeyExpansion (FIPS 197, section 5.2) on little-endian words, then each round
 * key as it is added.  0x63, which the S-box above leaves out, passes unchanged
 * through ShiftRows and MixColumns and is added here. */
static void aes_expandkey_bitsliced(uint64_t *roundkeys, const uint8_t *key)
{
    const int n = AES_ROUNDS - 6;
    uint32_t w[4 * (AES_ROUNDS + 1)], rcon = 1;
    for (int i = 0; i < n; i++) w[i] = load_le32(key + 4 * i);
    for (int i = n; i < 4 * (AES_ROUNDS + 1); i++) {
        uint32_t t = w[i - 1];
        if (i % n == 0) {
            t = aes_subword_bitsliced(rotr32(t, 8)) ^ rcon;
            rcon = (rcon << 1) ^ ((rcon >> 7) * 0x11b);
        } else if (n > 6 && i % n == 4) {
            t = aes_subword_bitsliced(t);
        }
        w[i] = w[i - n] ^ t;
    }
    for (int i = 4; i < 4 * (AES_ROUNDS + 1); i++) w[i] ^= 0x63636363;
    for (int i = 0; i <= AES_ROUNDS; i++) /* the last one is added in true order */
        aes_bitslice_roundkey(roundkeys + 8 * i, w + 4 * i, i % AES_ROUNDS % 4);
}

AES_BITSLICED_INLINE void aes_addroundkey_bitsliced(aes_word *q, const uint64_t *k)
{
    q[0] ^= k[0];
    q[1] ^= k[1];
    q[2] ^= k[2];
    q[3] ^= k[3];
    q[4] ^= k[4];
    q[5] ^= k[5];
    q[6] ^= k[6];
    q[7] ^= k[7];
}

AES_BITSLICED_INLINE void aes_shift_twice_bitsliced(aes_word *q)
{
    q[0] = AES_SHIFT_TWICE(q[0]);
    q[1] = AES_SHIFT_TWICE(q[1]);
    q[2] = AES_SHIFT_TWICE(q[2]);
    q[3] = AES_SHIFT_TWICE(q[3]);
    q[4] = AES_SHIFT_TWICE(q[4]);
    q[5] = AES_SHIFT_TWICE(q[5]);
    q[6] = AES_SHIFT_TWICE(q[6]);
    q[7] = AES_SHIFT_TWICE(q[7]);
}

/* 4 AES_LANES blocks (columns, little-endian) to AES_BATCH bytes. */
static inline void aes_encrypt_bitsliced(uint8_t *out, uint32_t block[][4],
                                  const uint64_t *roundkeys)
{
    aes_word q[8];
    const uint64_t *k = roundkeys;
    aes_bitslice(q, block);
    for (;; k += 32) {
        aes_addroundkey_bitsliced(q, k);
        aes_sbox_bitsliced(q);
        aes_mixcolumns_1(q);
        aes_addroundkey_bitsliced(q, k + 8);
        aes_sbox_bitsliced(q);
        if (k == roundkeys + 8 * (AES_ROUNDS - 2)) break;
        aes_mixcolumns_2(q);
        aes_addroundkey_bitsliced(q, k + 16);
        aes_sbox_bitsliced(q);
        aes_mixcolumns_3(q);
        aes_addroundkey_bitsliced(q, k + 24);
        aes_sbox_bitsliced(q);
        aes_mixcolumns_0(q);
    }
    aes_shift_twice_bitsliced(q);
    aes_addroundkey_bitsliced(q, roundkeys + 8 * AES_ROUNDS);
    aes_unbitslice(out, q);
}

#endif
