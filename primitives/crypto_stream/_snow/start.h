/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* expandkey and start of SNOW 2.0, for a file that defines the words R1 and R2
 * of the state machine:
 *   fsm                        the type
 *   fsm_set(w), fsm_word(x)    from a word and back
 *   fsm_add(x, w), fsm_S(x)    x + w, S(x)
 *
 * The nonce stands in s15, s12, s10 and s9, all else is the key's.  The
 * register is linear: expandkey sums what the key's words contribute to the
 * feedback of the first 16 clocks, and start adds what the nonce's contribute.
 * The state machine meets the nonce (in s9) only at clock 4: expandkey runs it
 * so far.  So s0 .. s8 need not be kept.
 *
 * In start, R1 and R2 of clock t + 1 wait for s[t + 5] only: the long chain is
 * s[t + 16] = (s[t + 15] + R1) ^ ..., two operations a clock. */

#include "alpha.h"
#include "bytes.h"

void crypto_stream_expandkey(crypto_stream_key *expanded, const uint8_t *key)
{
    uint32_t s[16];
    fsm r1 = fsm_set(0), r2 = r1, old;
    for (int i = 0; i < 8; i++) s[7 - i] = ~(s[15 - i] = load_be32(key + 4 * i));
    for (int t = 0; t < 16; t++) {
        expanded->feedback[t] = alpha_times(s[t]);
        if (t < 14) expanded->feedback[t] ^= s[t + 2];
        if (t < 5) expanded->feedback[t] ^= alpha_divides(s[t + 11]);
    }
    for (int t = 0; t < 4; t++) {
        old = r1;
        r1 = fsm_add(r2, s[t + 5]);
        r2 = fsm_S(old);
        expanded->r1[t] = fsm_word(r1);
        expanded->feedback[t + 1] ^= fsm_word(r2);
    }
    expanded->r2[0] = fsm_word(r2);
    expanded->r2[1] = fsm_word(fsm_S(r1));
    memcpy(expanded->s, s + 9, sizeof expanded->s);
}

#define FEEDBACK(t) (alpha_times(s[t]) ^ s[(t) + 2] ^ alpha_divides(s[(t) + 11]))

#define STATE_MACHINE(t)                                                       \
    old = r1;                                                                  \
    r1 = fsm_add(r2, s[(t) + 5]);                                              \
    r2 = fsm_S(old);

/* An initialisation clock */
#define CLOCK(t, feedback)                                                     \
    s[(t) + 16] = (s[(t) + 15] + fsm_word(r1)) ^ ((feedback) ^ fsm_word(r2));  \
    STATE_MACHINE(t)

#define KEY_CLOCK(t, nonces) CLOCK(t, k[t] ^ alpha_divides(s[(t) + 11]) ^ (nonces))
#define FREE_CLOCK(t) CLOCK(t, FEEDBACK(t))

/* A keystream clock */
#define OUTPUT_CLOCK(t)                                                        \
    s[(t) + 16] = FEEDBACK(t);                                                 \
    STATE_MACHINE(t)                                                           \
    store_le32(first + 4 * ((t) - 32),                                         \
               ((s[(t) + 16] + fsm_word(r1)) ^ fsm_word(r2)) ^ s[(t) + 1]);

void crypto_stream_start(crypto_stream_state *state, uint8_t *first,
                         const uint8_t *nonce, const crypto_stream_key *expanded,
                         uint64_t soon)
{
    const uint32_t *k = expanded->feedback;
    uint32_t s[52], v0 = load_le32(nonce), v1 = load_le32(nonce + 4);
    uint32_t v2 = load_le32(nonce + 8), v3 = load_le32(nonce + 12);
    fsm r1, r2, old;
    (void)soon;
    for (int i = 0; i < 7; i++) s[9 + i] = expanded->s[i];
    s[9] ^= v0, s[10] ^= v1, s[12] ^= v2, s[15] ^= v3;
    s[16] = s[15] ^ k[0];
    s[17] = (s[16] + expanded->r1[0]) ^ (k[1] ^ alpha_divides(v2));
    s[18] = (s[17] + expanded->r1[1]) ^ k[2];
    s[19] = (s[18] + expanded->r1[2]) ^ k[3];
    s[20] = (s[19] + expanded->r1[3]) ^ (k[4] ^ alpha_divides(v3));
    r1 = fsm_add(fsm_set(expanded->r2[0]), s[9]);
    r2 = fsm_set(expanded->r2[1]);
    KEY_CLOCK(5, 0)
    KEY_CLOCK(6, 0)
    KEY_CLOCK(7, v0)
    KEY_CLOCK(8, v1)
    KEY_CLOCK(9, alpha_times(v0))
    KEY_CLOCK(10, alpha_times(v1) ^ v2)
    KEY_CLOCK(11, 0)
    KEY_CLOCK(12, alpha_times(v2))
    KEY_CLOCK(13, v3)
    KEY_CLOCK(14, s[16])
    KEY_CLOCK(15, s[17] ^ alpha_times(v3))
    FREE_CLOCK(16) FREE_CLOCK(17) FREE_CLOCK(18) FREE_CLOCK(19)
    FREE_CLOCK(20) FREE_CLOCK(21) FREE_CLOCK(22) FREE_CLOCK(23)
    FREE_CLOCK(24) FREE_CLOCK(25) FREE_CLOCK(26) FREE_CLOCK(27)
    FREE_CLOCK(28) FREE_CLOCK(29) FREE_CLOCK(30) FREE_CLOCK(31)
    OUTPUT_CLOCK(32) OUTPUT_CLOCK(33) OUTPUT_CLOCK(34) OUTPUT_CLOCK(35)
    memcpy(state->s, s + 36, sizeof state->s);
    state->r1 = fsm_word(r1);
    state->r2 = fsm_word(r2);
}
