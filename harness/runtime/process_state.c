/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Finds what the code under test leaves behind in the process: signal handlers, a signal mask, timers. (It cannot
 * leave threads: seccomp.c forbids them.) */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "runtime.h"

#define SIGNALS 65 /* Linux numbers them from 1 to 64 */

static struct sigaction actions[SIGNALS];
static sigset_t blocked;

void process_state_record(void)
{
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
    static const int timers[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    for (size_t i = 0; i < sizeof timers / sizeof timers[0]; i++) {
        struct itimerval value;
        if (getitimer((__itimer_which_t)timers[i], &value)) continue;
        if (value.it_value.tv_sec || value.it_value.tv_usec)
            harness_fail(SIDE_EFFECT, "leaves an interval timer (setitimer or alarm) running");
    }
}

void process_state_check(void)
{
    harness_case("after all calls");
    expect_same_handlers();
    expect_same_mask();
    expect_no_timers();
}
