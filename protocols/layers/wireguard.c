/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets in the form of WireGuard's transport data (Donenfeld, "WireGuard", 2017, section 5.4.6), with any AEAD:
 *
 *   packet = type 4, 3 zeros, receiver (4), counter (8) || tag || ciphertext of the message, padded to 16 bytes
 *
 * The message says itself how long it is, as an IP packet does. */
#include <string.h>

#include "sealed.h"

#define START 16
#define BLOCK 16
#define RECEIVER 0x52504331u

static void start_put(uint8_t *packet, uint64_t counter)
{
    put_le(packet, 4, 4);
    put_le(packet + 4, RECEIVER, 4);
    put_le(packet + 8, counter, 8);
}

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    const size_t padded = (n + BLOCK - 1) / BLOCK * BLOCK;
    const uint64_t counter = end->sent++;
    uint8_t *text = packet + START + parts.aead->tag_bytes; /* in place */
    start_put(packet, counter);
    layer_copy(text, message, n);
    memset(text + n, 0, padded - n);
    const size_t sealed = aead_seal(packet + START, text, padded, NULL, 0, counter, end->send.aead);
    return sealed ? START + sealed : 0;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    uint8_t expected[START];
    if (size < START) return 0;
    const uint64_t counter = get_le(packet + 8, 8);
    start_put(expected, counter);
    if (memcmp(expected, packet, START) || !window_accepts(&end->window, counter)) return 0;
    const size_t padded = aead_unseal(message, packet + START, size - START, NULL, 0, counter, end->receive.aead);
    if (padded < 4) return 0;
    window_note(&end->window, counter);
    const size_t n = 4 + (size_t)get_le(message, 4);
    return n <= padded ? n : padded;
}

LAYER(wireguard) = {.name = "wireguard", .datagrams = 1, .overhead = START + BLOCK + 128, .seal = seal, .unseal = unseal};
