/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CPU time that a check may spend on cases beyond its fixed ones. */
#include <time.h>

#include "runtime.h"

static double end, scale = 1, lengths_scale = 1;

void cpu_budget_scale(double share)
{
    scale = share < 1 ? share : 1;
    lengths_scale = share;
}

double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cpu_budget_of(double seconds)
{
    return scale * seconds;
}

void cpu_budget_start(double seconds)
{
    end = cpu_seconds() + cpu_budget_of(seconds);
}

void cpu_budget_start_lengths(double seconds)
{
    end = cpu_seconds() + lengths_scale * seconds;
}

int cpu_budget_left(void)
{
    return cpu_seconds() < end;
}
