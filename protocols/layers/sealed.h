/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef SEALED_H
#define SEALED_H

/* What the layers with an AEAD share. */
#include "protocol.h"

/* Returns the bytes of the plaintext in `text`, or 0 if the AEAD pads and its padding is malformed. */
static inline size_t plaintext_bytes(const uint8_t *text, size_t n)
{
    if (!parts.aead->pads) return n;
    const size_t padding = n ? text[n - 1] : 0;
    return padding && padding < n ? n - padding : 0;
}

/* Returns the bytes of the packet of the AEAD, or 0. */
static inline size_t aead_seal(uint8_t *packet, const uint8_t *in, size_t n, const uint8_t *ad, size_t ad_n,
                               uint64_t sequence, const void *state)
{
    uint8_t nonce[MAX_NONCE];
    nonce_of(nonce, sequence);
    if (parts.aead->encrypt(packet, in, n, ad, ad_n, nonce, state)) return 0;
    return parts.aead->tag_bytes + (size_t)parts.aead->padded(n);
}

static inline size_t aead_unseal(uint8_t *out, const uint8_t *packet, size_t size, const uint8_t *ad, size_t ad_n,
                                 uint64_t sequence, const void *state)
{
    uint8_t nonce[MAX_NONCE];
    nonce_of(nonce, sequence);
    if (size < parts.aead->tag_bytes || parts.aead->decrypt(out, packet, size, ad, ad_n, nonce, state)) return 0;
    return plaintext_bytes(out, size - parts.aead->tag_bytes);
}

#endif
