/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the layers share: the header, the window of sequence numbers, bytes in order. */
#include <string.h>

#include "protocol.h"
#include "session.h"

#define WINDOW 64

int window_accepts(const struct window *window, uint64_t sequence)
{
    if (!window->started || sequence > window->highest) return 1;
    const uint64_t age = window->highest - sequence;
    return age < WINDOW && !(window->seen >> age & 1);
}

void window_note(struct window *window, uint64_t sequence)
{
    if (!window->started || sequence > window->highest) {
        const uint64_t ahead = window->started ? sequence - window->highest : WINDOW;
        window->seen = ahead < WINDOW ? window->seen << ahead | 1 : 1;
        window->highest = sequence;
        window->started = 1;
    } else {
        window->seen |= UINT64_C(1) << (window->highest - sequence);
    }
}

void put_le(uint8_t *out, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> 8 * i);
}

uint64_t get_le(const uint8_t *in, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)in[i] << 8 * i;
    return value;
}

void header_put(struct end *end, uint8_t *packet, size_t n, uint64_t *sequence)
{
    *sequence = end->sent++;
    put_le(packet, n - 4, 4);
    put_le(packet + 4, *sequence, 8);
}

int header_get(const struct end *end, const uint8_t *packet, size_t n, uint64_t *sequence)
{
    *sequence = get_le(packet + 4, 8);
    return get_le(packet, 4) == n - 4 && window_accepts(&end->window, *sequence) ? 0 : -1;
}

void layer_copy(uint8_t *out, const uint8_t *in, size_t n)
{
    account->copied += n;
    memcpy(out, in, n);
}

int same_bytes(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < n; i++) difference |= a[i] ^ b[i];
    return difference == 0;
}

void nonce_of(uint8_t *nonce, uint64_t sequence)
{
    memset(nonce, 0, MAX_NONCE);
    put_le(nonce, sequence, 8);
}
