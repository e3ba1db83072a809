/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Lengths of associated data: check.c includes this after `encrypt` and `must_reject`. */

/* Even where an implementation may refuse as much associated data, it must not take it for the beginning of it. */
static void wrapped_associated_data(void)
{
    const struct shape at = {40, 40, GUARD_ANY, GUARD_BACK}, longer = {40, WRAPPED_AD_LENGTH, GUARD_ANY, GUARD_BACK};
    if (!crypto_aead_ASSOCIATEDDATA || harness_lenient) return;
    new_key();
    renew(&at);
    prng_fill(ad, WRAPPED_AD_LENGTH);
    encrypt(&at);
    harness_case("length 40, a packet with the first 40 of %d bytes of associated data", WRAPPED_AD_LENGTH);
    must_reject(&longer, PACKET(40));
}

/* Before compare_lengths, because implementations get through more or fewer of its lengths. */
static void long_associated_data(void)
{
    static const uint32_t lengths[] = {2049, 4096, LONG_AD_LENGTH, WRAPPED_AD_LENGTH};
    if (!crypto_aead_ASSOCIATEDDATA || harness_lenient) return;
    new_key();
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const struct shape at = {40, lengths[i], GUARD_ANY, GUARD_BACK};
        if (at.ad_length > crypto_aead_MAXADBYTES) continue;
        harness_case("length 40, ad %zu", at.ad_length);
        renew(&at);
        encrypt(&at);
        digest_packet(40);
        harness_case("length 40, ad %zu, the last byte of it changed", at.ad_length);
        ad[at.ad_length - 1] ^= 1;
        must_reject(&at, PACKET(40));
    }
}

/* Compares packets with associated data of every length up to COMPARED_AD_LENGTH, the last byte of which matters. */
static void associated_data_lengths(void)
{
    if (!crypto_aead_ASSOCIATEDDATA || harness_lenient) return;
    for (size_t length = 0; length <= COMPARED_AD_LENGTH; length++) {
        const struct shape at = {length % 2, length, GUARD_ANY, alternate_edge(length)};
        harness_case("length %zu, ad %zu", at.length, length);
        renew(&at);
        encrypt(&at);
        digest_packet(at.length);
        if (!length) continue;
        harness_case("length %zu, ad %zu, the last byte of it changed", at.length, length);
        ad[length - 1] ^= 1;
        must_reject(&at, PACKET(at.length));
    }
}
