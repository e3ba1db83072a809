/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Finds memory that calls leave behind: on the heap, or mapped (mmap, brk) past malloc. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "checked_call.h"
#include "runtime.h"

#define LEAST_HEAP (1 << 20) /* bytes that a library may keep, whatever the number of calls, */
#define LEAST_MAPPED (2 << 20)
#define HEAP_PER_CALL 8192 /* or so many for each call: keys that no function of the API releases take some thousand */
#define MAPPED_PER_CALL 48

static int64_t heap_before, mapped_before;

int64_t memory_heap(void)
{
#ifdef __GLIBC__
    return (int64_t)mallinfo2().uordblks;
#else
    return 0;
#endif
}

/* The bytes that malloc has from the system; 0 where it does not tell (musl, sanitizers). */
static int64_t malloc_mapped(void)
{
#ifdef __GLIBC__
    const struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.arena + info.hblkhd);
#else
    return 0;
#endif
}

/* QEMU answers /proc/self/maps from a file that it writes, which the sandbox forbids. */
static int is_emulated(void)
{
    char name[sizeof "qemu-"];
    return !process_name(name, sizeof name) && !strcmp(name, "qemu-");
}

int64_t memory_mapped(void)
{
    char line[512];
    int64_t sum = 0;
    const int64_t of_malloc = malloc_mapped();
    FILE *file = of_malloc && !is_emulated() ? fopen("/proc/self/maps", "r") : NULL;
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        uint64_t first, end;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &end) == 2 && !strstr(line, "[stack"))
            sum += (int64_t)(end - first);
    }
    (void)fclose(file);
    return sum - of_malloc - guard_mapped();
}

void memory_record(void)
{
    heap_before = memory_heap();
    mapped_before = memory_mapped();
}

void memory_check(void)
{
    const int64_t calls = (int64_t)checked_calls();
    const int64_t heap = memory_heap() - heap_before, mapped = memory_mapped() - mapped_before;
    if (!calls) return;
    if (heap > LEAST_HEAP && heap > calls * HEAP_PER_CALL)
        harness_fail(SIDE_EFFECT, "leaves memory allocated: %" PRId64 " bytes after %" PRId64 " calls", heap, calls);
    if (mapped > LEAST_MAPPED && mapped > calls * MAPPED_PER_CALL)
        harness_fail(SIDE_EFFECT, "leaves memory mapped: %" PRId64 " bytes after %" PRId64 " calls", mapped, calls);
}
