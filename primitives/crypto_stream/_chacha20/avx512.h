/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHACHA20_AVX512_H
#define CHACHA20_AVX512_H

/* ChaCha20 on vectors of sixteen words, with an instruction that rotates and
 * registers for all the sets; one and two blocks go through narrower ones;
 * see ref.h for what is offered, ../_salsa_chacha/driver.h for the plan. */

#include "words.h"

#define LANES_WORDS 4
#include "wide.h"
#define LANES_WORDS 8
#include "wide.h"
#define LANES_WORDS 16
#include "wide.h"

#define CHACHA20_AHEAD 17

static const uint8_t cipher_plan[] = {
    17, 1, 2, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12, 16, 16, 16, 16, 17, 17, 17,
    16, 17, 16, 16, 16, 17, 16, 16, 16, 17, 16, 16, 16, 17, 17, 17, 16, 17,
    17, 16, 16, 17, 17, 16, 16, 17, 17, 16, 16
};

#include "../_salsa_chacha/avx512.h"

#endif
