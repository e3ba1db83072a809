/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_VEC128_H
#define CHACHA20_VEC128_H

/* ChaCha20 on vectors of four words, which most machines have under one
 * name or another and compilers under one: SSE2, NEON, VSX, z13;
 * see ref.h for what is offered, ../_salsa_chacha/driver.h for the plan. */

#include "words.h"

#define LANES_WORDS 4
#include "wide.h"

#define CHACHA20_AHEAD 5

static const uint8_t cipher_plan[] = {
    5, 1, 2, 3, 4
};

#include "../_salsa_chacha/vec128.h"

#endif
