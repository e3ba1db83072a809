/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Keys beside each other: check.c includes this after `encrypt` and `decrypts`. */

/* Keys that differ in one bit: code that keeps an expanded key must not take one for the other. */
static void similar_keys(void)
{
    const struct shape at = {40, 0, GUARD_ANY, GUARD_BACK};
    renew(&at);
    for (size_t i = 0; i < crypto_aead_KEYBYTES; i++) {
        harness_case("a key that differs in byte %zu", i);
        key[i] ^= random_bit();
        expand_key();
        encrypt(&at);
        digest_packet(40);
    }
}

#if crypto_aead_EVERY_KEY_BIT
/* A key with a bit changed has given the packet `again`: fails, in another way if it does not do so after an altogether
 * different one, because then something has been kept. */
static void same_packet(const struct shape *at)
{
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < crypto_aead_KEYBYTES; i++) key[i] = (uint8_t)~key[i];
        expand_key();
        encrypt(at);
    }
    if (memcmp(again, packet, PACKET(at->length))) harness_fail(WRONG_OUTPUT, "takes it for the key before");
    if (!harness_lenient) harness_fail(SAME_OUTPUT, "returns the same packet");
}

/* A key with any bit changed is another key. */
static void every_key_bit(void)
{
    const struct shape at = {40, 0, GUARD_ANY, GUARD_BACK};
    renew(&at);
    encrypt(&at);
    memcpy(again, packet, PACKET(at.length));
    for (size_t i = 0; i < 8 * crypto_aead_KEYBYTES; i++) {
        harness_case("bit %zu of key byte %zu changed", i % 8, i / 8);
        expand_key(); /* the right one: code that keeps a key must not take one for the other */
        encrypt(&at);
        key[i / 8] ^= (uint8_t)(1u << i % 8);
        expand_key();
        encrypt(&at);
        if (!memcmp(again, packet, PACKET(at.length))) same_packet(&at);
        key[i / 8] ^= (uint8_t)(1u << i % 8);
    }
}
#else
static void every_key_bit(void)
{
}
#endif

/* Checks that an expanded key is all that is kept of a key: another one may be expanded before it is used again. */
static void two_keys(void)
{
    static crypto_aead_key *other;
    uint8_t second[crypto_aead_KEYBYTES + 1];
    const struct shape at = {100, 0, GUARD_ANY, GUARD_BACK};
    harness_case("two keys in use");
    if (!other) other = allocate(sizeof *other, 0);
    new_key();
    renew(&at);
    encrypt(&at);
    memcpy(again, packet, PACKET(at.length));
    prng_fill(second, crypto_aead_KEYBYTES);
    if (crypto_aead_expandkey(other, second)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
    encrypt(&at);
    if (memcmp(again, packet, PACKET(at.length)))
        harness_fail(WRONG_OUTPUT, "a packet changes when another key is expanded");
    decrypts(&at);
#ifdef crypto_aead_RELEASES
    crypto_aead_release(other);
#endif
}
