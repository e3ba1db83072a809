/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HC-128 by sixteen steps, for a file that has included an expand().
 *
 * Sixteen steps stay within an aligned piece of a table, so every index is a
 * constant offset from three pointers: this piece, the one before and the one
 * after (Wu, "The Stream Cipher HC-128", section 4.2, unrolls alike).  The
 * expansion writes P and Q where they stay, and bytes of a word are fetched
 * as bytes. */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE(word, n) (((const uint8_t *)(word))[3 - (n)])
#else
#define BYTE(word, n) (((const uint8_t *)(word))[n])
#endif

#define BACK(k, n) ((k) >= (n) ? here + (k) - (n) : before + 16 + (k) - (n))
#define ROTATE_P(x, n) rotr32(x, n)
#define ROTATE_Q(x, n) rotl32(x, n)

/* Step k; three is the word three steps back, and becomes this one; next is
 * the old word at k, and becomes that at k + 1. */
#define STEP(ROTATE, USE, k, three)                                            \
    {                                                                          \
        uint32_t after = (k) < 15 ? here[((k) + 1) & 15] : beyond[0];          \
        uint32_t h = other[BYTE(BACK(k, 12), 0)] + other[256 + BYTE(BACK(k, 12), 2)]; \
        three = (ROTATE(three, 10) ^ ROTATE(after, 23))                        \
                + (next + ROTATE(*BACK(k, 10), 8));                            \
        next = after;                                                          \
        USE(k, three, h)                                                       \
    }

#define INITIALISE(k, word, h) here[k] = word ^= h;
#define KEYSTREAM(k, word, h)                                                  \
    here[k] = word;                                                            \
    store_le32(out + 4 * (k), load_le32(in + 4 * (k)) ^ word ^ h);

/* a, b, c are the last three words and next the word at `at`; CARRY hands them
 * to the following sixteen steps, for a store and a load on the critical path
 * would cost more than these moves. */
#define LAST_THREE(at)                                                         \
    table[((at) - 3) & 511], b = table[((at) - 2) & 511],                     \
                              c = table[((at) - 1) & 511], next = table[at]
#define CARRY                                                                  \
    {                                                                          \
        uint32_t latest = a;                                                   \
        a = b, b = c, c = latest;                                              \
    }

#define SIXTEEN(ROTATE, USE)                                                   \
    uint32_t *here = table + at;                                               \
    const uint32_t *before = table + ((at - 16) & 511);                        \
    const uint32_t *beyond = table + ((at + 16) & 511);                        \
    STEP(ROTATE, USE, 0, a) STEP(ROTATE, USE, 1, b) STEP(ROTATE, USE, 2, c)    \
    STEP(ROTATE, USE, 3, a) STEP(ROTATE, USE, 4, b) STEP(ROTATE, USE, 5, c)    \
    STEP(ROTATE, USE, 6, a) STEP(ROTATE, USE, 7, b) STEP(ROTATE, USE, 8, c)    \
    STEP(ROTATE, USE, 9, a) STEP(ROTATE, USE, 10, b) STEP(ROTATE, USE, 11, c)  \
    STEP(ROTATE, USE, 12, a) STEP(ROTATE, USE, 13, b) STEP(ROTATE, USE, 14, c) \
    STEP(ROTATE, USE, 15, a)

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 4; i++) expanded->word[i] = load_le32(key + 4 * i);
}

#define INITIALISE_TABLE(ROTATE)                                               \
    uint32_t a = LAST_THREE(0);                                                \
    for (unsigned at = 0; at < 512; at += 16) {                                \
        SIXTEEN(ROTATE, INITIALISE)                                            \
        CARRY                                                                  \
    }

static void initialise_p(uint32_t *table, const uint32_t *other)
{
    INITIALISE_TABLE(ROTATE_P)
}

static void initialise_q(uint32_t *table, const uint32_t *other)
{
    INITIALISE_TABLE(ROTATE_Q)
}

static void setup(crypto_stream_state *state, const uint8_t *nonce,
                  const crypto_stream_key *expanded)
{
    uint32_t *w = state->w;
    for (int i = 0; i < 4; i++) {
        w[i] = w[i + 4] = expanded->word[i];
        w[i + 8] = w[i + 12] = load_le32(nonce + 4 * i);
    }
    expand(w, 1280);
    initialise_p(w + 256, w + 768);
    initialise_q(w + 768, w + 256);
}

static void sixteen(crypto_stream_state *state, uint32_t steps, uint8_t *out,
                    const uint8_t *in)
{
    uint32_t *table = state->w + 256, at = steps & 511;
    const uint32_t *other = state->w + 768;
    if ((steps & 512) == 0) {
        uint32_t a = LAST_THREE(at);
        SIXTEEN(ROTATE_P, KEYSTREAM)
    } else {
        other = table;
        table += 512;
        uint32_t a = LAST_THREE(at);
        SIXTEEN(ROTATE_Q, KEYSTREAM)
    }
}

#include "xor_blocks64.h"
