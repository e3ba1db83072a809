/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef PACKET_ORDER_H
#define PACKET_ORDER_H

/* Packets of different APIs in one order. Ours begin with the tag. Those of foreign APIs (crypto_aead_TEXT is 0) end
 * with it, as in RFC 5116; what they compute is compared with ours, and with published vectors, after the tag has been
 * moved to the front. A foreign scheme that puts its tag elsewhere loses nothing: all its packets are changed alike. */
#include <string.h>

#include "crypto_aead.h"

static inline void tag_to_front(uint8_t *packet, size_t bytes)
{
    uint8_t tag[crypto_aead_TAGBYTES + 1]; /* a size may be 0 */
    if (bytes < crypto_aead_TAGBYTES) return;
    const size_t rest = bytes - crypto_aead_TAGBYTES;
    memcpy(tag, packet + rest, crypto_aead_TAGBYTES);
    memmove(packet + crypto_aead_TAGBYTES, packet, rest);
    memcpy(packet, tag, crypto_aead_TAGBYTES);
}

static inline void tag_to_end(uint8_t *packet, size_t bytes)
{
    uint8_t tag[crypto_aead_TAGBYTES + 1];
    if (bytes < crypto_aead_TAGBYTES) return;
    const size_t rest = bytes - crypto_aead_TAGBYTES;
    memcpy(tag, packet, crypto_aead_TAGBYTES);
    memmove(packet, packet + crypto_aead_TAGBYTES, rest);
    memcpy(packet + rest, tag, crypto_aead_TAGBYTES);
}

/* From the order of the implementation to tag || ciphertext, and back. */
static inline void tag_first(uint8_t *packet, size_t bytes)
{
    if (!crypto_aead_TEXT) tag_to_front(packet, bytes);
}

static inline void as_implemented(uint8_t *packet, size_t bytes)
{
    if (!crypto_aead_TEXT) tag_to_end(packet, bytes);
}

/* From the order of the implementation to ciphertext || tag, and back. */
static inline void tag_last(uint8_t *packet, size_t bytes)
{
    if (crypto_aead_TEXT) tag_to_end(packet, bytes);
}

static inline void from_tag_last(uint8_t *packet, size_t bytes)
{
    if (crypto_aead_TEXT) tag_to_front(packet, bytes);
}

#endif
