/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TAG_H
#define TAG_H

/* The trailer of a packet: the rung's MAC, truncated to 16 bytes (RFC 2104, section 5), or followed by zeros. */
#include <string.h>

#include "protocol.h"

#define MAX_MAC 64

static inline int tag_make(uint8_t *trailer, const uint8_t *in, size_t n, const uint8_t *nonce, const uint8_t *key)
{
    uint8_t tag[MAX_MAC] = {0};
    if (parts.mac->authenticate(tag, in, n, nonce, key)) return -1;
    memcpy(trailer, tag, TRAILER);
    return 0;
}

/* Returns -1 if the trailer is not the MAC of in[0 .. n - 1]. */
static inline int tag_check(const uint8_t *trailer, const uint8_t *in, size_t n, const uint8_t *nonce,
                            const uint8_t *key)
{
    uint8_t expected[TRAILER];
    if (tag_make(expected, in, n, nonce, key)) return -1;
    return same_bytes(expected, trailer, TRAILER) ? 0 : -1;
}

#endif
