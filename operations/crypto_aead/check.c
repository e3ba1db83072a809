/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The property tests of crypto_aead: round trip, in place, determinism, every forgery rejected and
 * no plaintext of it released, and no byte written outside the buffers. */
#include <inttypes.h>
#include <string.h>

#include "crypto_aead.h"
#include "checked_call.h"

/* Every call is checked for what it leaves behind. */
#define crypto_aead_expandkey checked_call(crypto_aead_expandkey)
#define crypto_aead_encrypt checked_call(crypto_aead_encrypt)
#define crypto_aead_decrypt checked_call(crypto_aead_decrypt)
#define crypto_aead_release checked_call(crypto_aead_release)

#include "check.h"
#include "packet_order.h"

#define TAG crypto_aead_TAGBYTES
#define MAX_TAG 256 /* bytes */
#define MAX_LENGTH COMPARED_MAX
#define MAX_AD_LENGTH 1100     /* in most cases; */
#define COMPARED_AD_LENGTH 576 /* every one up to this is compared */
#define LONG_AD_LENGTH 65279     /* in a few: the longest that CCM encodes in two bytes */
#define WRAPPED_AD_LENGTH 65576  /* 40 in a counter of 16 bits; as long as crypto_aead_MAXADBYTES permits */
#define PACKET(length) (crypto_aead_PADDEDBYTES(length) + TAG)
#define MAX_PACKET(length) (crypto_aead_PADDEDBYTES(length) + MAX_TAG)
#define TAG_AT(length) (crypto_aead_TEXT ? 0 : PACKET(length) - TAG)
#define UNTOUCHED 0x5a

static struct guard keys, nonces, ads, plains, packets, opens;
static crypto_aead_key *expanded;
static uint8_t *key, *nonce; /* crypto_aead_KEYBYTES and crypto_aead_NONCEBYTES bytes */
static uint8_t ad[WRAPPED_AD_LENGTH], plain[MAX_LENGTH];
static uint8_t packet[MAX_PACKET(MAX_LENGTH)], again[MAX_PACKET(MAX_LENGTH)], untouched[MAX_PACKET(MAX_LENGTH)];

void operation_info(void)
{
    crypto_aead_key *first = allocate(crypto_aead_key_size, 0), *one = allocate(crypto_aead_key_size, 0);
    const uint8_t *zeroes = allocate(crypto_aead_KEYBYTES, 0);
    harness_case("expandkey");
    /* a library may allocate at its first key what all keys use */
    if (crypto_aead_expandkey(first, zeroes)) harness_fail(VALID_REJECTED, "rejects a valid key");
    const int64_t before = memory_heap();
    if (crypto_aead_expandkey(one, zeroes)) harness_fail(VALID_REJECTED, "rejects a valid key");
    const size_t heap = (size_t)(memory_heap() - before);
    record_info("expanded_key_bytes", crypto_aead_key_size + heap);
    record_info("packet_overhead_bytes", PACKET(0)); /* the maximum, padding included */
}

static void expand_key(void)
{
    static crypto_aead_key *storage;
    if (!storage) storage = allocate_guarded(crypto_aead_key_size, "expanded key");
#ifdef crypto_aead_RELEASES
    if (expanded) crypto_aead_release(storage);
#endif
    expanded = storage;
    memset(expanded, 0xa5, crypto_aead_key_size); /* expandkey must not rely on zeroed memory */
    if (crypto_aead_expandkey(expanded, guarded_copy(&keys, key, crypto_aead_KEYBYTES, GUARD_ANY, next_edge())))
        harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
    expect_unchanged(&keys, key, "key");
}

static void new_key(void)
{
    prng_fill(key, crypto_aead_KEYBYTES);
    expand_key();
}

struct shape {
    size_t length, ad_length;
    unsigned alignment;
    enum guard_edge edge;
};

