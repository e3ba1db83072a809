/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KAT_H
#define KAT_H

/* Known answers as the generators of NIST's post-quantum call print them: the text of
 * records, which is hashed and compared outside. */

#include "harness.h"
#include "rng.h"

/* One record: the random bytes are those of `source` started with `seed`. */
struct record {
    const struct source *source;
    uint64_t count;
    uint8_t seed[SEED_BYTES];
    const uint8_t *message; /* of operations that have one */
    size_t length;
};

/* What the operation's file gives.  record_message_bytes: of the first record's message,
 * which is drawn after the seed; 0 for an operation without messages. */
extern const size_t record_message_bytes;
void record_answer(const struct record *record);

/* The further test of PQClean's: 0, or -1 where there is none. */
int surf_test(void);

/* The text. */
void text_hex(const char *name, const uint8_t *data, size_t length); /* name = ABCD */
void text_number(const char *name, uint64_t value);                  /* name = 12 */
void text_line(const uint8_t *data, size_t length);                  /* abcd */

#endif
