/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Runs scalar code for a millisecond, after which a CPU may have powered its wide
 * vector units down. It does not sleep, because that would change the clock. */
#include <time.h>

#include "evict.h"

#define IDLE_NS 1000000

static const char *idle_open(void)
{
    return NULL;
}

static void idle(const struct range *ranges, size_t count)
{
    struct timespec now, start;
    (void)ranges, (void)count;
    (void)clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        (void)clock_gettime(CLOCK_MONOTONIC, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000LL + (now.tv_nsec - start.tv_nsec) < IDLE_NS);
}

EVICT_WAY("1 ms of scalar code", COLD_VECTOR, "", idle_open, idle);
