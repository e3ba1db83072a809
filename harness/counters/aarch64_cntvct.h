/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* ARMv8 virtual timer, CNTVCT_EL0 (Arm ARM, D13): constant rate, often only
 * tens of MHz. */
#define COUNTER_NAME "aarch64_cntvct"
#define COUNTER_UNIT "timer ticks"
#if defined(__aarch64__)
static int counter_open(const char **why)
{
    (void)why;
    return 0;
}
static inline int64_t counter_read(void)
{
    int64_t ticks;
    __asm__ volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks)::"memory");
    return ticks;
}
#else
#define COUNTER_ABSENT "only on aarch64"
#endif
