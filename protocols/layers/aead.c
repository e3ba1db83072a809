/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Authenticated encryption in one call; the nonce is the sequence number, the header is associated data. An AEAD that
 * takes none protects the header, too: its length is compared with the packet's, and its sequence number is the nonce.
 *
 *   packet = header || tag || ciphertext */
#include "sealed.h"

static size_t ad_bytes(void)
{
    return parts.aead->takes_ad ? HEADER : 0;
}

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    uint64_t sequence;
    const size_t size = HEADER + parts.aead->tag_bytes + (size_t)parts.aead->padded(n);
    header_put(end, packet, size, &sequence);
    return aead_seal(packet + HEADER, message, n, packet, ad_bytes(), sequence, end->send.aead) ? size : 0;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    uint64_t sequence;
    if (size < HEADER || header_get(end, packet, size, &sequence)) return 0;
    const size_t n =
        aead_unseal(message, packet + HEADER, size - HEADER, packet, ad_bytes(), sequence, end->receive.aead);
    if (n) window_note(&end->window, sequence);
    return n;
}

LAYER(aead) = {.name = "aead", .overhead = HEADER + 128, .seal = seal, .unseal = unseal};
