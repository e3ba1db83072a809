/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECK_KEPT_H
#define CHECK_KEPT_H

/* Finds code that keeps something between calls: a count, or what it has computed (an expanded key, a table, a whole
 * result), so that it takes an input for a similar one before: the same but for a bit, or with the same sum, or at the
 * same address. */

#include "check.h"

#define KEPT_CASES 44
#define LEAST_KEPT_CASES 4
#define KEPT_SECONDS 0.04 /* CPU time for each input */

/* An input of a function, and what it computes from it. Both are always in the same place. */
struct kept {
    const char *name;
    uint8_t *bytes;
    size_t count;
    uint8_t *other; /* as many bytes of another input; NULL if any bytes will do, whose first bit stays as it is */
    void (*compute)(void);
    const void *result;
    size_t result_bytes;
};

static inline uint64_t sum_of_result(const struct kept *kept)
{
    return sum_of_bytes(kept->result, kept->result_bytes);
}

/* Changes every byte of an input; done twice, it is as before. */
static inline void exchange_input(const struct kept *kept)
{
    uint32_t word = 1;
    for (size_t i = 0; i < kept->count; i++) {
        const uint8_t byte = kept->bytes[i];
        word = 1664525 * word + 1013904223;
        kept->bytes[i] = kept->other ? kept->other[i] : (uint8_t)(byte ^ (word >> 24 & 0x7e) ^ 1);
        if (kept->other) kept->other[i] = byte;
    }
}

/* Computes from another input, and then from this one. */
static inline uint64_t sum_after_another(const struct kept *kept)
{
    exchange_input(kept);
    kept->compute();
    exchange_input(kept);
    kept->compute();
    return sum_of_result(kept);
}

/* One bit, or two bytes so that their sum stays the same. */
static inline struct changed_pair change_slightly(uint8_t *bytes, size_t count, unsigned number)
{
    if (number % 2) return change_together(bytes, count, number / 2 * 4 + 4);
    uint8_t *at = bytes + prng_word() % count;
    const struct changed_pair pair = {at, at, *at, *at};
    *at ^= (uint8_t)(0x80 >> number / 2 % 8);
    return pair;
}

/* Checks that what is computed from an input is the same after a similar input as after an altogether different one. */
static inline void expect_nothing_kept(const struct kept *kept)
{
    const uint64_t later = prng_word(); /* slow code takes fewer cases */
    cpu_budget_start(KEPT_SECONDS);
    for (unsigned i = 0; kept->count && i < KEPT_CASES && (i < LEAST_KEPT_CASES || cpu_budget_left()); i++) {
        harness_case("a %s that is like the one before, case %u", kept->name, i);
        kept->compute();
        const struct changed_pair pair = change_slightly(kept->bytes, kept->count, i);
        kept->compute();
        const uint64_t sum = sum_of_result(kept);
        if (sum != sum_after_another(kept)) harness_fail(WRONG_OUTPUT, "takes it for the one before");
        change_back(&pair);
    }
    kept->compute(); /* as it was */
    prng_seed(later);
}

/* The same, for an input of which any bytes will do. */
#define EXPECT_NOTHING_KEPT(name, bytes, count, compute, result, result_bytes) \
    expect_nothing_kept(&(const struct kept){name, bytes, count, NULL, compute, result, result_bytes})

/* A call with inputs that never change. */
struct fixed_call {
    void (*prepare)(void), (*compute)(void);
    const void *result;
    size_t result_bytes;
};

static struct fixed_call fixed_call;
static uint64_t sum_at_first;

static inline uint64_t sum_of_fixed_call(void)
{
    fixed_call.compute();
    return sum_of_bytes(fixed_call.result, fixed_call.result_bytes);
}

static inline void call_again(void)
{
    if (sum_of_fixed_call() != sum_at_first)
        harness_fail(NOT_DETERMINISTIC, "the first call, repeated, gives another result");
}

/* Makes a call before all others. */
static inline void call_first(void (*prepare)(void), void (*compute)(void), const void *result, size_t result_bytes)
{
    harness_case("the first call");
    fixed_call = (struct fixed_call){prepare, compute, result, result_bytes};
    prepare();
    sum_at_first = sum_of_fixed_call();
}

/* Makes it often, after all others: what it computes must not depend on how many calls there were before. */
static inline void repeat_first_call(void (*repeat)(void (*)(void)))
{
    fixed_call.prepare();
    repeat(call_again);
}

#endif
