/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECKSUM_H
#define CHECKSUM_H

/* The sum that a SUPERCOP tree keeps for each primitive (checksumsmall,
 * checksumbig): a fixed sequence of inputs, and a hash over all outputs. Which
 * calls are made with what, and in which order, is part of the definition:
 * what an implementation draws from randombytes depends on it too. */

#include "harness.h"

#define SUM_ARRAYS 9 /* a function has, at the most */

/* A variable of the test. Calls see copies of its value between canaries. */
struct sum_array {
    const char *name;
    unsigned char *value;
    unsigned char *before; /* the first call, in an output, after a pad */
    size_t length;  /* of the value; for an output first the room it has */
    unsigned align; /* every address is this many bytes past a multiple of 64 */
    struct guard guard;
    unsigned char *copy;  /* of the present call */
};

/* A function of the API: `call` gets copies of the outputs, then of the inputs,
 * in the order of the lists (which end with NULL), and may set the lengths of
 * outputs. (Where the API changes its input in place, `call` copies it.) */
struct sum_function {
    const char *name;
    int (*call)(unsigned char *const *copies);
    struct sum_array *outputs[4], *inputs[6];
    int once;  /* a second call may give something else */
    int apart; /* outputs must not stand where inputs do */
};

/* The operation's file gives this: the test itself. */
void sum_test(void);

/* Repetitions and the longest message, in the small and the big test. */
size_t sum_loops(size_t small, size_t big);
size_t sum_longest(size_t small, size_t big);

/* Before anything else: most is the largest length it will have. */
void sum_open(struct sum_array *array, const char *name, size_t most);
void sum_open_items(struct sum_array *array, const char *name, size_t most, unsigned item_bytes);

/* Draws. */
uint64_t sum_random(void);
void sum_input(struct sum_array *array, size_t length);
/* Changes one byte, not back to what it was last time unless by chance. */
void sum_change(struct sum_array *array);

/* Calls, hashes the outputs, and calls again in all the ways that must give
 * the same; harness_fail when the result is not 0 or a call misbehaves. */
void sum_run(const struct sum_function *function);

/* Calls, and returns the result; the outputs are hashed by sum_absorb. What the
 * call does not write keeps the value of before: a decapsulation that accepts
 * and writes nothing has "decapsulated" the last session key. */
int sum_try(const struct sum_function *function);
void sum_absorb(const struct sum_array *array);

/* harness_fail unless the two are equal. */
void sum_equal(const struct sum_array *a, const struct sum_array *b);

/* Items of that size: this machine's order of bytes <-> little-endian. */
void sum_swap(unsigned char *items, size_t length, size_t item_bytes);

#endif
