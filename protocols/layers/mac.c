/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Authentication only: the null layer with a MAC in its trailer.
 *
 *   packet = header || message || MAC(header || message) */
#include "tag.h"

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    uint8_t nonce[MAX_NONCE];
    uint64_t sequence;
    const size_t size = HEADER + n + TRAILER;
    header_put(end, packet, size, &sequence);
    nonce_of(nonce, sequence);
    layer_copy(packet + HEADER, message, n);
    return tag_make(packet + HEADER + n, packet, HEADER + n, nonce, end->send.mac) ? 0 : size;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    uint8_t nonce[MAX_NONCE];
    uint64_t sequence;
    if (size < HEADER + TRAILER || header_get(end, packet, size, &sequence)) return 0;
    const size_t n = size - HEADER - TRAILER;
    nonce_of(nonce, sequence);
    if (tag_check(packet + HEADER + n, packet, HEADER + n, nonce, end->receive.mac)) return 0;
    layer_copy(message, packet + HEADER, n);
    window_note(&end->window, sequence);
    return n;
}

LAYER(mac) = {.name = "mac", .overhead = HEADER + TRAILER, .seal = seal, .unseal = unseal};
