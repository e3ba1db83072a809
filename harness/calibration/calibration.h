/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CALIBRATION_H
#define CALIBRATION_H

/* Code whose cost is known by construction: chains of dependent additions, each
 * of which takes one core cycle. */

#include "../api/chain.h"

#ifdef CHAIN_ADD

/* LONG_CHAIN(n) is CHAIN(n) for multiples of 1000. The loop's own instructions
 * run beside the chain. */
#define LONG_CHAIN(n)                                                                 \
    do {                                                                              \
        uintptr_t x_ = 1;                                                             \
        for (unsigned turn_ = 0; turn_ < (n) / 1000; turn_++)                         \
            __asm__ volatile(".rept 1000\n\t" CHAIN_ADD ".endr" : "+r"(x_) : : "cc"); \
    } while (0)

/* Functions that contain a chain. */
void calibration_call_0(void);
void calibration_call_20(void);
void calibration_call_200(void);

#endif
#endif
