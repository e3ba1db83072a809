/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Authenticate, then encrypt: the order of Roe's experiment.
 *
 *   packet = header || E(message || MAC(header || message) || padding)
 *
 * The length in the header, which the MAC covers, is that of the packet. */
#include "padding.h"
#include "tag.h"

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    uint8_t nonce[MAX_NONCE];
    uint64_t sequence;
    const size_t block = parts.cipher->block_bytes, text = padded_bytes(n + TRAILER, block), size = HEADER + text;
    header_put(end, packet, size, &sequence);
    nonce_of(nonce, sequence);
    layer_copy(packet + HEADER, message, n);
    if (tag_make(packet + HEADER + n, packet, HEADER + n, nonce, end->send.mac)) return 0;
    pad(packet + HEADER, n + TRAILER, block);
    return parts.cipher->encrypt(packet + HEADER, packet + HEADER, text, nonce, end->send.cipher) ? 0 : size;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    uint8_t nonce[MAX_NONCE], *plain = end->scratch;
    uint64_t sequence;
    const size_t block = parts.cipher->block_bytes;
    if (size < HEADER + TRAILER || header_get(end, packet, size, &sequence)) return 0;
    if ((size - HEADER) % block) return 0;
    nonce_of(nonce, sequence);
    memcpy(plain, packet, HEADER);
    if (parts.cipher->decrypt(plain + HEADER, packet + HEADER, size - HEADER, nonce, end->receive.cipher)) return 0;
    const size_t text = unpadded(plain + HEADER, size - HEADER, block);
    if (text < TRAILER) return 0;
    const size_t n = text - TRAILER;
    if (tag_check(plain + HEADER + n, plain, HEADER + n, nonce, end->receive.mac)) return 0;
    layer_copy(message, plain + HEADER, n);
    window_note(&end->window, sequence);
    return n;
}

LAYER(mte) = {.name = "mte", .overhead = HEADER + 32 + TRAILER, .seal = seal, .unseal = unseal};
