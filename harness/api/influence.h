/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef INFLUENCE_H
#define INFLUENCE_H

/* Keys and nonces of which every bit must have an influence (for the check.c of an operation). */

#include <string.h>

#include "harness.h"

#define MOST_INFLUENCED 320

/* `compute` writes into `output` what follows from the input as it is at that moment. */
struct influenced {
    const char *name; /* of the output, for failures */
    const uint8_t *output;
    size_t bytes; /* so many that two outputs are not the same by chance; at most MOST_INFLUENCED */
    void (*compute)(void);
};

/* An input with a bit changed has given the output of `before`: fails, in another way if it does not do so after an
 * altogether different input, because then something has been kept. */
static inline void without_influence(uint8_t *input, size_t length, const char *name, const struct influenced *of,
                                     const uint8_t *before)
{
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < length; i++) input[i] = (uint8_t)~input[i];
        of->compute();
    }
    if (memcmp(before, of->output, of->bytes)) harness_fail(WRONG_OUTPUT, "takes it for the %s before", name);
    if (!harness_lenient) harness_fail(SAME_OUTPUT, "returns the same %s", of->name);
}

/* Fails unless the output is another one whichever bit of the input changes. */
static inline void expect_influence(uint8_t *input, size_t length, const char *name, const struct influenced *of)
{
    uint8_t before[MOST_INFLUENCED];
    of->compute();
    memcpy(before, of->output, of->bytes);
    for (size_t i = 0; i < 8 * length; i++) {
        harness_case("bit %zu of %s byte %zu changed", i % 8, name, i / 8);
        of->compute(); /* with the right one: code that keeps an input must not take one for the other */
        input[i / 8] ^= (uint8_t)(1u << i % 8);
        of->compute();
        if (!memcmp(before, of->output, of->bytes)) without_influence(input, length, name, of, before);
        input[i / 8] ^= (uint8_t)(1u << i % 8);
    }
    of->compute();
}

#endif
