/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Turns a crash into a verdict: the case under test and the reason. */
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

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
    {SIGXCPU, FAILURE_TIME_LIMIT, "exceeds the CPU time limit (SIGXCPU)"},
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

static void report(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (memory_is_exhausted()) harness_fail(MEMORY_LIMIT, "exceeds the memory limit");
    if (has_no_address(info))
        harness_fail(CRASH, "crashes: misaligned vector access or non-canonical address (SIGSEGV)");
    if (number == SIGSEGV) guard_written(info->si_addr);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        if (fatal[i].number == number) (harness_fail)(fatal[i].kind, "%s", fatal[i].meaning);
    _Exit(4);
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
    running = !atexit(on_exit_call);
}
