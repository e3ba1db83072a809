/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bits of a string in random order, each once: first one bit of every byte, then another one of every byte, and so
 * on. So a test that has no time for all of them has changed every byte. How often it goes on draws no random words. */
#ifndef BIT_ORDER_H
#define BIT_ORDER_H

#include "harness.h"

struct bit_order {
    size_t bytes, step, start; /* the bytes come in steps of `step`, which has no divisor in common with their number */
    uint64_t bits; /* which bit of each byte is the first */
};

static inline size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        const size_t rest = a % b;
        a = b, b = rest;
    }
    return a;
}

/* Draws the order for a string of `bytes` bytes, at least one. */
static inline struct bit_order random_bit_order(size_t bytes)
{
    struct bit_order order = {.bytes = bytes, .start = (size_t)(prng_word() % bytes), .bits = prng_word() | 1};
    do order.step = 1 + (size_t)(prng_word() % bytes);
    while (common_divisor(order.step, bytes) != 1);
    return order;
}

/* The byte of the bit with this number, below 8 * bytes. */
static inline size_t byte_of(const struct bit_order *order, size_t number)
{
    return (order->start + number % order->bytes * order->step) % order->bytes;
}

/* Changes the bit with this number, or changes it back. */
static inline void flip(const struct bit_order *order, size_t number, uint8_t *bytes)
{
    const size_t byte = byte_of(order, number);
    bytes[byte] ^= (uint8_t)(1u << (number / order->bytes + (order->bits * (2 * byte + 1) >> 61)) % 8);
}

#endif