/* Encrypts `plain` into `packet` with every buffer guarded. */
static void encrypt(const struct shape *at)
{
    const uint8_t *in = guarded_copy(&plains, plain, at->length, at->alignment, at->edge);
    const uint8_t *n = guarded_copy(&nonces, nonce, crypto_aead_NONCEBYTES, GUARD_ANY, next_edge());
    const uint8_t *a = guarded_copy(&ads, ad, at->ad_length, at->alignment, at->edge);
    uint8_t *out = guard_place(&packets, PACKET(at->length), at->alignment, at->edge);
    memset(out, UNTOUCHED, PACKET(at->length));
    if (crypto_aead_encrypt(out, in, at->length, a, at->ad_length, n, expanded))
        harness_fail(VALID_REJECTED, "encrypt rejects valid input");
    guard_check(&packets, "packet");
    expect_unchanged(&plains, plain, "plaintext");
    expect_unchanged(&nonces, nonce, "nonce");
    expect_unchanged(&ads, ad, "associated data");
    memcpy(packet, out, PACKET(at->length));
}

/* Digests `packet` in the order that all implementations share. */
static void digest_packet(size_t length)
{
    memcpy(again, packet, PACKET(length));
    tag_first(again, PACKET(length));
    harness_digest(again, PACKET(length));
}

/* Decrypts `packet` (packet_length bytes) with every buffer guarded. */
static int decrypt(const struct shape *at, size_t packet_length)
{
    const size_t length = packet_length > TAG ? packet_length - TAG : 0;
    const uint8_t *in = guarded_copy(&packets, packet, packet_length, at->alignment, at->edge);
    const uint8_t *n = guarded_copy(&nonces, nonce, crypto_aead_NONCEBYTES, GUARD_ANY, next_edge());
    const uint8_t *a = guarded_copy(&ads, ad, at->ad_length, at->alignment, at->edge);
    uint8_t *out = guard_place(&opens, length + crypto_aead_ROOM, at->alignment, at->edge);
    memset(out, UNTOUCHED, length);
    const int result = verdict(crypto_aead_decrypt(out, in, packet_length, a, at->ad_length, n, expanded));
    guard_check(&opens, "plaintext");
    expect_unchanged(&packets, packet, "packet");
    expect_unchanged(&nonces, nonce, "nonce");
    expect_unchanged(&ads, ad, "associated data");
    return result;
}

/* Checks that `packet` decrypts to `plain`. */
static void decrypts(const struct shape *at)
{
    if (decrypt(at, PACKET(at->length))) harness_fail(VALID_REJECTED, "rejects its own packet");
    if (memcmp(opens.data, plain, at->length)) harness_fail(WRONG_OUTPUT, "decrypts to a different plaintext");
    const size_t padding = PACKET(at->length) - TAG - at->length;
    if (padding && opens.data[at->length + padding - 1] != padding)
        harness_fail(WRONG_OUTPUT, "decryption leaves different padding");
}

static void round_trip(const struct shape *at)
{
    encrypt(at);
    memcpy(again, packet, PACKET(at->length));
    encrypt(at);
    if (memcmp(again, packet, PACKET(at->length)))
        harness_fail(NOT_DETERMINISTIC, "two calls on the same input return different results");
    decrypts(at);
}

static void in_place(const struct shape *at)
{
#if crypto_aead_NOOVERLAP /* only a foreign API defines it */
    if (harness_lenient) return;
#define rejected_in_place(reason) return /* it does not promise to work in place */
#else
#define rejected_in_place(reason) harness_fail(VALID_REJECTED, reason)
#endif
    const uint8_t *n = guarded_copy(&nonces, nonce, crypto_aead_NONCEBYTES, GUARD_ANY, next_edge());
    const uint8_t *a = guarded_copy(&ads, ad, at->ad_length, GUARD_ANY, GUARD_BACK);
    uint8_t *both = guard_place(&packets, PACKET(at->length), at->alignment, at->edge);
    memcpy(both + crypto_aead_TEXT, plain, at->length);
    if (crypto_aead_encrypt(both, both + crypto_aead_TEXT, at->length, a, at->ad_length, n, expanded))
        rejected_in_place("encrypt rejects valid input in place");
    guard_check(&packets, "packet in place");
    if (memcmp(both, packet, PACKET(at->length))) harness_fail(WRONG_OUTPUT, "encryption differs in place");
    if (crypto_aead_decrypt(both + crypto_aead_TEXT, both, PACKET(at->length), a, at->ad_length, n, expanded))
        rejected_in_place("rejects its own packet in place");
    guard_check(&packets, "packet in place");
    if (memcmp(both + crypto_aead_TEXT, plain, at->length)) harness_fail(WRONG_OUTPUT, "decryption differs in place");
}

#include "check_forgeries.h"

