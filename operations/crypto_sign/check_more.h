/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cases that need no other implementation to compare with, while time is left: check.c includes this after its own. */

#define MORE_KEYS 300           /* so that code is found that is wrong if one byte of a key has a certain value */
#define MORE_KEYS_SECONDS 0.03  /* CPU time */

/* Messages of equal bytes, and signed messages with two changes that may cancel. */
static void special_messages(struct keys *keys)
{
    cpu_budget_start(4 * FEW_SECONDS);
    for (int byte = 0; byte <= 255 && cpu_budget_left(); byte += 255) {
        harness_case("message of 59 bytes %d", byte);
        memset(message, byte, 59);
        sign(keys, 59, GUARD_BACK);
        must_open(keys->pk, 59, GUARD_BACK);
    }
    if (!cpu_budget_left()) return;
    for (unsigned i = 0; i < CANCELLING_CHANGES && cpu_budget_left(); i++) {
        harness_case("two bytes of the signed message changed, case %u", i);
        const struct changed_pair pair = change_together(signed_message, signed_length, i);
        must_reject(signed_message, signed_length, keys->pk, "it");
        change_back(&pair);
    }
}

#ifdef STATEFUL_KEY
static void more_keys(void)
{
}
#else
/* All functions in turn, and a forgery. */
static void cycle(void)
{
    static struct keys keys;
    static uint8_t *sm, *m;
    unsigned long long smlen, mlen;
    if (!sm) sm = allocate(59 + OVERHEAD, 0), m = allocate(59 + OVERHEAD, 0);
    draw_keys(&keys);
    if (crypto_sign(sm, &smlen, message, 59, keys.sk)) harness_fail(VALID_REJECTED, "signing fails");
    if (crypto_sign_open(m, &mlen, sm, smlen, keys.pk)) harness_fail(VALID_REJECTED, "rejects its own signed message");
    sm[0] ^= 1;
    (void)crypto_sign_open(m, &mlen, sm, smlen, keys.pk);
}

/* A new key pair for each message. */
static void more_keys(void)
{
    static struct keys keys;
    cpu_budget_start(MORE_KEYS_SECONDS);
    for (unsigned i = 0; i < MORE_KEYS && cpu_budget_left(); i++) {
        generate_keys(&keys, prng_word());
        round_trip(&keys, 33, 0);
    }
    if (cpu_budget_left()) repeat_cycle(cycle);
}
#endif

static int opens;

static void open_similar(void)
{
    static uint8_t *m;
    unsigned long long mlen;
    if (!m) m = allocate(59 + OVERHEAD, 0);
    opens = !crypto_sign_open(m, &mlen, signed_message, signed_length, changed_pk);
}

static void similar_signatures(struct keys *keys, struct keys *other)
{
    sign(keys, 59, GUARD_BACK);
    memcpy(changed_pk, keys->pk, PK);
    expect_nothing_kept(
        &(const struct kept){"public key", changed_pk, PK, other->pk, open_similar, &opens, sizeof opens});
    EXPECT_NOTHING_KEPT("signed message", signed_message, signed_length, open_similar, &opens, sizeof opens);
}

/* With random bytes of its own, it must not draw the same key twice, and sign a message either always or never in the
 * same way. */
static void weak_randomness(struct keys *keys)
{
#if defined(HIDDEN_RNG) && !defined(STATEFUL_KEY)
    static struct keys drawn;
    EXPECT_DRAWS_TO_DIFFER(draw_keys(&drawn), drawn.pk, PK, "public key");
    prng_fill(message, 59);
    EXPECT_DRAWS_TO_DIFFER_IF_ANY_DO(sign(keys, 59, GUARD_BACK), signed_message, signed_length, "signature");
#else
    (void)keys;
#endif
}
