/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KAT_H
#define KAT_H

/* Known answers in the format of the generators of NIST's post-quantum call. The text of the
 * records is hashed and compared by Cyclometer. */

#include "harness.h"
#include "rng.h"

/* Writes one record, with the random bytes of `source` started with `seed`. */
struct record {
    const struct source *source;
    uint64_t count;
    uint8_t seed[SEED_BYTES];
    const uint8_t *message; /* only for operations with messages */
    size_t length;
};

/* Defined by the operation's file. record_message_bytes is the length of the first record's
 * message, which is generated after the seed; 0 for an operation without messages. */
extern const size_t record_message_bytes;
void record_answer(const struct record *record);

/* PQClean's additional test. Returns 0, or -1 if the operation has none. */
int surf_test(void);

/* Fails if functions of PQClean that are not measured are wrong; defined by its adapter of the operation. */
void detached_test(void) __attribute__((weak));

/* Returns `length` zeroed bytes that end at a guard page; `guard_check` finds what is written beside them. The first
 * call for a guard says how many bytes a later one may ask for, and what they are called in failures. */
uint8_t *zeroed(struct guard *guard, size_t length, size_t capacity, const char *name);

/* Functions that append to the text. */
void text_hex(const char *name, const uint8_t *data, size_t length); /* name = ABCD */
void text_number(const char *name, uint64_t value);                  /* name = 12 */
void text_line(const uint8_t *data, size_t length);                  /* abcd */

#endif
