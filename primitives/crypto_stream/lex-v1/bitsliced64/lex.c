/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* LEX version 1 in constant time, without tables: the bitsliced rounds of
 * cipher_bitsliced.h.  Only one block can be under way, so all four blocks of
 * a word are the same one; that makes leaking cheap: the leaks of two rounds
 * (odd: rows 0, 2 of columns 0, 2; even: rows 1, 3 of columns 1, 3; disjoint)
 * are masked out of block 0, the next two out of block 1, and so on, and four
 * or six rounds are turned back into bytes at once. */

#include "crypto_stream.h"

#include "../../_aes/cipher_bitsliced.h"

#define INLINE AES_BITSLICED_INLINE

/* The leaking bits of block b. */
#define ODD(b) (0x0000010100000101ULL << (b))
#define EVEN(b) (0x1010000010100000ULL << (b))

INLINE void leak(uint64_t *leaks, const uint64_t *q, uint64_t mask)
{
    leaks[0] |= q[0] & mask;
    leaks[1] |= q[1] & mask;
    leaks[2] |= q[2] & mask;
    leaks[3] |= q[3] & mask;
    leaks[4] |= q[4] & mask;
    leaks[5] |= q[5] & mask;
    leaks[6] |= q[6] & mask;
    leaks[7] |= q[7] & mask;
}

/* Words b and b + 4 of the transposed leaks have columns 0, 2 and columns 1, 3
 * of block b by turns, from row 0 on.  In odd rounds row 2 stands two columns
 * off; in rounds 2 and 6 rows 1 and 3 do. */
INLINE uint32_t odd_word(uint64_t x)
{
    return (uint32_t)(x >> 32 & 0xffff) | (uint32_t)(x << 24 & 0xff000000) |
           (uint32_t)(x << 8 & 0xff0000);
}

INLINE uint32_t even_word(uint64_t x) /* bytes 7, 6, 3, 2 */
{
    return (uint32_t)(x >> 56) | (uint32_t)(x >> 40 & 0xff00) |
           (uint32_t)(x >> 8 & 0xff0000) | (uint32_t)(x << 8 & 0xff000000);
}

INLINE uint32_t even_word_off(uint64_t x) /* bytes 6, 7, 2, 3 */
{
    return (uint32_t)(x >> 48) | (uint32_t)(x & 0xffff0000);
}

INLINE void emit(uint8_t *keystream, uint64_t *leaks)
{
    aes_transpose(leaks);
    store_le32(keystream, odd_word(leaks[0]));
    store_le32(keystream + 4, even_word_off(leaks[4]));
    store_le32(keystream + 8, odd_word(leaks[1]));
    store_le32(keystream + 12, even_word(leaks[5]));
}

/* Rounds 1 to 4 of E: 16 bytes. */
static void front(uint8_t *keystream, uint64_t *q, const uint64_t *k)
{
    uint64_t leaks[8] = {0};
    aes_addroundkey_bitsliced(q, k);
    aes_sbox_bitsliced(q);
    aes_mixcolumns_1(q);
    aes_addroundkey_bitsliced(q, k + 8);
    leak(leaks, q, ODD(0));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_2(q);
    aes_addroundkey_bitsliced(q, k + 16);
    leak(leaks, q, EVEN(0));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_3(q);
    aes_addroundkey_bitsliced(q, k + 24);
    leak(leaks, q, ODD(1));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_0(q);
    aes_addroundkey_bitsliced(q, k + 32);
    leak(leaks, q, EVEN(1));
    emit(keystream, leaks);
}

/* Rounds 5 to 10 of E: 24 bytes. */
static void back(uint8_t *keystream, uint64_t *q, const uint64_t *k)
{
    uint64_t leaks[8] = {0};
    aes_sbox_bitsliced(q);
    aes_mixcolumns_1(q);
    aes_addroundkey_bitsliced(q, k + 40);
    leak(leaks, q, ODD(0));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_2(q);
    aes_addroundkey_bitsliced(q, k + 48);
    leak(leaks, q, EVEN(0));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_3(q);
    aes_addroundkey_bitsliced(q, k + 56);
    leak(leaks, q, ODD(1));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_0(q);
    aes_addroundkey_bitsliced(q, k + 64);
    leak(leaks, q, EVEN(1));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_1(q);
    aes_addroundkey_bitsliced(q, k + 72);
    leak(leaks, q, ODD(2));
    aes_sbox_bitsliced(q);
    aes_mixcolumns_2(q);
    aes_shift_twice_bitsliced(q);
    aes_addroundkey_bitsliced(q, k + 80);
    leak(leaks, q, EVEN(2));
    emit(keystream, leaks);
    store_le32(keystream + 16, odd_word(leaks[2]));
    store_le32(keystream + 20, even_word(leaks[6]));
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes_expandkey_bitsliced(expanded->roundkeys, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    uint32_t block[4][4];
    uint8_t discarded[24];
    (void)soon;
    for (int b = 0; b < 4; b++) /* columns as cipher_bitsliced.h wants them */
        for (int c = 0; c < 4; c++) block[b][c] = load_be32(nonce + 4 * c);
    aes_bitslice(state->q, block);
    front(discarded, state->q, expanded->roundkeys);
    back(discarded, state->q, expanded->roundkeys);
    front(first, state->q, expanded->roundkeys);
    state->expanded = expanded;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    const uint64_t *k = state->expanded->roundkeys;
    uint8_t keystream[40];
    uint64_t used = 16;
    while (length > 0) {
        uint64_t n = length < 40 - used ? length : 40 - used;
        if (used == 0) front(keystream, state->q, k);
        if (n + used > 16) back(keystream + 16, state->q, k);
        xor_bytes(out, in, keystream + used, n);
        used = 0;
        out += n;
        in += n;
        length -= n;
    }
}
