/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A layer that protects nothing: sequence number, window, framing, buffers and a trailer, around identity functions
 * behind the same pointers as a primitive. It is the control that tells the cost of a layer from that of cryptography.
 *
 *   packet = header || message || 16 bytes of trailer */
#include <string.h>

#include "protocol.h"

static int identity_tag(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *nonce, const uint8_t *key)
{
    (void)in, (void)n, (void)nonce, (void)key;
    memset(out, 0, TRAILER);
    return 0;
}

static int identity(uint8_t *out, const uint8_t *in, uint64_t n, const uint8_t *iv, const void *state)
{
    (void)iv, (void)state;
    layer_copy(out, in, n);
    return 0;
}

/* Not constant for the compiler, so that the calls stay indirect. */
static const struct mac no_mac = {.bytes = TRAILER, .authenticate = identity_tag};
static const struct cipher no_cipher = {.block_bytes = 1, .encrypt = identity, .decrypt = identity};
static const struct mac *volatile mac = &no_mac;
static const struct cipher *volatile cipher = &no_cipher;

static size_t seal(struct end *end, uint8_t *packet, const uint8_t *message, size_t n)
{
    uint8_t nonce[MAX_NONCE];
    uint64_t sequence;
    const size_t size = HEADER + n + TRAILER;
    header_put(end, packet, size, &sequence);
    nonce_of(nonce, sequence);
    if (cipher->encrypt(packet + HEADER, message, n, nonce, NULL)) return 0;
    if (mac->authenticate(packet + HEADER + n, packet, HEADER + n, nonce, NULL)) return 0;
    return size;
}

static size_t unseal(struct end *end, uint8_t *message, const uint8_t *packet, size_t size)
{
    uint8_t nonce[MAX_NONCE], tag[TRAILER];
    uint64_t sequence;
    if (size < HEADER + TRAILER || header_get(end, packet, size, &sequence)) return 0;
    const size_t n = size - HEADER - TRAILER;
    nonce_of(nonce, sequence);
    if (mac->authenticate(tag, packet, HEADER + n, nonce, NULL)) return 0;
    if (!same_bytes(tag, packet + HEADER + n, TRAILER)) return 0;
    if (cipher->decrypt(message, packet + HEADER, n, nonce, NULL)) return 0;
    window_note(&end->window, sequence);
    return n;
}

LAYER(null) = {.name = "null", .overhead = HEADER + TRAILER, .seal = seal, .unseal = unseal};
