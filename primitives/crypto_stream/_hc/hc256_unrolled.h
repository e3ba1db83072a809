/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HC-256 by sixteen steps, for a file that has included an expand().
 *
 * As in hc128_unrolled.h: an aligned piece of sixteen words makes every index
 * a constant offset from three pointers.  Initialisation drops its output and
 * so leaves out the output filter.  Both tables step alike: one loop. */

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE(word, n) (((const uint8_t *)(word))[3 - (n)])
#else
#define BYTE(word, n) (((const uint8_t *)(word))[n])
#endif

#define BACK(k, n) ((k) >= (n) ? here + (k) - (n) : before + 16 + (k) - (n))

/* Step k; three is the word three steps back, and becomes this one; next is
 * the old word at k, and becomes that at k + 1.  The table look-up, from
 * `three` to `three`, is the critical path: its result is added in last, to a finished
 * sum, and nothing is copied on the way. */
#define STEP(USE, k, three)                                                    \
    {                                                                          \
        uint32_t after = (k) < 15 ? here[((k) + 1) & 15] : beyond[0];          \
        uint32_t index = after, rest = (next + *BACK(k, 10))                   \
                                       + (rotr32(three, 10) ^ rotr32(after, 23)); \
        IN_REGISTER(index);                                                    \
        IN_REGISTER(rest);                                                     \
        three = rest + other[(index ^ three) & 1023];                          \
        next = after;                                                          \
        here[k] = three;                                                       \
        USE(k, three)                                                          \
    }

#define DROP(k, word)
#define KEYSTREAM(k, word)                                                     \
    store_le32(out + 4 * (k),                                                  \
               load_le32(in + 4 * (k))                                         \
                   ^ ((other[BYTE(BACK(k, 12), 0)]                             \
                       + other[256 + BYTE(BACK(k, 12), 1)])                    \
                      + (other[512 + BYTE(BACK(k, 12), 2)]                     \
                         + other[768 + BYTE(BACK(k, 12), 3)]))                 \
                   ^ word);

/* a, b, c are the last three words and next the word at `at`; CARRY hands them
 * to the following sixteen steps, for a store and a load on the critical path
 * would cost more than these moves. */
#define LAST_THREE(at)                                                         \
    table[((at) - 3) & 1023], b = table[((at) - 2) & 1023],                     \
                              c = table[((at) - 1) & 1023], next = table[at]
#define CARRY                                                                  \
    {                                                                          \
        uint32_t latest = a;                                                   \
        a = b, b = c, c = latest;                                              \
    }

#define SIXTEEN(USE)                                                           \
    uint32_t *here = table + at;                                               \
    const uint32_t *before = table + ((at - 16) & 1023);                       \
    const uint32_t *beyond = table + ((at + 16) & 1023);                       \
    STEP(USE, 0, a) STEP(USE, 1, b) STEP(USE, 2, c) STEP(USE, 3, a)            \
    STEP(USE, 4, b) STEP(USE, 5, c) STEP(USE, 6, a) STEP(USE, 7, b)            \
    STEP(USE, 8, c) STEP(USE, 9, a) STEP(USE, 10, b) STEP(USE, 11, c)          \
    STEP(USE, 12, a) STEP(USE, 13, b) STEP(USE, 14, c) STEP(USE, 15, a)

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    for (int i = 0; i < 8; i++) expanded->word[i] = load_le32(key + 4 * i);
}

static void initialise(uint32_t *table, const uint32_t *other)
{
    uint32_t a = LAST_THREE(0);
    for (unsigned at = 0; at < 1024; at += 16) {
        SIXTEEN(DROP)
        CARRY
    }
}

static void setup(crypto_stream_state *state, const uint8_t *nonce,
                  const crypto_stream_key *expanded)
{
    uint32_t *w = state->w, *p = w + 512, *q = w + 1536;
    for (int i = 0; i < 8; i++) w[i] = expanded->word[i];
    for (int i = 0; i < 4; i++) w[i + 8] = w[i + 12] = load_le32(nonce + 4 * i);
    expand(w, 2560);
    initialise(p, q);
    initialise(q, p);
    initialise(p, q);
    initialise(q, p);
}

static void sixteen(crypto_stream_state *state, uint32_t steps, uint8_t *out,
                    const uint8_t *in)
{
    uint32_t *p = state->w + 512, *q = state->w + 1536, at = steps & 1023;
    uint32_t *table = steps & 1024 ? q : p;
    const uint32_t *other = steps & 1024 ? p : q;
    uint32_t a = LAST_THREE(at);
    SIXTEEN(KEYSTREAM)
}

#include "xor_blocks64.h"
