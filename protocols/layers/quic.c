/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Packets in the form of QUIC's with a short header (RFC 9000, section 17.3; RFC 9001, section 5.4), with any AEAD:
 *
 *   packet = flags (1), connection (8), packet number (4) || tag || ciphertext of the message and padding
 *
 * The header is associated data. Then five of its bits and the packet number are masked by one more block, from a sample
 * of 16 bytes of ciphertext. Packets have 1200 bytes, or more if the message needs them. */
#include <string.h>

#include "sealed.h"

#define START 13
#define NUMBER 9 /* offset of the packet number */
#define PACKET 1200
#define SAMPLE 16
#define FIXED_BIT 0x43 /* and a packet number of 4 bytes */
#define CONNECTION UINT64_C(0x5143325031435552)

static void start_put(uint8_t *packet, uint64_t number)
{
    packet[0] = FIXED_BIT;
    put_le(packet + 1, CONNECTION, 8);
    for (unsigned i = 0; i < 4; i++) packet[NUMBER + i] = (uint8_t)(number >> (24 - 8 * i));
}

static void mask(uint8_t *start, const uint8_t *packet, const void *key)
{
    uint8_t masks[64];
    parts.block->encrypt(masks, packet + START + parts.aead->tag_bytes, key);
    start[0] ^= masks[0] & 0x1f;
    for (unsigned i = 0; i < 4; i++) start[NUMBER + i] ^= masks[1 + i];
}

/* The whole number, of which the packet has 32 bits: the nearest to the next one (RFC 9000, appendix A.3). */
static uint64_t whole_number(const struct window *window, const uint8_t *start)
{
    const uint64_t expected = window->started ? window->highest + 1 : 0, span = UINT64_C(1) << 32;
    uint64_t number = 0;
    for (unsigned i = 0; i < 4; i++) number = number << 8 | start[NUMBER + i];
    number |= expected & ~(span - 1);
    if (number + span / 2 <= expected) return number + span;
    return number > expected + span / 2 && number >= span ? number - span : number;
}

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    const uint64_t number = end->sent++;
    const size_t room = PACKET - START - parts.aead->tag_bytes, padded = n > room ? n : room;
    uint8_t *text = packet + START + parts.aead->tag_bytes;
    start_put(packet, number);
    layer_copy(text, message, n);
    memset(text + n, 0, padded - n);
    const size_t sealed = aead_seal(packet + START, text, padded, packet, START, number, end->send.aead);
    if (!sealed) return 0;
    mask(packet, packet, end->send.block);
    return START + sealed;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    uint8_t start[START], expected[START];
    if (size < START + parts.aead->tag_bytes + SAMPLE) return 0;
    memcpy(start, packet, START);
    mask(start, packet, end->receive.block);
    const uint64_t number = whole_number(&end->window, start);
    start_put(expected, number);
    if (memcmp(start, expected, START) || !window_accepts(&end->window, number)) return 0;
    const size_t padded = aead_unseal(message, packet + START, size - START, start, START, number, end->receive.aead);
    if (padded < 4) return 0;
    window_note(&end->window, number);
    const size_t n = 4 + (size_t)get_le(message, 4);
    return n <= padded ? n : padded;
}

LAYER(quic) = {.name = "quic", .datagrams = 1, .overhead = PACKET + 128, .seal = seal, .unseal = unseal};
