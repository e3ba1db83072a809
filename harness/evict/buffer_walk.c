/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Walks through a buffer of twice the second-level cache in random order, a line
 * a step, each step depending on the one before. It replaces everything in the
 * first two levels, whatever it is; a shared third level of 100 MiB cannot be
 * cleared so in reasonable time. Code goes with data where the second level
 * holds both; the first-level instruction cache keeps its lines, so it is no
 * way for code by itself. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "evict.h"

enum { USUAL_BYTES = 2 << 20, MOST_BYTES = 64 << 20 };

static uint8_t *buffer;
static size_t lines;

static size_t cache_bytes(void)
{
    long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    if (bytes <= 0) bytes = USUAL_BYTES;
    return 2 * (size_t)bytes < MOST_BYTES ? 2 * (size_t)bytes : MOST_BYTES;
}

/* Makes one random cycle of all lines (Sattolo's shuffle), as pointers to the next. */
static const char *walk_open(void)
{
    lines = cache_bytes() / LINE;
    buffer = mmap(NULL, lines * LINE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint32_t *order = mmap(NULL, lines * sizeof *order, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED || order == MAP_FAILED) return "no memory for a buffer of twice the second-level cache";
    uint64_t state = 1;
    for (uint32_t i = 0; i < lines; i++) order[i] = i;
    for (uint32_t i = (uint32_t)lines - 1; i > 0; i--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint32_t j = (uint32_t)((state >> 33) % i), last = order[i];
        order[i] = order[j];
        order[j] = last;
    }
    for (size_t i = 0; i < lines; i++)
        *(uint8_t **)(void *)(buffer + LINE * (size_t)order[i]) = buffer + LINE * (size_t)order[(i + 1) % lines];
    (void)munmap(order, lines * sizeof *order);
    return NULL;
}

static void walk(const struct range *ranges, size_t count)
{
    (void)ranges, (void)count;
    uint8_t *at = buffer;
    for (size_t i = 0; i < lines; i++) at = *(uint8_t *volatile *)(void *)at;
}

EVICT_WAY("buffer walk", COLD_DATA, "L3", walk_open, walk);
