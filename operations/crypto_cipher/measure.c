/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_cipher:
 *
 *   encrypt    `length` bytes (a multiple of BLOCKBYTES), with a new
 *              initialisation vector each time
 *   decrypt    the same number of bytes
 *   expandkey  one key */
#include <string.h>

#include "crypto_cipher.h"
#include "timing.h"

static struct {
    crypto_cipher_key *expanded, *other;
    uint8_t *in, *out, *key, *iv;
    uint8_t *block, *nothing; /* what a new key encrypts, and a block of zeroes */
} m;

static void expand(crypto_cipher_key *expanded, const uint8_t *key)
{
    if (crypto_cipher_expandkey(expanded, key)) harness_fail(VALID_REJECTED, "expandkey rejects a valid key");
}

static void setup(void)
{
    m.expanded = allocate(crypto_cipher_key_size, 0);
    m.other = allocate(crypto_cipher_key_size, 0);
    m.in = allocate((size_t)max_length(), 64);
    m.out = allocate((size_t)max_length(), 64);
    m.key = allocate(crypto_cipher_KEYBYTES, 128);
    m.iv = allocate(crypto_cipher_IVBYTES, 257);
    m.block = allocate(crypto_cipher_BLOCKBYTES, 320);
    m.nothing = allocate(crypto_cipher_BLOCKBYTES, 384);
    prng_fill(m.key, crypto_cipher_KEYBYTES);
    expand(m.expanded, m.key);
}

/* Adds what a new key encrypts, because the bytes of an expanded key are the implementation's own. */
static void try_key(const crypto_cipher_key *key)
{
    (void)crypto_cipher_encrypt(m.block, m.nothing, crypto_cipher_BLOCKBYTES, m.iv, key);
    timed_output(m.block, crypto_cipher_BLOCKBYTES);
}

static void expandkey(struct sample *s)
{
    uint8_t *const key = m.key;
    placed(PLACED_KEY, key, crypto_cipher_KEYBYTES);
    placed(PLACED_INPUT, NULL, 0);
    placed(PLACED_OUTPUT, m.other, crypto_cipher_key_size);
#ifdef crypto_cipher_RELEASES
    TIME_CHECKED(
        s, prng_fill(key, crypto_cipher_KEYBYTES),
        {
            expand(m.other, key);
            crypto_cipher_release(m.other);
        },
        (void)try_key);
#else
    prng_fill(m.iv, crypto_cipher_IVBYTES);
    TIME_CHECKED(s, prng_fill(key, crypto_cipher_KEYBYTES), crypto_cipher_expandkey(m.other, key), try_key(m.other));
#endif
}

static void finished(const struct sample *s, int refused)
{
    if (refused) harness_fail(VALID_REJECTED, "rejects a valid length while being timed");
    timed_output(m.out + s->alignment, (size_t)s->length);
}

static void encrypt(struct sample *s)
{
    int refused = 0;
    uint8_t *out = m.out + s->alignment, *in = m.in + s->alignment, *const iv = m.iv;
    prng_fill(in, (size_t)s->length);
    TIME_CHECKED(s, (prng_fill(iv, crypto_cipher_IVBYTES), freshen(in, s->length)),
                 refused = crypto_cipher_encrypt(out, in, s->length, iv, m.expanded), finished(s, refused));
}

static void decrypt(struct sample *s)
{
    int refused = 0;
    uint8_t *out = m.out + s->alignment, *in = m.in + s->alignment, *const iv = m.iv;
    prng_fill(in, (size_t)s->length);
    TIME_CHECKED(s, (prng_fill(iv, crypto_cipher_IVBYTES), freshen(in, s->length)),
                 refused = crypto_cipher_decrypt(out, in, s->length, iv, m.expanded), finished(s, refused));
}

int operation_measure(struct sample *sample)
{
    if (!m.expanded) setup();
    placed(PLACED_KEY, m.expanded, crypto_cipher_key_size);
    placed(PLACED_INPUT, m.in + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.out + sample->alignment, (size_t)sample->length);
    if (!strcmp(sample->measure, "encrypt"))
        encrypt(sample);
    else if (!strcmp(sample->measure, "decrypt"))
        decrypt(sample);
    else if (!strcmp(sample->measure, "expandkey"))
        expandkey(sample);
    else
        return -1;
    return 0;
}
