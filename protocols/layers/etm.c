/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Encrypt, then authenticate.
 *
 *   packet = header || C = E(message || padding) || MAC(header || C) */
#include "padding.h"
#include "tag.h"

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    uint8_t nonce[MAX_NONCE];
    uint64_t sequence;
    const size_t block = parts.cipher->block_bytes, text = padded_bytes(n, block), size = HEADER + text + TRAILER;
    header_put(end, packet, size, &sequence);
    nonce_of(nonce, sequence);
    if (block > 1) { /* padding makes the text grow, so it is encrypted in the packet */
        layer_copy(packet + HEADER, message, n);
        pad(packet + HEADER, n, block);
        message = packet + HEADER;
    }
    if (parts.cipher->encrypt(packet + HEADER, message, text, nonce, end->send.cipher)) return 0;
    return tag_make(packet + HEADER + text, packet, HEADER + text, nonce, end->send.mac) ? 0 : size;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    uint8_t nonce[MAX_NONCE];
    uint64_t sequence;
    const size_t block = parts.cipher->block_bytes;
    if (size < HEADER + TRAILER || header_get(end, packet, size, &sequence)) return 0;
    const size_t text = size - HEADER - TRAILER;
    nonce_of(nonce, sequence);
    if (text % block || tag_check(packet + HEADER + text, packet, HEADER + text, nonce, end->receive.mac)) return 0;
    if (parts.cipher->decrypt(message, packet + HEADER, text, nonce, end->receive.cipher)) return 0;
    window_note(&end->window, sequence);
    return unpadded(message, text, block);
}

LAYER(etm) = {.name = "etm", .overhead = HEADER + 32 + TRAILER, .seal = seal, .unseal = unseal};