static void renew(const struct shape *at)
{
    prng_fill(nonce, crypto_aead_NONCEBYTES);
    prng_fill(plain, at->length);
    prng_fill(ad, at->ad_length);
}

static void try_shape(size_t length, size_t ad_length, unsigned alignment, enum guard_edge edge)
{
    const struct shape at = {length, ad_length, alignment, edge};
    harness_case("length %zu, ad %zu, alignment %u", length, ad_length, alignment);
    renew(&at);
    round_trip(&at);
    in_place(&at);
}

static const uint16_t long_lengths[] = {
    191,  192,  193,  255,  256,  257,  319,  320,  321,  383,  384,  385,  402,  511,  512,  513,
    575,  576,  577,  639,  640,  641,  767,  768,  769,  1023, 1024, 1025, 1151, 1279, 1280, 1281,
    1500, 1535, 1536, 1537, 2047, 2048, 2049, 3000, 4095, 4096, 4097, 6001, 8191, 8192,
};

/* The length of the associated data: 0 for a system without any. */
static size_t ad_for(size_t length)
{
    const size_t lengths = length % 5 == 4 ? MAX_AD_LENGTH : 96; /* mostly short */
    return crypto_aead_ASSOCIATEDDATA ? length * 7 % lengths : 0;
}

#ifndef crypto_aead_MAXBYTES
#define crypto_aead_MAXBYTES COMPARED_MAX
#endif
#ifndef crypto_aead_MAXADBYTES
#define crypto_aead_MAXADBYTES WRAPPED_AD_LENGTH
#endif

/* Encrypts; then decrypts, and decrypts with one bit changed, for each length in another byte. Only some lengths
 * are decrypted if the primitive is slow. */
static void compare(size_t length)
{
    const struct shape at = {length, ad_for(length), GUARD_ANY, alternate_edge(length)};
    const size_t byte = length * 11 % PACKET(length);
    if (length > crypto_aead_MAXBYTES) return;
    if (length % 8 < 2) new_key(); /* lengths of the same parity follow each other */
    renew(&at);
    const uint8_t bit = random_bit();
    encrypt(&at);
    digest_packet(length);
    if (!cpu_budget_left() && length % 21) return;
    decrypts(&at);
    harness_case("length %zu, ad %zu, packet byte %zu changed", length, at.ad_length, byte);
    packet[byte] ^= bit;
    must_reject(&at, PACKET(length));
    packet[byte] ^= bit;
    if (cpu_budget_left()) in_place(&at);
}

/* Counters that overflow within the text, and texts and associated data of equal bytes. */
static void special_inputs(void)
{
    static const uint16_t lengths[] = {16, 63, 64, 65, 128, 576, 1500};
    struct shape at = {600, 0, GUARD_ANY, GUARD_BACK};
    for (size_t i = 0; i <= 2 * crypto_aead_NONCEBYTES && at.length <= crypto_aead_MAXBYTES; i++) {
        harness_case("nonce %zu of those from which a counter overflows", i);
        renew(&at);
        fill_to_overflow(nonce, crypto_aead_NONCEBYTES, i);
        encrypt(&at);
        digest_packet(at.length);
        decrypts(&at);
    }
    for (size_t i = 0; i < 2 * sizeof lengths / sizeof lengths[0]; i++) {
        at.length = lengths[i / 2], at.ad_length = crypto_aead_ASSOCIATEDDATA ? lengths[i / 2] % 100 : 0;
        if (at.length > crypto_aead_MAXBYTES) continue;
        harness_case("%zu bytes of %d", at.length, i % 2 ? 255 : 0);
        renew(&at);
        memset(plain, i % 2 ? 0xff : 0, at.length);
        memset(ad, i % 2 ? 0xff : 0, at.ad_length);
        encrypt(&at);
        digest_packet(at.length);
        decrypts(&at);
    }
    at.length = 100, at.ad_length = 0;
    for (int byte = 0; byte <= 255; byte += 255) {
        harness_case("a key of bytes %d", byte);
        memset(key, byte, crypto_aead_KEYBYTES);
        expand_key();
        renew(&at);
        encrypt(&at);
        digest_packet(at.length);
        decrypts(&at);
    }
}

#include "check_associated_data.h"
#include "check_keys.h"
#include "check_tags.h"
#include "check_similar.h"

