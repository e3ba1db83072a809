/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_aead:
 *
 *   encrypt    one packet
 *   decrypt    one valid packet
 *   reject     the same with one bit of its tag changed
 *   expandkey  one key
 *   replay-NAME-encrypt, -decrypt, -reject  the same between packets of a mix (replay.h)
 *
 * With keys > 1, each packet is under a random one of `keys` expanded keys, all of
 * them active: the caches hold what is left of the pool after all of it was read.
 *
 * With one key, a packet to be decrypted is encrypted just before the timing. With
 * many, that would put its key into the caches, and many keys would cost a receiver
 * nothing. So the packets of a series are encrypted before the pool is read, each
 * under its own random key, and copied, untimed, to the place of a single packet:
 * packet and nonce are in the caches, as in a series with one key, the key is as
 * cold as for encrypt.
 *
 * Every packet has a different nonce, because a CPU learns the table look-ups of a repeated
 * keystream and is faster the second time. Keys, plaintexts and associated data are deterministic. */
#include <string.h>

#include "crypto_aead.h"
#include "inputs.h"
#include "mix.h"
#include "packet_order.h"

#define TRIAL 16 /* bytes that a new key encrypts */

static struct {
    uint64_t expanded; /* number of expanded keys in the pool */
    crypto_aead_key *pool;
    uint8_t *plaintext, *packet, *ad, *opened;
    struct inputs packets; /* for a receiver with many keys or a mix, and their keys and nonces */
    uint64_t packet_key[MAX_INPUTS]; /* number in the pool */
    uint8_t *packet_nonces;
    uint8_t *nonce, *key;
    uint8_t *trial; /* a packet under a new key */
} m;

static crypto_aead_key *pool_key(uint64_t number)
{
    return (void *)((uint8_t *)m.pool + number * crypto_aead_key_size);
}

static uint8_t *packet_nonce(unsigned number)
{
    return m.packet_nonces + number * (crypto_aead_NONCEBYTES + 1);
}

static void next_nonce(void)
{
    prng_fill(m.nonce, crypto_aead_NONCEBYTES);
}

