/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A crash is a verdict like any other: the case that was under test, and why. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "runtime.h"

static const struct {
    int number;
    enum failure_kind kind;
    const char *meaning;
} fatal[] = {
    {SIGSEGV, FAILURE_OUT_OF_BOUNDS, "crashes: reads or writes outside its buffers (SIGSEGV)"},
    {SIGBUS, FAILURE_CRASH, "crashes: misaligned or absent memory (SIGBUS)"},
    {SIGILL, FAILURE_ILLEGAL_INSTRUCTION, "crashes: an instruction this CPU lacks (SIGILL)"},
    {SIGFPE, FAILURE_CRASH, "crashes: arithmetic error (SIGFPE)"},
    {SIGABRT, FAILURE_ABORTED, "aborts (SIGABRT)"},
    {SIGTRAP, FAILURE_ABORTED, "stops itself (SIGTRAP)"},
    {SIGXCPU, FAILURE_TIME_LIMIT, "runs for too long (CPU time limit)"},
};

/* An allocation that fails is seldom looked at: what crashes then is the sequel. */
static int memory_is_used_up(void)
{
    return mmap(NULL, 1 << 24, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED;
}

/* The CPU names no address then: a vector instruction met another alignment than it wants, or the address is none. */
static int names_no_address(const siginfo_t *info)
{
#ifdef SI_KERNEL
    return info->si_signo == SIGSEGV && info->si_code == SI_KERNEL;
#else
    return (void)info, 0;
#endif
}

static void report(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (memory_is_used_up()) harness_fail(MEMORY_LIMIT, "exceeds the memory limit");
    if (names_no_address(info))
        harness_fail(CRASH, "crashes: misaligned vector access or non-canonical address (SIGSEGV)");
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        if (fatal[i].number == number) (harness_fail)(fatal[i].kind, "%s", fatal[i].meaning);
    _Exit(4);
}

static int under_way;

/* exit() in the middle of a case. */
static void left(void)
{
    if (under_way) harness_fail(EXITED, "calls exit()");
}

void signals_done(void)
{
    under_way = 0;
}

void signals_install(void)
{
    /* A stack of its own: an implementation may have used up the usual one. */
    static uint8_t alternate[1 << 16];
    stack_t stack = {.ss_sp = alternate, .ss_size = sizeof alternate};
    struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    (void)sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        (void)sigaction(fatal[i].number, &action, NULL);
    under_way = !atexit(left);
}
