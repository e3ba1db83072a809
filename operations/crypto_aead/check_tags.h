/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Changed tags: check.c includes this after `encrypt` and `must_reject`. */

/* Checks that every bit of the tag is compared. */
static void forged_tags(size_t length)
{
    const struct shape at = {length, 0, GUARD_ANY, GUARD_BACK};
    if (length > crypto_aead_MAXBYTES) return;
    renew(&at);
    encrypt(&at);
    for (size_t i = 0; i < 8 * TAG; i++) {
        const size_t byte = i / 8 + TAG_AT(length);
        harness_case("length %zu, packet byte %zu changed", length, byte);
        packet[byte] ^= (uint8_t)(1u << i % 8);
        must_reject(&at, PACKET(length));
        packet[byte] ^= (uint8_t)(1u << i % 8);
    }
}

/* Checks tags with two changes that may cancel, and that a zero byte does not end the comparison. */
static void cancelling_tags(void)
{
    const struct shape at = {40, 0, GUARD_ANY, GUARD_BACK};
    uint8_t *tag = packet + TAG_AT(40);
    renew(&at);
    encrypt(&at);
    for (unsigned i = 0; i < CANCELLING_CHANGES; i++) {
        harness_case("two bytes of the tag changed, case %u", i);
        const struct changed_pair pair = change_together(tag, TAG, i);
        must_reject(&at, PACKET(40));
        change_back(&pair);
    }
    cpu_budget_start(FEW_SECONDS);
    do {
        harness_case("the last byte of the tag changed");
        prng_fill(nonce, crypto_aead_NONCEBYTES);
        encrypt(&at);
    } while (!memchr(tag, 0, TAG - 1) && cpu_budget_left());
    tag[TAG - 1] ^= random_bit();
    must_reject(&at, PACKET(40));
}
