/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures of crypto_onetimeauth:
 *
 *   authenticate  a message of `length` bytes
 *   expandkey     one key */
#include <string.h>

#include "crypto_onetimeauth.h"
#include "timing.h"

static struct {
    crypto_onetimeauth_key *expanded;
    uint8_t *message;
    uint8_t key[crypto_onetimeauth_KEYBYTES], pad[crypto_onetimeauth_PADBYTES];
    uint8_t tag[crypto_onetimeauth_TAGBYTES];
} m;

static void setup(void)
{
    m.expanded = allocate(sizeof *m.expanded, 0);
    m.message = allocate((size_t)max_length(), 64);
    prng_fill(m.message, (size_t)max_length());
    prng_fill(m.key, sizeof m.key);
    prng_fill(m.pad, sizeof m.pad);
    crypto_onetimeauth_expandkey(m.expanded, m.key);
}

int operation_measure(struct sample *sample)
{
    if (!m.expanded) setup();
    placed(PLACED_KEY, m.expanded, sizeof *m.expanded);
    placed(PLACED_INPUT, m.message + sample->alignment, (size_t)sample->length);
    if (!strcmp(sample->measure, "authenticate"))
        TIME_SERIES(
            sample, (void)0,
            crypto_onetimeauth_authenticate(m.tag, m.message + sample->alignment, sample->length, m.pad, m.expanded));
    else if (!strcmp(sample->measure, "expandkey"))
        TIME_SERIES(sample, prng_fill(m.key, sizeof m.key), crypto_onetimeauth_expandkey(m.expanded, m.key));
    else
        return -1;
    return 0;
}
