/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef VERIFICATION_H
#define VERIFICATION_H

/* Follows functions that accept or reject: decryption with a tag, verification of a tag.
 *
 * The verdict is public, but it is computed from secrets, and code may branch on it without saying so. So the checker
 * asks more than memcheck alone can tell (docs/constant-time.md):
 *
 *   1. with nothing secret but the tag, which branches depend on it: those on the verdict, and comparisons;
 *   2. with the usual secrets, which other ones there are: these are leaks;
 *   3. how often the lines found in step 1 are executed: as often for all that is accepted, and as often for all
 *      that is rejected, wherever it was forged. A comparison that ends early fails here. */

#include <stddef.h>
#include <stdint.h>

#include "secret.h"

struct verification {
    void (*prepare)(void); /* draws new keys (secret_fill) and texts (secret_text), makes what is accepted of them, and
                              leaves that unmarked */
    int (*call)(void); /* returns 0 if it accepts; the result may be marked */
    uint8_t *packet; /* what is accepted or rejected, tag included if it is part of it */
    size_t packet_bytes;
    uint8_t *tag;
    size_t tag_bytes;
    unsigned texts; /* how many inputs of step 3 are accepted: up to 256, each with another text */
};

/* secrets.c, if functions of the operation accept or reject: calls verification_follow for each of the lengths that
 * verification_length gives. Lengths, nonces and associated data are the same in all calls of `prepare`. */
void operation_verifications(void) __attribute__((weak));

/* As secret_fill; but in step 3 all bytes are the same, and each value occurs: some are special to a branch. */
void secret_text(void *p, size_t n);

void verification_follow(const struct verification *verification);

/* Stores number `i` of the lengths to follow, and returns 1; returns 0 if there are no more. */
int verification_length(unsigned i, size_t *length);

#endif
