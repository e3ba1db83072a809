/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_blockcipher:
 *
 *   encrypt, decrypt              `length` blocks in one call
 *   encrypt_block, decrypt_block  one block per call, `length` calls, each on
 *                                 the previous output (as CBC encryption does)
 *   expandkey                     one key
 *
 * under a key of KEYBYTES bytes or, for measures whose names end in _longest_key, of
 * LONGESTKEYBYTES bytes. */
#include <string.h>

#include "crypto_blockcipher.h"
#include "timing.h"

#define BLOCK crypto_blockcipher_BLOCKBYTES

static struct {
    crypto_blockcipher_key *usual, *longest, *other;
    uint8_t *in, *out, key[crypto_blockcipher_LONGESTKEYBYTES], one[BLOCK];
} m;

static void expand(crypto_blockcipher_key *expanded, uint64_t key_bytes)
{
    if (crypto_blockcipher_expandkey(expanded, m.key, key_bytes))
        harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
}

static void setup(void)
{
    const size_t length = (size_t)max_length() * BLOCK;
    m.usual = allocate(crypto_blockcipher_key_size, 0);
    m.longest = allocate(crypto_blockcipher_key_size, 0);
    m.other = allocate(crypto_blockcipher_key_size, 0);
    m.in = allocate(length, 64);
    m.out = allocate(length, 64);
    prng_fill(m.key, sizeof m.key);
    expand(m.usual, crypto_blockcipher_KEYBYTES);
    expand(m.longest, crypto_blockcipher_LONGESTKEYBYTES);
}

static inline __attribute__((always_inline)) void encrypt_blocks(uint64_t calls, const crypto_blockcipher_key *key)
{
    for (uint64_t i = 0; i < calls; i++) crypto_blockcipher_encrypt(m.one, m.one, 1, key);
}

static inline __attribute__((always_inline)) void decrypt_blocks(uint64_t calls, const crypto_blockcipher_key *key)
{
    for (uint64_t i = 0; i < calls; i++) crypto_blockcipher_decrypt(m.one, m.one, 1, key);
}

/* Adds what a new key encrypts, because the bytes of an expanded key are the implementation's own. */
static void try_key(const crypto_blockcipher_key *key)
{
    uint8_t block[BLOCK] = {0};
    crypto_blockcipher_encrypt(block, block, 1, key);
    timed_output(block, BLOCK);
}

static void expandkey(struct sample *s, uint64_t key_bytes)
{
    placed(PLACED_KEY, m.key, (size_t)key_bytes);
    placed(PLACED_INPUT, NULL, 0);
    placed(PLACED_OUTPUT, m.other, crypto_blockcipher_key_size);
#ifdef crypto_blockcipher_RELEASES
    TIME_CHECKED(
        s, prng_fill(m.key, sizeof m.key),
        {
            expand(m.other, key_bytes);
            crypto_blockcipher_release(m.other);
        },
        (void)try_key);
#else
    TIME_CHECKED(s, prng_fill(m.key, sizeof m.key), crypto_blockcipher_expandkey(m.other, m.key, key_bytes),
                 try_key(m.other));
#endif
}

/* Returns the key that the measure's name selects; *base is the length of the name without that
 * suffix. */
static const crypto_blockcipher_key *key_of(const char *measure, size_t *base)
{
    const char *longest = strstr(measure, "_longest_key");
    *base = longest ? (size_t)(longest - measure) : strlen(measure);
    return longest ? m.longest : m.usual;
}

static int is(const struct sample *s, size_t base, const char *name)
{
    return base == strlen(name) && !memcmp(s->measure, name, base);
}

int operation_measure(struct sample *s)
{
    size_t base;
    if (!m.usual) setup();
    const crypto_blockcipher_key *key = key_of(s->measure, &base);
    uint8_t *in = m.in + s->alignment;
    uint8_t *out = m.out + s->alignment;
    const size_t bytes = (size_t)s->length * BLOCK;
    const int whole = is(s, base, "encrypt") || is(s, base, "decrypt");
    placed(PLACED_KEY, key, crypto_blockcipher_key_size);
    placed(PLACED_INPUT, whole ? in : m.one, whole ? bytes : BLOCK);
    placed(PLACED_OUTPUT, whole ? out : m.one, whole ? bytes : BLOCK);
    prng_fill(in, whole ? bytes : 0);
    if (is(s, base, "encrypt"))
        TIME_CHECKED(s, freshen(in, bytes), crypto_blockcipher_encrypt(out, in, s->length, key),
                     timed_output(out, bytes));
    else if (is(s, base, "decrypt"))
        TIME_CHECKED(s, freshen(in, bytes), crypto_blockcipher_decrypt(out, in, s->length, key),
                     timed_output(out, bytes));
    else if (is(s, base, "encrypt_block"))
        TIME_CHECKED(s, prng_fill(m.one, BLOCK), encrypt_blocks(s->length, key), timed_output(m.one, BLOCK));
    else if (is(s, base, "decrypt_block"))
        TIME_CHECKED(s, prng_fill(m.one, BLOCK), decrypt_blocks(s->length, key), timed_output(m.one, BLOCK));
    else if (is(s, base, "expandkey"))
        expandkey(s, key == m.longest ? crypto_blockcipher_LONGESTKEYBYTES : crypto_blockcipher_KEYBYTES);
    else
        return -1;
    return 0;
}
