/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets in the form of ESP's (RFC 4303; with an AEAD as in RFC 4106):
 *
 *   packet = SPI (4), sequence (4), initialisation vector (8) || tag || ciphertext of
 *            message, padding 1, 2, 3 ..., its length (1), next header (1): together a multiple of 4 bytes
 *
 * SPI and sequence number are associated data. */
#include <string.h>

#include "sealed.h"

#define START 16
#define ASSOCIATED 8
#define SPI 0x45535031u
#define NEXT_HEADER 4

static size_t padding_of(size_t n)
{
    return (4 - (n + 2) % 4) % 4;
}

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    const uint64_t sequence = end->sent++;
    const size_t padding = padding_of(n);
    uint8_t *text = packet + START + parts.aead->tag_bytes;
    put_le(packet, SPI, 4);
    put_le(packet + 4, sequence, 4);
    put_le(packet + 8, sequence, 8);
    layer_copy(text, message, n);
    for (size_t i = 0; i < padding; i++) text[n + i] = (uint8_t)(i + 1);
    text[n + padding] = (uint8_t)padding;
    text[n + padding + 1] = NEXT_HEADER;
    const size_t sealed =
        aead_seal(packet + START, text, n + padding + 2, packet, ASSOCIATED, sequence, end->send.aead);
    return sealed ? START + sealed : 0;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    if (size < START || get_le(packet, 4) != SPI) return 0;
    const uint64_t sequence = get_le(packet + 8, 8);
    if ((uint32_t)sequence != get_le(packet + 4, 4) || !window_accepts(&end->window, sequence)) return 0;
    const size_t n =
        aead_unseal(message, packet + START, size - START, packet, ASSOCIATED, sequence, end->receive.aead);
    if (n < 2 || message[n - 1] != NEXT_HEADER || message[n - 2] > n - 2) return 0;
    window_note(&end->window, sequence);
    return n - 2 - message[n - 2];
}

LAYER(esp) = {.name = "esp", .datagrams = 1, .overhead = START + 5 + 128, .seal = seal, .unseal = unseal};
