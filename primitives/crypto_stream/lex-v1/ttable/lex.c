/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* LEX version 1 with four 32-bit tables (Daemen and Rijmen, "AES proposal:
 * Rijndael", section 5.2.1): a round is sixteen lookups, and the columns are
 * the very words from which the leaks are cut.  A packet's start stops after
 * the four rounds that give 16 bytes. */

#include "crypto_stream.h"

#include "../../_aes/expandkey_words.h"
#include "../../_aes/ttable.h"
#include "bytes.h"

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t column(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    return aes_T[0][a >> 24] ^ aes_T[1][(b >> 16) & 255] ^
           aes_T[2][(c >> 8) & 255] ^ aes_T[3][d & 255];
}

/* One round; returns its leak. */
INLINE uint32_t one_round(uint32_t *s, const uint32_t *rk, int round)
{
    uint32_t t0 = column(s[0], s[1], s[2], s[3]) ^ rk[4 * round];
    uint32_t t1 = column(s[1], s[2], s[3], s[0]) ^ rk[4 * round + 1];
    uint32_t t2 = column(s[2], s[3], s[0], s[1]) ^ rk[4 * round + 2];
    uint32_t t3 = column(s[3], s[0], s[1], s[2]) ^ rk[4 * round + 3];
    s[0] = t0;
    s[1] = t1;
    s[2] = t2;
    s[3] = t3;
    return round % 2 == 1 ? (t0 & 0xff00ff00) ^ ((t2 & 0xff00ff00) >> 8)
                          : ((t1 & 0x00ff00ff) << 8) ^ (t3 & 0x00ff00ff);
}

INLINE void add_first_key(uint32_t *s, const uint32_t *rk)
{
    for (int i = 0; i < 4; i++) s[i] ^= rk[i];
}

INLINE void xor_word(uint8_t *out, const uint8_t *in, uint32_t word)
{
    store_le32(out, load_le32(in) ^ word);
}

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    aes128_expandkey_words(expanded->roundkeys, key);
}

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    const uint32_t *rk = expanded->roundkeys;
    uint32_t s[4];
    (void)soon;
    for (int i = 0; i < 4; i++) s[i] = load_le32(nonce + 4 * i) ^ rk[i];
    for (int round = 1; round <= 10; round++) one_round(s, rk, round);
    add_first_key(s, rk);
    for (int round = 1; round <= 4; round++)
        store_le32(first + 4 * round - 4, one_round(s, rk, round));
    memcpy(state->s, s, sizeof s);
    state->expanded = expanded;
}

void crypto_stream_xor(crypto_stream_state *state, uint8_t *out,
                       const uint8_t *in, uint64_t length)
{
    const uint32_t *rk = state->expanded->roundkeys;
    uint32_t s[4];
    int round = 5;
    memcpy(s, state->s, sizeof s);
    for (; round <= 10 && length >= 4; round++, out += 4, in += 4, length -= 4)
        xor_word(out, in, one_round(s, rk, round));
    for (; length >= 40; length -= 40, out += 40, in += 40) {
        add_first_key(s, rk);
        xor_word(out, in, one_round(s, rk, 1));
        xor_word(out + 4, in + 4, one_round(s, rk, 2));
        xor_word(out + 8, in + 8, one_round(s, rk, 3));
        xor_word(out + 12, in + 12, one_round(s, rk, 4));
        xor_word(out + 16, in + 16, one_round(s, rk, 5));
        xor_word(out + 20, in + 20, one_round(s, rk, 6));
        xor_word(out + 24, in + 24, one_round(s, rk, 7));
        xor_word(out + 28, in + 28, one_round(s, rk, 8));
        xor_word(out + 32, in + 32, one_round(s, rk, 9));
        xor_word(out + 36, in + 36, one_round(s, rk, 10));
    }
    while (length > 0) {
        uint8_t keystream[4];
        uint64_t n = length < 4 ? length : 4;
        if (round == 11) {
            add_first_key(s, rk);
            round = 1;
        }
        store_le32(keystream, one_round(s, rk, round++));
        xor_bytes(out, in, keystream, n);
        out += n;
        in += n;
        length -= n;
    }
}
