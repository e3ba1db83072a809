/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property of expanded keys: they give the same results as the keys themselves. */
#ifndef crypto_sign_PRECOMPUTES
static void expanded_keys(struct keys *keys)
{
    (void)keys;
}
#else

/* Changes each of the first `most` bits of a random order, while time is left. */
static void expanded_forgeries(uint8_t *sm, size_t smlen, const crypto_sign_expanded_public *key, size_t most)
{
    static uint8_t *m;
    unsigned long long mlen;
    if (!m) m = allocate(256 + OVERHEAD, 0);
    const struct bit_order order = random_bit_order(smlen);
    for (size_t i = 0; i < most && (!i || cpu_budget_left()); i++) {
        flip(&order, i, sm);
        harness_case("message of %zu bytes, byte %zu of the signed message changed", smlen, byte_of(&order, i));
        if (!crypto_sign_open_expanded(m, &mlen, sm, smlen, key))
            harness_fail(FORGERY_ACCEPTED, "the expanded key accepts a forgery");
        flip(&order, i, sm);
    }
}

static void expanded_keys(struct keys *keys)
{
    crypto_sign_expanded_public *public_key = allocate(crypto_sign_expanded_public_size, 0);
    crypto_sign_expanded_secret *secret_key = allocate(crypto_sign_expanded_secret_size, 0);
    uint8_t *sm = allocate(256 + OVERHEAD, 0), *m = allocate(256 + OVERHEAD, 0);
    unsigned long long smlen, mlen;
    memset(public_key, 0xa5, crypto_sign_expanded_public_size); /* expanding must not rely on zeroed memory */
    memset(secret_key, 0xa5, crypto_sign_expanded_secret_size);
    cpu_budget_start(EXTRA_CASES_SECONDS / 2);
    harness_case("expanded keys");
    if (crypto_sign_expand_public(public_key, keys->pk)) harness_fail(VALID_REJECTED, "the public key is rejected");
    if (crypto_sign_expand_secret(secret_key, keys->sk)) harness_fail(VALID_REJECTED, "the secret key is rejected");
    for (size_t length = 0; length <= 256 && (length < 64 || cpu_budget_left()); length += 32) {
        const uint64_t seed = prng_word();
        harness_case("expanded keys, message of %zu bytes", length);
        prng_fill(message, length);
        random_seed(seed);
        sign(keys, length, GUARD_BACK);
        random_seed(seed);
        if (crypto_sign_expanded(sm, &smlen, message, length, secret_key))
            harness_fail(VALID_REJECTED, "signing with the expanded key fails");
#ifndef crypto_sign_OWN_RANDOM
        if (smlen != signed_length || memcmp(sm, signed_message, signed_length))
            harness_fail(WRONG_OUTPUT, "signing with the expanded key gives a different signature");
#endif
        memcpy(signed_message, sm, signed_length = (size_t)smlen);
        must_open(keys->pk, length, GUARD_BACK);
        if (crypto_sign_open_expanded(m, &mlen, sm, smlen, public_key))
            harness_fail(VALID_REJECTED, "opening with the expanded key fails");
        if (mlen != length || memcmp(m, message, length))
            harness_fail(WRONG_OUTPUT, "the expanded key opens to a different message");
        expanded_forgeries(sm, (size_t)smlen, public_key, length == 64 ? 8 * (size_t)smlen : 8);
    }
    release_public(public_key);
    release_secret(secret_key);
}

#endif
