/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PADDING_H
#define PADDING_H

/* Padding to whole blocks (RFC 5652, section 6.3): each byte is the number of padding bytes. A mode without blocks
 * needs none. */
#include <string.h>

#include "protocol.h"

static inline size_t padded_bytes(size_t n, size_t block)
{
    return block > 1 ? (n / block + 1) * block : n;
}

static inline void pad(uint8_t *text, size_t n, size_t block)
{
    if (block > 1) memset(text + n, (int)(padded_bytes(n, block) - n), padded_bytes(n, block) - n);
}

/* Returns the bytes without padding, or 0 if the padding is malformed. */
static inline size_t unpadded(const uint8_t *text, size_t n, size_t block)
{
    if (block <= 1) return n;
    const size_t padding = n ? text[n - 1] : 0;
    if (padding == 0 || padding > block || padding >= n) return 0;
    for (size_t i = 1; i <= padding; i++)
        if (text[n - i] != padding) return 0;
    return n - padding;
}

#endif
