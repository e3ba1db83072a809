/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reads one physical page through 8192 mappings, more than any TLB holds: its
 * line stays in the first-level cache, so the caches are left nearly alone. The
 * page is shared memory, which mremap maps again if the old length is 0. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "evict.h"

#define MAPPINGS 8192

static const uint8_t *mapping[MAPPINGS];

static const char *mappings_open(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *first = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED) return "no shared memory";
    first[0] = 1;
    mapping[0] = first;
    for (size_t i = 1; i < MAPPINGS; i++) {
        uint8_t *again = mremap(first, 0, page, MREMAP_MAYMOVE);
        if (again == MAP_FAILED) return "a page cannot be mapped 8192 times";
        mapping[i] = again;
    }
    return NULL;
}

static void touch_mappings(const struct range *ranges, size_t count)
{
    (void)ranges, (void)count;
    for (size_t i = 0; i < MAPPINGS; i++) (void)*(const volatile uint8_t *)mapping[i];
}

EVICT_WAY("8192 mappings of a page", COLD_TLB, "", mappings_open, touch_mappings);
