/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdint.h>

#include "crypto_declassify.h"

/* A verdict that the caller is about to learn: public from here on. */
static inline __attribute__((unused)) int verdict(int value)
{
    crypto_declassify(&value, sizeof value);
    return value;
}

/* Whether two tags of so many bytes differ. All bytes are looked at whatever
 * they are: the time tells nothing of where a forged tag differs. */
static inline __attribute__((unused)) int tags_differ(const uint8_t *x, const uint8_t *y, unsigned bytes)
{
    unsigned difference = 0;
    for (unsigned i = 0; i < bytes; i++) difference |= (unsigned)(x[i] ^ y[i]);
    return verdict(difference != 0);
}

#endif
