/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ARMv8 core cycles, PMCCNTR_EL0 (Arm ARM, D13): readable only if the kernel
 * sets PMUSERENR_EL0. */
#define COUNTER_NAME "aarch64_pmccntr"
#define COUNTER_UNIT "core cycles"
#if defined(__aarch64__)
static inline int64_t counter_read(void)
{
    int64_t cycles;
    __asm__ volatile("isb\n\tmrs %0, pmccntr_el0\n\tisb" : "=r"(cycles)::"memory");
    return cycles;
}
#include "counters/trap.inc"
static int counter_open(const char **why)
{
    *why = "the kernel does not let user space read PMCCNTR_EL0";
    return illegal_try();
}
#else
#define COUNTER_ABSENT "only on aarch64"
#endif
