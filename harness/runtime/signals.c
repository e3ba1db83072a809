/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Turns a crash into a verdict: the case under test and the reason. */
#define _GNU_SOURCE /* names of registers */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "checked_call.h"
#include "runtime.h"

static const struct {
    int number;
    enum failure_kind kind;
    const char *meaning;
} fatal[] = {
    {SIGSEGV, FAILURE_OUT_OF_BOUNDS, "crashes: access outside its buffers (SIGSEGV)"},
    {SIGBUS, FAILURE_CRASH, "crashes: misaligned access or missing memory (SIGBUS)"},
    {SIGILL, FAILURE_ILLEGAL_INSTRUCTION, "crashes: instruction not supported by this CPU (SIGILL)"},
    {SIGFPE, FAILURE_CRASH, "crashes: arithmetic error (SIGFPE)"},
    {SIGABRT, FAILURE_ABORTED, "aborts (SIGABRT)"},
    {SIGTRAP, FAILURE_ABORTED, "executes a trap instruction (SIGTRAP)"},
};

/* Whether the process has reached its memory limit: few implementations check malloc, and a crash then follows. */
static int memory_is_exhausted(void)
{
    return mmap(NULL, 1 << 24, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

/* Whether the CPU reported no address, which means a misaligned vector access or a non-canonical address. */
static int has_no_address(const siginfo_t *info)
{
#ifdef SI_KERNEL
    return info->si_signo == SIGSEGV && info->si_code == SI_KERNEL;
#else
    return (void)info, 0;
#endif
}

/* Tells what a call misses its buffers by. Only x86-64 says here whether it reads or writes. */
static void report_access(const siginfo_t *info, const void *context)
{
    guard_written(info->si_addr);
#if defined(__x86_64__) && defined(REG_ERR)
    const ucontext_t *at = context;
    guard_missed(info->si_addr, (at->uc_mcontext.gregs[REG_ERR] & 2) != 0);
#else
    (void)context;
#endif
}

/* Reports ud2, which compilers put where nothing may get to, and which every CPU has. */
static void report_trap(const siginfo_t *info)
{
#ifdef __x86_64__
    static const unsigned char ud2[] = {0x0f, 0x0b};
    if (info->si_code > 0 && !memcmp(info->si_addr, ud2, sizeof ud2))
        harness_fail(ABORTED, "executes a trap instruction (ud2)");
#else
    (void)info;
#endif
}

static void report(int number, siginfo_t *info, void *context)
{
    if (memory_is_exhausted()) harness_fail(MEMORY_LIMIT, "exceeds the memory limit");
    if (has_no_address(info))
        harness_fail(CRASH, "crashes: misaligned vector access or non-canonical address (SIGSEGV)");
    if (number == SIGSEGV) report_access(info, context);
    if (number == SIGILL) report_trap(info);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        if (fatal[i].number == number) (harness_fail)(fatal[i].kind, "%s", fatal[i].meaning);
    _Exit(4);
}

#define PATIENCE 5 /* seconds that a call may take, however short the limit is */

/* SIGXCPU comes each second from a first one on, until the hard limit. */
static struct {
    rlim_t first, hard, spent; /* seconds of CPU time */
    rlim_t since;              /* when the call began, or was first seen */
    uint64_t calls;
} cpu;

/* Reports that the CPU time is used up, and before that, a call that has lasted for half of it: some RSA keys take six
 * seconds. Calls are counted only where they are checked. */
static void on_cpu_time(int number)
{
    cpu.spent = cpu.spent ? cpu.spent + 1 : cpu.first;
    if (!checked_calls() || checked_calls() != cpu.calls) {
        cpu.calls = checked_calls();
        cpu.since = cpu.spent;
    }
    const unsigned long long waited = cpu.spent - cpu.since;
    if (waited >= PATIENCE && 2 * waited >= cpu.hard)
        harness_fail(DOES_NOT_RETURN, "does not return: %llu s of CPU time in one call", waited);
    if (cpu.spent + 2 >= cpu.hard)
        harness_fail(TIME_LIMIT, "exceeds the limit of CPU time: %llu s", (unsigned long long)cpu.spent);
    (void)number;
}

static void watch_cpu_time(void)
{
    struct sigaction action = {.sa_handler = on_cpu_time, .sa_flags = SA_ONSTACK | SA_RESTART};
    struct rlimit limit = {0, 0};
    (void)getrlimit(RLIMIT_CPU, &limit);
    cpu.first = limit.rlim_cur;
    cpu.hard = limit.rlim_max;
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGXCPU, &action, NULL);
}

static int running;

/* Reports exit() in the middle of a case. */
static void on_exit_call(void)
{
    if (running) harness_fail(EXITED, "calls exit()");
}

void signals_done(void)
{
    running = 0;
}

void signals_install(void)
{
    /* The handler needs its own stack, because the implementation may have exhausted the usual one. */
    static uint8_t alternate[1 << 16];
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    (void)sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) (void)sigaction(fatal[i].number, &action, NULL);
    watch_cpu_time();
    running = !atexit(on_exit_call);
}