/* All functions in turn, and a forgery. */
static void cycle(void)
{
    static crypto_aead_key *other;
    uint8_t out[PACKET(64)], back[PACKET(64)];
#ifdef crypto_aead_RELEASES
    if (!other) other = allocate(crypto_aead_key_size, 0);
    if (crypto_aead_expandkey(other, key)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
#else
    other = expanded; /* what a library allocates for a key cannot be given back */
#endif
    if (crypto_aead_encrypt(out, plain, 64, ad, 0, nonce, other))
        harness_fail(VALID_REJECTED, "encrypt rejects valid input");
    if (crypto_aead_decrypt(back, out, sizeof out, ad, 0, nonce, other))
        harness_fail(VALID_REJECTED, "rejects its own packet");
    out[TAG_AT(64)] ^= 1;
    if (!crypto_aead_decrypt(back, out, sizeof out, ad, 0, nonce, other))
        harness_fail(FORGERY_ACCEPTED, "accepts a forgery");
#ifdef crypto_aead_RELEASES
    crypto_aead_release(other);
#endif
}

static void open_all(void)
{
    if (TAG > MAX_TAG) harness_fail(HARNESS_ERROR, "a tag of more than %d bytes", MAX_TAG);
    key = allocate(crypto_aead_KEYBYTES, 0);
    nonce = allocate(crypto_aead_NONCEBYTES, 0);
    guard_open(&keys, crypto_aead_KEYBYTES, "key");
    guard_open(&nonces, crypto_aead_NONCEBYTES, "nonce");
    guard_open(&ads, WRAPPED_AD_LENGTH, "associated data");
    guard_open(&plains, MAX_LENGTH + 64, "plaintext");
    guard_open(&packets, PACKET(MAX_LENGTH) + 64, "packet");
    guard_open(&opens, PACKET(MAX_LENGTH) + 64, "plaintext");
    memset(untouched, UNTOUCHED, sizeof untouched);
}

void operation_check(void)
{
    static const uint16_t forged[] = {0, 1, 15, 16, 17, 40, 64, 100, 576};
    open_all();
    call_first(fixed_inputs, encrypt_similar, packet, PACKET(SIMILAR_TEXT));
    new_key();
    if (!harness_lenient) similar_keys();
    if (!harness_lenient) special_inputs();
    wrapped_associated_data();
    long_associated_data();
    associated_data_lengths();
    compare_lengths(compare);
    two_keys();
    for (size_t length = 0; length <= 170; length += length < 66 ? 1 : 13)
        try_shape(length, ad_for(length), GUARD_ANY, GUARD_BACK);
    for (size_t i = 0; i < sizeof long_lengths / sizeof long_lengths[0]; i += 2) {
        new_key();
        try_shape(long_lengths[i], ad_for(long_lengths[i]), GUARD_ANY, alternate_edge(i / 2));
    }
    for (unsigned alignment = 0; alignment < 64; alignment++)
        try_shape(40 + 9 * alignment, ad_for(alignment), alignment, alignment % 2 ? GUARD_BACK : GUARD_FRONT);
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        try_shape(forged[i], ad_for(forged[i] + 1u), GUARD_ANY, GUARD_BACK);
        const struct shape at = {forged[i], ad_for(forged[i] + 1u), GUARD_ANY, GUARD_BACK};
        forgeries(&at);
    }
    struct shape none = {0, 0, GUARD_ANY, GUARD_BACK};
    for (size_t length = 0; length < TAG && !harness_lenient; length++) {
        harness_case("packet of %zu bytes", length);
        must_reject(&none, length);
    }
    every_key_bit();
    if (harness_lenient) return;
    forged_tags(0);
    forged_tags(59);
    forged_tags(1500);
    forged_tags(4096);
    cancelling_tags();
    repeat_first_call(repeat_calls);
    repeat_cycle(cycle);
    similar_packets();
}

#include "answers.h"

int operation_answer(const char *verb)
{
    if (!expanded) expanded = allocate(crypto_aead_key_size, 0);
    if (!strcmp(verb, "encrypt")) return answer_encrypt(tag_first);
    if (!strcmp(verb, "decrypt")) return answer_decrypt(as_implemented);
    if (!strcmp(verb, "seal")) return answer_encrypt(tag_last);
    if (!strcmp(verb, "open")) return answer_decrypt(from_tag_last);
    return -1;
}
