/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_onetimeauth:
 *
 *   authenticate  a message of `length` bytes
 *   expandkey     one key */
#include <string.h>

#include "crypto_onetimeauth.h"
#include "timing.h"

static struct {
    crypto_onetimeauth_key *expanded, *other;
    uint8_t *message;
    uint8_t key[crypto_onetimeauth_KEYBYTES], pad[crypto_onetimeauth_PADBYTES];
    uint8_t tag[crypto_onetimeauth_TAGBYTES];
} m;

static void setup(void)
{
    m.expanded = allocate(crypto_onetimeauth_key_size, 0);
    m.other = allocate(crypto_onetimeauth_key_size, 0);
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.key, sizeof m.key);
    prng_fill(m.pad, sizeof m.pad);
    crypto_onetimeauth_expandkey(m.expanded, m.key);
}

static void renew(uint8_t *message, uint64_t length)
{
    prng_fill(m.pad, sizeof m.pad);
    freshen(message, length);
}

/* Adds an authenticator under a new key, because the bytes of an expanded key are the implementation's own. */
static void try_key(void)
{
    static const uint8_t message[16] = {1};
    crypto_onetimeauth_authenticate(m.tag, message, sizeof message, m.pad, m.other);
    timed_output(m.tag, sizeof m.tag);
}

int operation_measure(struct sample *sample)
{
    if (!m.expanded) setup();
    placed(PLACED_KEY, m.expanded, crypto_onetimeauth_key_size);
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    placed(PLACED_OUTPUT, m.tag, sizeof m.tag);
    uint8_t *message = m.message + sample->alignment;
    prng_fill(message, (size_t)sample->length);
    prng_fill(m.pad, sizeof m.pad);
    if (!strcmp(sample->measure, "expandkey")) {
        placed(PLACED_KEY, m.key, crypto_onetimeauth_KEYBYTES);
        placed(PLACED_INPUT, NULL, 0);
        placed(PLACED_OUTPUT, m.other, crypto_onetimeauth_key_size);
    }
    if (!strcmp(sample->measure, "authenticate"))
        TIME_CHECKED(sample, renew(message, sample->length),
                     crypto_onetimeauth_authenticate(m.tag, message, sample->length, m.pad, m.expanded),
                     timed_output(m.tag, sizeof m.tag));
    else if (!strcmp(sample->measure, "expandkey"))
        TIME_CHECKED(sample, prng_fill(m.key, sizeof m.key), crypto_onetimeauth_expandkey(m.other, m.key), try_key());
    else
        return -1;
    return 0;
}