static void expand(crypto_aead_key *expanded, const uint8_t *key)
{
    if (crypto_aead_expandkey(expanded, key)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
}

static void setup(void)
{
    const size_t length = (size_t)max_length(), ad_length = (size_t)max_ad_length();
    m.pool = allocate((size_t)max_keys() * crypto_aead_key_size, 0);
    m.plaintext = allocate(length, 64);
    m.packet = allocate(crypto_aead_PADDEDBYTES(length) + crypto_aead_TAGBYTES, 64);
    inputs_open(&m.packets, crypto_aead_PADDEDBYTES(length) + crypto_aead_TAGBYTES);
    m.opened = allocate(crypto_aead_PADDEDBYTES(length) + crypto_aead_ROOM, 64);
    m.ad = allocate(ad_length, 64);
    m.nonce = allocate(crypto_aead_NONCEBYTES, 128);
    m.key = allocate(crypto_aead_KEYBYTES, 257);
    m.trial = allocate(crypto_aead_PADDEDBYTES(TRIAL) + crypto_aead_TAGBYTES, 320);
    m.packet_nonces = allocate(MAX_INPUTS * (crypto_aead_NONCEBYTES + 1), 384);
    prng_fill(m.plaintext, length);
    prng_fill(m.ad, ad_length);
    prng_fill(m.nonce, crypto_aead_NONCEBYTES);
}

static void pool_fill(uint64_t keys)
{
    for (; m.expanded < keys; m.expanded++) {
        prng_seed_shared(m.expanded);
        prng_fill(m.key, crypto_aead_KEYBYTES);
        expand(pool_key(m.expanded), m.key);
    }
}

/* Reads every expanded key once, so that the caches are as after long use. */
static void pool_touch(uint64_t keys)
{
    const volatile uint8_t *bytes = (const volatile uint8_t *)m.pool;
    for (size_t i = 0; i < keys * crypto_aead_key_size; i += 64) (void)bytes[i];
}

/* Spoils the packet: it may move the tag. */
static void encrypted(uint8_t *packet, size_t bytes)
{
    tag_first(packet, bytes);
    timed_output(packet, bytes);
}

static void encrypt(struct sample *s)
{
    const uint8_t *in = m.plaintext + s->alignment;
    uint8_t *out = m.packet + s->output_alignment;
    const size_t bytes = crypto_aead_PADDEDBYTES(s->length) + crypto_aead_TAGBYTES;
    const crypto_aead_key *key = m.pool;
    const uint8_t *const nonce = m.nonce;
    placed(PLACED_KEY, key, crypto_aead_key_size);
    placed(PLACED_INPUT, in, (size_t)s->length);
    placed(PLACED_OUTPUT, out, (size_t)crypto_aead_PADDEDBYTES(s->length) + crypto_aead_TAGBYTES);
    if (s->keys == 1) {
        TIME_CHECKED(s, next_nonce(), crypto_aead_encrypt(out, in, s->length, m.ad, s->ad_length, nonce, key),
                     encrypted(out, bytes));
    } else {
        pool_touch(s->keys);
        TIME_CHECKED(s, (next_nonce(), key = pool_key(prng_word() % s->keys)),
                     crypto_aead_encrypt(out, in, s->length, m.ad, s->ad_length, nonce, key), encrypted(out, bytes));
    }
}

static void seal(const struct sample *s, const crypto_aead_key *key, uint8_t damage)
{
    uint8_t *packet = m.packet + s->alignment;
    size_t bytes = crypto_aead_PADDEDBYTES(s->length) + crypto_aead_TAGBYTES;
    next_nonce();
    if (!input_given(packet, bytes, &bytes)) {
        if (crypto_aead_encrypt(packet, m.plaintext + s->alignment, s->length, m.ad, s->ad_length, m.nonce, key))
            harness_fail(VALID_REJECTED, "encrypt rejects valid input");
        input_made(packet, bytes);
    }
    packet[0] ^= timing_is_decoy ? 0 : damage;
}

/* Checks a verdict, and what was decrypted: a forgery must be rejected, a packet opened to its plaintext. */
static void opened(const struct sample *s, int verdict, uint8_t damage)
{
    if (damage && !timing_is_decoy) {
        timed_verdict(verdict != 0, "decrypt accepts a forgery");
        return;
    }
    timed_verdict(verdict == 0, "decrypt rejects a valid packet");
    timed_output(m.opened + s->output_alignment, (size_t)s->length);
    timed_verdict(!memcmp(m.opened + s->output_alignment, m.plaintext + s->alignment, (size_t)s->length),
                  "decrypt returns another plaintext");
}

/* Spoils what an earlier call has decrypted. */
static void close_again(const struct sample *s)
{
    memset(m.opened + s->output_alignment, 0xa5, (size_t)s->length);
}

/* Makes one of the packets that a series under many keys decrypts. */
static void seal_and_keep(const struct sample *s, uint64_t packet_bytes, uint8_t damage)
{
    const unsigned i = m.packets.count;
    m.packet_key[i] = prng_word() % s->keys;
    seal(s, pool_key(m.packet_key[i]), damage);
    memcpy(packet_nonce(i), m.nonce, crypto_aead_NONCEBYTES);
    inputs_keep(&m.packets, m.packet + s->alignment, packet_bytes);
}

/* Copies the next of those packets to `packet`; returns its index. */
static unsigned take_packet(uint8_t *packet)
{
    const unsigned i = inputs_index(&m.packets);
    (void)inputs_next(&m.packets, packet);
    return i;
}

static void decrypt(struct sample *s, uint8_t damage)
{
    uint8_t *packet = m.packet + s->alignment, *out = m.opened + s->output_alignment;
    const uint64_t length = crypto_aead_PADDEDBYTES(s->length) + crypto_aead_TAGBYTES;
    placed(PLACED_KEY, m.pool, crypto_aead_key_size);
    placed(PLACED_INPUT, packet, (size_t)length);
    placed(PLACED_OUTPUT, out, (size_t)s->length);
    const uint8_t *nonce = m.nonce;
    int verdict = 0;
    if (s->keys == 1) {
        if (damage) series_with_decoy(s);
        TIME_CHECKED(s, (close_again(s), freshen(m.plaintext + s->alignment, s->length), seal(s, m.pool, damage)),
                     verdict = crypto_aead_decrypt(out, packet, length, m.ad, s->ad_length, nonce, m.pool),
                     opened(s, verdict, damage));
    } else {
        const crypto_aead_key *key = m.pool;
        unsigned i;
        if (damage) series_with_decoy(s);
        MAKE_INPUTS(&m.packets, s, seal_and_keep(s, length, damage));
        pool_touch(s->keys);
        TIME_CHECKED(s,
                     (close_again(s), i = take_packet(packet), packet[0] ^= timing_is_decoy ? damage : 0,
                      key = pool_key(m.packet_key[i]), nonce = packet_nonce(i)),
                     verdict = crypto_aead_decrypt(out, packet, length, m.ad, s->ad_length, nonce, key),
                     opened(s, verdict, damage));
    }
}

/* Adds what a new key encrypts, because the bytes of an expanded key are the implementation's own. */
static void try_key(const crypto_aead_key *key)
{
    static uint8_t nothing[TRIAL];
    next_nonce();
    (void)crypto_aead_encrypt(m.trial, nothing, TRIAL, nothing, 0, m.nonce, key);
    encrypted(m.trial, crypto_aead_PADDEDBYTES(TRIAL) + crypto_aead_TAGBYTES);
}

static void expandkey(struct sample *s)
{
    uint8_t *const key = m.key;
    placed(PLACED_KEY, key, crypto_aead_KEYBYTES);
    static crypto_aead_key *storage;
    if (!storage) storage = allocate(crypto_aead_key_size, 0);
    crypto_aead_key *const one = storage;
#ifdef crypto_aead_RELEASES
    TIME_CHECKED(
        s, prng_fill(key, crypto_aead_KEYBYTES),
        {
            expand(one, key);
            crypto_aead_release(one);
        },
        (void)try_key);
#else
    TIME_CHECKED(s, prng_fill(key, crypto_aead_KEYBYTES), crypto_aead_expandkey(one, key), try_key(one));
#endif
}

#include "replay.h"

int operation_measure(struct sample *sample)
{
    if (!m.pool) setup();
    const uint64_t seed = prng_word();
    pool_fill(sample->keys);
    prng_seed(seed); /* whether or not the pool has grown */
    prng_fill(m.plaintext + sample->alignment, (size_t)sample->length);
    if (!strcmp(sample->measure, "encrypt"))
        encrypt(sample);
    else if (!strcmp(sample->measure, "decrypt"))
        decrypt(sample, 0);
    else if (!strcmp(sample->measure, "reject"))
        decrypt(sample, 1);
    else if (!strcmp(sample->measure, "expandkey"))
        expandkey(sample);
    else
        return strncmp(sample->measure, "replay-", 7) ? -1 : replay(sample);
    return 0;
}
