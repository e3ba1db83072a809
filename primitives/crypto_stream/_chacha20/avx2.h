/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_AVX2_H
#define CHACHA20_AVX2_H

/* ChaCha20 on vectors of eight words; one block goes another way;
 * see ref.h for what is offered, ../_salsa_chacha/driver.h for the plan. */

#include "words.h"

#define LANES_WORDS 4
#include "wide.h"
#define LANES_WORDS 8
#include "wide.h"

#define CHACHA20_AHEAD 9

static const uint8_t cipher_plan[] = {
    9, 1, 2, 4, 4, 6, 6, 8, 8, 9, 8, 9, 8, 9, 8, 9, 8, 9, 9, 9, 9, 9, 9, 9,
    8, 9, 9, 9, 9, 9, 9, 9, 8
};

#include "../_salsa_chacha/avx2.h"

#endif
