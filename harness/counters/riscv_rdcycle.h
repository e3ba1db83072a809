/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* RISC-V core cycles (Zicntr): readable only if the kernel sets SCOUNTEREN. */
#define COUNTER_NAME "riscv_rdcycle"
#define COUNTER_UNIT "core cycles"
#if defined(__riscv) && __riscv_xlen == 64
static inline int64_t counter_read(void)
{
    int64_t cycles;
    __asm__ volatile("fence\n\trdcycle %0" : "=r"(cycles)::"memory");
    return cycles;
}
#include "counters/trap.inc"
static int counter_open(const char **why)
{
    *why = "the kernel does not let user space read the cycle counter";
    return illegal_try();
}
#else
#define COUNTER_ABSENT "only on 64-bit RISC-V"
#endif
