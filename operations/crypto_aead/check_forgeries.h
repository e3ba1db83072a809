/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets that must be rejected: check.c includes this after `packet` and what it was made from. */

#define EVERY_BIT 40 /* bytes of a packet of which every bit of nonce and associated data is changed */

/* A forgery may be rejected before or after the plaintext is cleared, but its plaintext must not be released. */
static void must_reject(const struct shape *at, size_t packet_length)
{
    if (decrypt(at, packet_length) == 0 && !(harness_lenient && !memcmp(opens.data, plain, at->length)))
        harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
    if (memcmp(opens.data, untouched, opens.length - crypto_aead_ROOM))
        expect_not_released(opens.data, opens.length - crypto_aead_ROOM, UNTOUCHED);
}

/* Checks that associated data and text are told apart: moves one byte from one to the other, and back. */
static void move_boundary(const struct shape *at)
{
    const size_t total = PACKET(at->length), after = total - crypto_aead_TEXT;
    uint8_t *text = packet + crypto_aead_TEXT;
    struct shape moved = *at;
    harness_case("length %zu, the last byte of the associated data moved to the text", at->length);
    memmove(text + 1, text, after);
    text[0] = ad[--moved.ad_length];
    must_reject(&moved, total + 1);
    memmove(text, text + 1, after);
    if (!at->length) return;
    harness_case("length %zu, the first byte of the text moved to the associated data", at->length);
    moved.ad_length = at->ad_length + 1;
    ad[at->ad_length] = text[0];
    memmove(text, text + 1, after - 1);
    must_reject(&moved, total - 1);
    memmove(text + 1, text, after - 1);
    text[0] = ad[at->ad_length];
}

static void must_reject_tag(const struct shape *at, const uint8_t *right, const uint8_t *tag)
{
    if (memcmp(tag, right, TAG)) must_reject(at, PACKET(at->length));
}

/* What the call is given, again and again, instead of the tag. */
static void tag_of_input(const struct shape *at, const uint8_t *right, const char *name, const uint8_t *input,
                         size_t count)
{
    uint8_t *tag = packet + TAG_AT(at->length);
    if (!count) return;
    harness_case("length %zu, the %s as tag", at->length, name);
    for (size_t i = 0; i < TAG; i++) tag[i] = input[i % count];
    must_reject_tag(at, right, tag);
}

/* Tags that code might take for "no tag", and the right one in another form. */
static void special_tags(const struct shape *at)
{
    uint8_t kept[TAG], *tag = packet + TAG_AT(at->length);
    memcpy(kept, tag, TAG);
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("length %zu, a tag of bytes %d", at->length, byte);
        memset(tag, byte, TAG);
        must_reject_tag(at, kept, tag);
    }
    harness_case("length %zu, the tag backwards", at->length);
    for (size_t i = 0; i < TAG; i++) tag[i] = kept[TAG - 1 - i];
    must_reject_tag(at, kept, tag);
    harness_case("length %zu, every bit of the tag changed", at->length);
    for (size_t i = 0; i < TAG; i++) tag[i] = (uint8_t)~kept[i];
    must_reject_tag(at, kept, tag);
    tag_of_input(at, kept, "key", key, crypto_aead_KEYBYTES);
    tag_of_input(at, kept, "nonce", nonce, crypto_aead_NONCEBYTES);
    tag_of_input(at, kept, "plaintext", plain, at->length);
    memcpy(tag, kept, TAG);
}

/* Every bit of `bytes` matters: all are tried with packets of EVERY_BIT bytes, one of each byte with others. */
static void changed_bits(const struct shape *at, const char *name, uint8_t *bytes, size_t count)
{
    const size_t tries = at->length == EVERY_BIT ? 8 : 1;
    for (size_t i = 0; i < tries * count; i++) {
        const size_t byte = i / tries;
        const uint8_t bit = tries == 8 ? (uint8_t)(1u << i % 8) : random_bit();
        harness_case("length %zu, %s byte %zu changed", at->length, name, byte);
        bytes[byte] ^= bit;
        must_reject(at, PACKET(at->length));
        bytes[byte] ^= bit;
    }
}

/* What anybody can encrypt, with a key of zeroes, is not accepted under another key. */
static void key_of_zeroes(const struct shape *at)
{
    uint8_t kept[crypto_aead_KEYBYTES + 1];
    memcpy(kept, key, crypto_aead_KEYBYTES);
    harness_case("length %zu, a packet under a key of zeroes", at->length);
    memset(key, 0, crypto_aead_KEYBYTES);
    expand_key();
    encrypt(at);
    memcpy(key, kept, crypto_aead_KEYBYTES);
    expand_key();
    must_reject(at, PACKET(at->length));
}

static void forgeries(const struct shape *at)
{
    const size_t total = PACKET(at->length);
    for (size_t i = 0; i < total; i++) {
        const uint8_t bit = (uint8_t)(1u << (prng_word() % 8));
        harness_case("length %zu, ad %zu, packet byte %zu changed", at->length, at->ad_length, i);
        packet[i] ^= bit;
        must_reject(at, total);
        packet[i] ^= bit;
    }
    if (harness_lenient) return; /* foreign trees test only changed packets */
    for (size_t cut = 1; cut <= total; cut += cut < 40 ? 1 : 61) {
        harness_case("length %zu, cut by %zu bytes", at->length, cut);
        must_reject(at, total - cut);
    }
    for (size_t more = 1; more <= 16; more += 15) {
        harness_case("length %zu, followed by %zu extra bytes", at->length, more);
        memset(packet + total, 0, more);
        must_reject(at, total + more);
    }
    changed_bits(at, "nonce", nonce, crypto_aead_NONCEBYTES);
    changed_bits(at, "associated-data", ad, at->ad_length);
    if (at->ad_length > 0) {
        struct shape shorter = *at;
        shorter.ad_length--;
        harness_case("length %zu, associated data cut", at->length);
        must_reject(&shorter, total);
        move_boundary(at);
    }
    special_tags(at);
    key_of_zeroes(at);
    encrypt(at);
    harness_case("length %zu, wrong key", at->length);
    new_key();
    must_reject(at, total);
}
