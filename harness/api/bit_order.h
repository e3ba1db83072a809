/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bits of a string in random order, each once: first one bit of every byte, then another one of every byte, and so
 * on. So a test that has no time for all of them has changed every byte. How often it goes on draws no random words. */
#ifndef BIT_ORDER_H
#define BIT_ORDER_H

#include "harness.h"

struct bit_order {
    size_t bytes, step, start; /* the bytes come in steps of `step`, which has no divisor in common with their number */
    uint64_t bits; /* which bit of each byte is the first */
    size_t most; /* bits to try */
    double began; /* CPU time at the first of them; 0 after the time was extended */
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
    order.most = 8 * bytes;
    order.began = cpu_seconds();
    do order.step = 1 + (size_t)(prng_word() % bytes);
    while (common_divisor(order.step, bytes) != 1);
    return order;
}

/* The byte of the bit with this number, below 8 * bytes. */
static inline size_t byte_of(const struct bit_order *order, size_t number)
{
    return (order->start + number % order->bytes * order->step) % order->bytes;
}

/* The bit with this number, as a mask of its byte. */
static inline uint8_t bit_of(const struct bit_order *order, size_t number)
{
    const uint64_t turn = number / order->bytes + (order->bits * (2 * byte_of(order, number) + 1) >> 61);
    return (uint8_t)(1u << turn % 8);
}

/* Changes the bit with this number, or changes it back. */
static inline void flip(const struct bit_order *order, size_t number, uint8_t *bytes)
{
    bytes[byte_of(order, number)] ^= bit_of(order, number);
}

#define MIN_BITS 4 /* that are tried whatever the time */

/* Whether there is time for the bit with this number. When the budget of CPU time is spent, the rest of the bits, or
 * else one of every byte, are still tried if that takes at most `longest` seconds in all: a string of a few KB is not
 * left half-tried. */
static inline int time_for_bit(struct bit_order *order, size_t number, double longest)
{
    if (number >= order->most) return 0;
    if (number < MIN_BITS || cpu_budget_left()) return 1;
    if (order->began == 0) return 0;
    const double each = (cpu_seconds() - order->began) / (double)number, affordable = cpu_budget_of(longest);
    order->began = 0;
    if (each * (double)order->most > affordable && order->most > order->bytes) order->most = order->bytes;
    if (each * (double)order->most > affordable) return 0;
    cpu_budget_start(longest);
    return number < order->most;
}

#endif
