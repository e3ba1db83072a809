/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CALIBRATION_H
#define CALIBRATION_H

/* Code whose cost is known by construction: chains of dependent additions, each
 * of which takes one core cycle. */

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define CHAIN_ADD "add %0, %0"
#elif defined(__aarch64__) || defined(__riscv)
#define CHAIN_ADD "add %0, %0, %0"
#endif

#ifdef CHAIN_ADD

/* CHAIN(n) adds n times, for a constant n up to 2000. It begins with a constant
 * and ends in a register, so that no load or store runs beside it. */
#define CHAIN(n)                                                                        \
    do {                                                                                \
        uintptr_t x_ = 1;                                                               \
        __asm__ volatile(".rept " #n "\n\t" CHAIN_ADD "\n\t.endr" : "+r"(x_) : : "cc"); \
    } while (0)

/* LONG_CHAIN(n) does the same for multiples of 1000. The loop's own instructions
 * run beside the chain. */
#define LONG_CHAIN(n)                                                                     \
    do {                                                                                  \
        uintptr_t x_ = 1;                                                                 \
        for (unsigned turn_ = 0; turn_ < (n) / 1000; turn_++)                             \
            __asm__ volatile(".rept 1000\n\t" CHAIN_ADD "\n\t.endr" : "+r"(x_) : : "cc"); \
    } while (0)

/* Functions that contain a chain. */
void calibration_call_0(void);
void calibration_call_20(void);
void calibration_call_200(void);

#endif
#endif
