/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Finds what the code under test leaves behind in the process: signal handlers, a signal mask, timers, threads. The
 * sandbox allows neither timers nor threads; this finds them where there is none. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "runtime.h"

#define SIGNALS 65 /* Linux numbers them from 1 to 64 */

static struct sigaction actions[SIGNALS];
static sigset_t blocked;
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

void process_state_record(void)
{
    threads = count_threads();
    timers = count_timers();
    for (int number = 1; number < SIGNALS; number++) (void)sigaction(number, NULL, &actions[number]);
    (void)sigprocmask(SIG_SETMASK, NULL, &blocked);
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

void process_state_check(void)
{
    harness_case("after all calls");
    expect_same_handlers();
    expect_same_mask();
    expect_no_timers();
    expect_no_threads();
}
