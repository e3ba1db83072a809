/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CHAIN_H
#define CHAIN_H

/* A chain of dependent additions, each of which takes one core cycle. CHAIN_ADD
 * is one of them; for architectures without an addition of known latency it is
 * missing, and a chain is empty. */

#include <stdint.h>

#if defined(__x86_64__) || defined(__i386__)
#define CHAIN_ADD "add %0, %0\n\t"
#elif defined(__aarch64__) || defined(__riscv)
#define CHAIN_ADD "add %0, %0, %0\n\t"
#endif

/* CHAIN(n) adds n times, for a constant n up to 2000. It begins with a constant
 * and ends in a register, so that no load or store runs beside it. */
#ifdef CHAIN_ADD
#define CHAIN(n) CHAIN_OF(n)
#define CHAIN_OF(n)                                                                 \
    do {                                                                            \
        uintptr_t x_ = 1;                                                           \
        __asm__ volatile(".rept " #n "\n\t" CHAIN_ADD ".endr" : "+r"(x_) : : "cc"); \
    } while (0)
#else
#define CHAIN(n) (void)0
#endif

#endif
