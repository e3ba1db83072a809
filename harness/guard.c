/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Buffers between inaccessible pages, with canaries in the slack. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"

#define CANARY 0xc5
#define DISTANCE 512 /* from the inaccessible pages, where leniency allows to read beyond */

int harness_lenient;

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static uint8_t *pages_take(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) harness_fail("no memory for %zu bytes", size);
    return pages;
}

void guard_open(struct guard *guard, size_t capacity, const char *name)
{
    const size_t page = page_size();
    guard->usable = (capacity + 64 + 2 * DISTANCE + page - 1) / page * page;
    guard->pages = pages_take(guard->usable + 2 * page);
    if (mprotect(guard->pages, page, PROT_NONE) ||
        mprotect(guard->pages + page + guard->usable, page, PROT_NONE))
        harness_fail("cannot guard the pages of %s", name);
    guard->data = guard->pages + page;
    guard->length = 0;
}

uint8_t *guard_place(struct guard *guard, size_t length, unsigned alignment, enum guard_edge edge)
{
    const size_t away = harness_lenient ? DISTANCE : 0;
    uint8_t *first = guard->pages + page_size() + away;
    uint8_t *last = guard->pages + page_size() + guard->usable - away - length;
    if (edge == GUARD_FRONT)
        guard->data = first + (alignment == GUARD_ANY ? 0 : alignment);
    else
        guard->data = alignment == GUARD_ANY ? last : last - (((uintptr_t)last - alignment) % 64);
    guard->length = length;
    memset(guard->pages + page_size(), CANARY, guard->usable);
    return guard->data;
}

/* Whether all bytes from `p` on, before `end`, are canaries. */
static int intact(const uint8_t *p, const uint8_t *end)
{
    return p >= end || (*p == CANARY && !memcmp(p, p + 1, (size_t)(end - p) - 1));
}

void guard_check(const struct guard *guard, const char *name)
{
    const uint8_t *first = guard->pages + page_size(), *end = first + guard->usable;
    const uint8_t *p = first;
    if (intact(first, guard->data) && intact(guard->data + guard->length, end)) return;
    while (*p == CANARY || (p >= guard->data && p < guard->data + guard->length)) p++;
    harness_fail("writes outside %s: byte %td of %zu", name, p - guard->data, guard->length);
}

void *memory_take(size_t size, unsigned alignment)
{
    return pages_take(size + alignment + 64) + alignment;
}
