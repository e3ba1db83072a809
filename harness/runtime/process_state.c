/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Finds what the code under test leaves behind in the process: signal handlers, a signal mask or stack, timers, threads,
 * limits, streams, descriptors. The sandbox allows neither timers nor threads; this finds them where there is none. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "runtime.h"

#define SIGNALS 65 /* Linux numbers them from 1 to 64 */
#define LIMITS 16 /* and these from 0 on */
#define DESCRIPTORS 256 /* that are looked at: the system hands out the lowest free one */
#define SOME_DESCRIPTORS 8 /* a library may keep open, such as /dev/urandom */

static struct sigaction actions[SIGNALS];
static sigset_t blocked;
static stack_t signal_stack;
static struct rlimit limits[LIMITS];
static FILE *streams[3];
static unsigned descriptors;
static unsigned threads, timers; /* at the start: an emulator has some of its own */

/* The threads of this process; 0 if the system does not tell. */
static unsigned count_threads(void)
{
    unsigned count = 0;
    DIR *folder = opendir("/proc/self/task");
    if (!folder) return 0;
    while (readdir(folder)) count++;
    (void)closedir(folder);
    return count;
}

/* The timers of timer_create, of which each has a line "ID: number"; 0 if the system does not tell. */
static unsigned count_timers(void)
{
    char line[256];
    unsigned count = 0;
    FILE *file = fopen("/proc/self/timers", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) count += !strncmp(line, "ID:", 3);
    (void)fclose(file);
    return count;
}

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    for (int i = 0; i < DESCRIPTORS; i++) count += fcntl(i, F_GETFD) >= 0;
    return count;
}

/* Code that puts a stream of its own in place of standard input runs whenever the harness reads a line. */
static void expect_same_streams(void)
{
    if (stdin != streams[0] || stdout != streams[1] || stderr != streams[2])
        harness_fail(SIDE_EFFECT, "replaces standard input, output or error");
}

void process_state_begin(void)
{
    streams[0] = stdin;
    streams[1] = stdout;
    streams[2] = stderr;
    (void)sigaltstack(NULL, &signal_stack);
    for (unsigned i = 0; i < LIMITS; i++) (void)getrlimit(i, &limits[i]);
    for (int number = 1; number < SIGNALS; number++) (void)sigaction(number, NULL, &actions[number]);
    (void)sigprocmask(SIG_SETMASK, NULL, &blocked);
}

void process_state_record(void)
{
    process_state_begin();
    threads = count_threads();
    descriptors = count_descriptors();
    timers = count_timers();
    process_facts_record();
}

static void expect_same_handlers(void)
{
    for (int number = 1; number < SIGNALS; number++) {
        struct sigaction now;
        if (!sigaction(number, NULL, &now) && now.sa_handler != actions[number].sa_handler)
            harness_fail(SIDE_EFFECT, "leaves a handler of signal %d (%s) behind", number, strsignal(number));
    }
}

static void expect_same_mask(void)
{
    sigset_t now;
    if (sigprocmask(SIG_SETMASK, NULL, &now)) return;
    for (int number = 1; number < SIGNALS; number++)
        if (sigismember(&now, number) != sigismember(&blocked, number))
            harness_fail(SIDE_EFFECT, "leaves signal %d (%s) blocked or unblocked", number, strsignal(number));
}

static void expect_no_timers(void)
{
    struct itimerval left[3] = {0};
    (void)getitimer(ITIMER_REAL, &left[0]);
    (void)getitimer(ITIMER_VIRTUAL, &left[1]);
    (void)getitimer(ITIMER_PROF, &left[2]);
    for (size_t i = 0; i < sizeof left / sizeof left[0]; i++) {
        if (left[i].it_value.tv_sec || left[i].it_value.tv_usec)
            harness_fail(SIDE_EFFECT, "leaves an interval timer (setitimer or alarm) running");
    }
    if (count_timers() > timers) harness_fail(SIDE_EFFECT, "leaves a timer (timer_create) behind");
}

static void expect_no_threads(void)
{
    if (count_threads() > threads) harness_fail(SIDE_EFFECT, "leaves a thread running");
}

static void expect_same_limits(void)
{
    for (unsigned i = 0; i < LIMITS; i++) {
        struct rlimit now;
        if (getrlimit(i, &now)) continue;
        if (i == RLIMIT_CPU) now.rlim_cur = limits[i].rlim_cur; /* the kernel adds a second after each SIGXCPU */
        if (now.rlim_cur != limits[i].rlim_cur || now.rlim_max != limits[i].rlim_max)
            harness_fail(SIDE_EFFECT, "changes a limit of the process (setrlimit, number %u)", i);
    }
}

static void expect_same_signals_and_limits(void)
{
    stack_t stack;
    expect_same_handlers();
    expect_same_mask();
    expect_same_limits();
    expect_same_streams();
    if (!sigaltstack(NULL, &stack) && stack.ss_sp != signal_stack.ss_sp)
        harness_fail(SIDE_EFFECT, "leaves another stack for signal handlers behind");
}

void process_state_check_constructors(void)
{
    harness_case("before the first call");
    expect_same_signals_and_limits();
}

void process_state_check(void)
{
    harness_case("after all calls");
    expect_same_signals_and_limits();
    expect_no_timers();
    expect_no_threads();
    process_facts_check();
}

void process_state_check_descriptors(void)
{
    const unsigned open = count_descriptors();
    if (open < descriptors) harness_fail(SIDE_EFFECT, "closes a file descriptor that it has not opened");
    if (open > descriptors + SOME_DESCRIPTORS)
        harness_fail(SIDE_EFFECT, "leaves %u file descriptors open", open - descriptors);
}
