/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHECKSUM_H
#define CHECKSUM_H

/* The checksum that a SUPERCOP tree stores for each primitive (checksumsmall, checksumbig): a
 * fixed sequence of inputs, and a hash over all outputs. The calls, their arguments and their
 * order are part of the definition, also because an implementation's random bytes depend on them. */

#include "harness.h"

#define SUM_ARRAYS 9 /* maximum per function */

/* A variable of the test. Calls see copies of its value between canaries. */
struct sum_array {
    const char *name;
    unsigned char *value;
    unsigned char *before; /* contents of an output before the first call, after a pad */
    size_t length;  /* length of the value; for an output, first its capacity */
    unsigned align; /* offset of every address from a multiple of 64 */
    struct guard guard;
    unsigned char *copy;  /* of the current call */
};

/* A function of the API: `call` receives copies of the outputs, then of the inputs, in the order
 * of the lists (which end with NULL), and may set the lengths of outputs. (If the API modifies its
 * input in place, `call` copies it first.) */
struct sum_function {
    const char *name;
    int (*call)(unsigned char *const *copies);
    struct sum_array *outputs[4], *inputs[6];
    int once;  /* a second call may give another result */
    int apart; /* outputs must not overlap inputs */
};

/* The test itself; defined by the operation's file, called by oracle.c. */
void sum_test(void);

/* Chooses the small or the big test, before it; and answers with the hash over all outputs, after it. */
void sum_start(int is_big);
void sum_answer(void);

/* Number of repetitions and maximum message length, in the small and the big test. */
size_t sum_loops(size_t small, size_t big);
size_t sum_longest(size_t small, size_t big);

/* Must be called first; `most` is the maximum length. */
void sum_open(struct sum_array *array, const char *name, size_t most);
void sum_open_items(struct sum_array *array, const char *name, size_t most, unsigned item_bytes);

/* Fills the variable with random bytes. */
uint64_t sum_random(void);
void sum_input(struct sum_array *array, size_t length);
/* Changes one byte; the change differs from the previous one except by chance. */
void sum_change(struct sum_array *array);

/* Calls the function, hashes the outputs, and calls again in all ways that must give the same
 * result. Fails if the function does not return 0 or misbehaves. */
void sum_run(const struct sum_function *function);

/* Calls the function and returns its result; sum_absorb hashes the outputs. Bytes that the call
 * does not write keep their values, so a decapsulation that accepts but writes nothing has
 * "decapsulated" the last session key. */
int sum_try(const struct sum_function *function);
void sum_absorb(const struct sum_array *array);

/* Fails unless the two are equal. */
void sum_equal(const struct sum_array *a, const struct sum_array *b);

/* Converts items of that size between this machine's byte order and little-endian. */
void sum_swap(unsigned char *items, size_t length, size_t item_bytes);

#endif
