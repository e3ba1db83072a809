/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a process has of its own beside signals, timers, threads and limits, and code must not leave changed: other code
 * in the process depends on it. */
#define _GNU_SOURCE
#include <locale.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "runtime.h"

#define HWCAP2_FSGSBASE 2u
#define MXCSR_CONTROL 0xffc0u
#define MXCSR_USUAL 0x1f80u
#define X87_USUAL 0x37fu

extern char **environ;

/* A sum over bytes that depends on their order. */
static uint64_t summed(uint64_t sum, const char *text)
{
    while (*text) sum = (sum ^ (unsigned char)*text++) * UINT64_C(0x100000001b3);
    return sum * UINT64_C(0x100000001b3);
}

static uint64_t environment(void)
{
    uint64_t sum = 1;
    for (char **one = environ; one && *one; one++) sum = summed(sum, *one);
    return sum;
}

static uint64_t locale_of_process(void)
{
    const char *name = setlocale(LC_ALL, NULL);
    return summed(uselocale((locale_t)0) == LC_GLOBAL_LOCALE, name ? name : "");
}

/* From a file, because the sandbox's filter of system calls does not let a program ask for it. */
int process_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/self/comm", "r");
    if (!file) return -1;
    if (!fgets(name, (int)size, file)) name[0] = 0;
    (void)fclose(file);
    return 0;
}

static uint64_t name_of_process(void)
{
    char name[64];
    return process_name(name, sizeof name) ? 0 : summed(1, name);
}

static uint64_t folder(void)
{
    char path[4096] = "";
    const ssize_t length = readlink("/proc/self/cwd", path, sizeof path - 1);
    return length < 0 ? 0 : summed(1, path);
}

#if defined(__x86_64__)
/* User code can set it itself where the kernel allows the instructions. */
static uint64_t gs_base(void)
{
    uint64_t base = 0;
    if (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) __asm__ volatile("rdgsbase %0" : "=r"(base));
    return base;
}

/* The control bits, other than the system sets them. */
static uint64_t rounding(void)
{
    unsigned mxcsr = 0;
    unsigned short x87 = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    __asm__ volatile("fnstcw %0" : "=m"(x87));
    return (uint64_t)((mxcsr & MXCSR_CONTROL) ^ MXCSR_USUAL) << 16 | (x87 ^ X87_USUAL);
}
#else
static uint64_t gs_base(void)
{
    return 0;
}

static uint64_t rounding(void)
{
    return 0;
}
#endif

static struct fact {
    const char *name;
    uint64_t (*get)(void), before; /* 0 if it cannot be told */
} facts[] = {
    {"the environment", environment, 0},
    {"the locale", locale_of_process, 0},
    {"the name of the process", name_of_process, 0},
    {"the working directory", folder, 0},
    {"the base of the segment gs", gs_base, 0},
};
#define FACTS (sizeof facts / sizeof facts[0])

void process_facts_record(void)
{
    for (size_t i = 0; i < FACTS; i++) facts[i].before = facts[i].get();
}

void process_facts_check(void)
{
    if (rounding()) harness_fail(CALLING_CONVENTION, "leaves the rounding mode or another control bit changed");
    for (size_t i = 0; i < FACTS; i++) {
        const uint64_t now = facts[i].get();
        if (now && now != facts[i].before) harness_fail(SIDE_EFFECT, "leaves %s changed", facts[i].name);
    }
}
