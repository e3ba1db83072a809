/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Keys beside each other: check.c includes this after `encrypt` and `decrypts`. */
#include "influence.h"

#define SHORT_PACKET 40 /* bytes of plaintext */

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
static void encrypt_short(void)
{
    const struct shape at = {SHORT_PACKET, 0, GUARD_ANY, GUARD_BACK};
    expand_key();
    encrypt(&at);
}

/* A key with any bit changed is another key. */
static void every_key_bit(void)
{
    _Static_assert(MAX_PACKET(SHORT_PACKET) <= MOST_INFLUENCED, "the packet is too long to be kept");
    const struct influenced output = {"packet", packet, PACKET(SHORT_PACKET), encrypt_short};
    const struct shape at = {SHORT_PACKET, 0, GUARD_ANY, GUARD_BACK};
    renew(&at);
    expect_influence(key, crypto_aead_KEYBYTES, "key", &output);
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
    if (!other) other = allocate(crypto_aead_key_size, 0);
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
