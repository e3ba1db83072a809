/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Buffers between guard pages, with canaries in the slack. Each is mapped twice: inputs are read through a mapping in
 * which nothing can be written, at no cost in the call that fills them. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clocks.h"
#include "input_addresses.h"
#include "runtime.h"

#define CANARY 0xc5
#define GUARD_BYTES ((size_t)1 << 20) /* inaccessible on either side: code may miss a buffer by more than a page */
#define LENIENT_DISTANCE 512 /* bytes to the guard pages if harness_lenient, which allows short overreads */
#define MIN_ROOM ((size_t)4096)
#define MOST_ROOM 4 /* times the room that is needed: filling it costs less than closing it and opening it again */
#define HUGE_PAGE ((size_t)1 << 21)
#define LARGE (HUGE_PAGE / 2) /* from this size on, memory is in huge pages */
#define SPARE_PAGES 16        /* huge ones, among which a buffer takes its place */

int harness_lenient;

static size_t page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static struct guard *last_opened;

static int64_t mapped;

int64_t guard_mapped(void)
{
    return mapped;
}

static uint8_t *map_pages(size_t size, int sharing)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, sharing | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) harness_fail(HARNESS_ERROR, "cannot allocate %zu bytes", size);
    mapped += (int64_t)((size + page_size() - 1) / page_size() * page_size());
    return pages;
}

static void unmap_pages(uint8_t *pages, size_t size)
{
    if (!size || munmap(pages, size)) return;
    mapped -= (int64_t)size;
}

static void set_access(uint8_t *first, size_t length, int access)
{
    if (length && mprotect(first, length, access)) harness_fail(HARNESS_ERROR, "cannot protect the guard pages");
}

/* Sets the access to some of the usable pages, in both mappings. */
static void set_both(const struct guard *guard, size_t from, size_t length, int access)
{
    uint8_t *first = guard->pages + GUARD_BYTES + from;
    set_access(first, length, access);
    if (guard->read_only) set_access(first + guard->read_only, length, access & ~PROT_WRITE);
}

/* Returns an address among the inputs at which nothing is mapped, for `size` bytes; NULL if there is none. */
static uint8_t *input_address(size_t size)
{
#if UINTPTR_MAX > UINT32_MAX && defined(MAP_FIXED_NOREPLACE)
    /* The half below them stays empty: otherwise a call could begin there that changes the access to both. */
    static uintptr_t next = ((uintptr_t)INPUTS << 32) + ((uintptr_t)1 << 31);
    uint8_t *wanted = (uint8_t *)next; /* NOLINT(performance-no-int-to-ptr) */
    void *found = mmap(wanted, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (found == wanted) {
        next += size;
        return found;
    }
    if (found != MAP_FAILED) (void)munmap(found, size); /* an old kernel does not know the flag */
#else
    (void)size;
#endif
    return NULL;
}

/* Maps the same pages again; not everything that runs programs can do it (valgrind cannot). */
static ptrdiff_t map_again(uint8_t *pages, size_t size)
{
    uint8_t *address = input_address(size);
    uint8_t *again = mremap(pages, 0, size, MREMAP_MAYMOVE | (address ? MREMAP_FIXED : 0), address);
    if ((void *)again != MAP_FAILED) {
        mapped += (int64_t)size;
        return again - pages;
    }
    if (address) (void)munmap(address, size);
    return 0;
}

void guard_open(struct guard *guard, size_t capacity, const char *name)
{
    const size_t page = page_size();
    if (!guard->pages) { /* answers may have opened it before the check does */
        guard->opened_before = last_opened;
        last_opened = guard;
    }
    guard->usable = (capacity + 64 + 2 * LENIENT_DISTANCE + page - 1) / page * page;
    guard->pages = map_pages(guard->usable + 2 * GUARD_BYTES, MAP_SHARED);
    guard->read_only = map_again(guard->pages, guard->usable + 2 * GUARD_BYTES);
    guard->name = name;
    set_access(guard->pages, GUARD_BYTES, PROT_NONE);
    set_access(guard->pages + GUARD_BYTES + guard->usable, GUARD_BYTES, PROT_NONE);
    if (guard->read_only) set_access(guard->pages + guard->read_only, guard->usable + 2 * GUARD_BYTES, PROT_NONE);
    set_both(guard, 0, guard->usable, PROT_READ | PROT_WRITE);
    guard->data = guard->room = guard->pages + GUARD_BYTES;
    guard->room_bytes = guard->usable;
    guard->length = guard->turns = guard->intact = 0;
    guard->edge = GUARD_FRONT;
}

/* Makes `bytes` bytes at either end of the usable pages accessible and the middle inaccessible. Otherwise each call
 * on forty bytes would need a megabyte of canaries, which takes longer than the call. */
static void open_ends(struct guard *guard, size_t bytes)
{
    set_both(guard, 0, guard->usable, PROT_READ | PROT_WRITE);
    if (2 * bytes < guard->usable) set_both(guard, bytes, guard->usable - 2 * bytes, PROT_NONE);
    guard->room_bytes = bytes;
    guard->intact = 0;
}

/* Puts canaries in the place of the last placement, if the bytes around it are known to be some. */
static void restore_canaries(struct guard *guard)
{
    if (guard->intact & 1u << guard->edge)
        memset(guard->data, CANARY, guard->length);
    else
        guard->intact = 0; /* the two ends of a small buffer have bytes in common */
}

/* The distance from the front of a placement of any alignment: 0 and odd numbers in turn, because keys have sizes of
 * which every other placement is a multiple of 16 or 32. */
static unsigned odd_address(struct guard *guard)
{
    const unsigned turn = guard->turns++;
    return harness_lenient || turn % 2 == 0 ? 0 : turn * 11 % 64;
}

uint8_t *guard_place(struct guard *guard, size_t length, unsigned alignment, enum guard_edge edge)
{
    const size_t away = harness_lenient ? LENIENT_DISTANCE : 0, page = page_size();
    size_t room = MIN_ROOM < page ? page : MIN_ROOM;
    while (room < length + 64 + 2 * LENIENT_DISTANCE) room *= 2;
    if (room > guard->usable) room = guard->usable;
    if (room < guard->room_bytes && guard->room_bytes <= MOST_ROOM * room) room = guard->room_bytes;
    restore_canaries(guard);
    if (room != guard->room_bytes) open_ends(guard, room);
    uint8_t *first = guard->pages + GUARD_BYTES, *last = first + guard->usable - away - length;
    guard->room = edge == GUARD_FRONT ? first : first + guard->usable - room;
    first += away;
    if (edge == GUARD_FRONT)
        guard->data = first + (alignment == GUARD_ANY ? odd_address(guard) : alignment);
    else
        guard->data = alignment == GUARD_ANY ? last : last - (((uintptr_t)last - alignment) % 64);
    guard->length = length;
    guard->input = guard->data + (harness_lenient ? 0 : guard->read_only);
    guard->edge = edge;
    if (!(guard->intact & 1u << edge)) memset(guard->room, CANARY, room);
    guard->intact &= ~(1u << edge); /* until guard_check has seen what the code under test does */
    return guard->data;
}

const uint8_t *guarded_copy(struct guard *guard, const void *bytes, size_t length, unsigned alignment,
                            enum guard_edge edge)
{
    uint8_t *copy = guard_place(guard, length, alignment, edge);
    if (length) memcpy(copy, bytes, length);
    return guard->input;
}

void guard_written(const void *address)
{
    for (const struct guard *guard = last_opened; guard; guard = guard->opened_before) {
        const ptrdiff_t room = (const uint8_t *)address - (guard->room + guard->read_only);
        if (!guard->read_only || room < 0 || (size_t)room >= guard->room_bytes) continue;
        const ptrdiff_t at = (const uint8_t *)address - (guard->data + guard->read_only);
        if (at >= 0 && (size_t)at < guard->length)
            harness_fail(INPUT_MODIFIED, "writes into its input: %s, byte %td", guard->name, at);
        harness_fail(BUFFER_OVERRUN, "writes outside %s: byte %td of %zu", guard->name, at, guard->length);
    }
}

/* Whether the guard pages of one of the two mappings, which begins at `pages`, contain the address. */
static int in_guard_pages(const struct guard *guard, const uint8_t *pages, const uint8_t *address)
{
    return address >= pages && address < pages + guard->usable + 2 * GUARD_BYTES;
}

void guard_missed(const void *address, int writes)
{
    const uint8_t *at = address;
    for (const struct guard *guard = last_opened; guard; guard = guard->opened_before) {
        const int is_input = guard->read_only && in_guard_pages(guard, guard->pages + guard->read_only, at);
        if (!is_input && !in_guard_pages(guard, guard->pages, at)) continue;
        const ptrdiff_t byte = at - guard->data - (is_input ? guard->read_only : 0);
        if (writes)
            harness_fail(BUFFER_OVERRUN, "writes outside %s: byte %td of %zu", guard->name, byte, guard->length);
        harness_fail(OUT_OF_BOUNDS, "reads outside %s: byte %td of %zu", guard->name, byte, guard->length);
    }
}

/* Whether all bytes from `p` to before `end` are canaries. */
static int are_canaries(const uint8_t *p, const uint8_t *end)
{
    return p >= end || (*p == CANARY && !memcmp(p, p + 1, (size_t)(end - p) - 1));
}

void guard_check(struct guard *guard, const char *name)
{
    const uint8_t *first = guard->room, *end = first + guard->room_bytes;
    const uint8_t *p = first;
    if (are_canaries(first, guard->data) && are_canaries(guard->data + guard->length, end)) {
        guard->intact |= 1u << guard->edge;
        return;
    }
    while (*p == CANARY || (p >= guard->data && p < guard->data + guard->length)) p++;
    harness_fail(BUFFER_OVERRUN, "writes outside %s: byte %td of %zu", name, p - guard->data, guard->length);
}

/* Maps large buffers in huge pages, where the kernel has some. Which small pages a process gets is chance, and so is
 * how well they fit into its caches and how often their addresses must be looked up: the cost of 8192 keys varied by a
 * quarter between processes.
 *
 * The kernel gives a process the pages that the last one has freed, so all processes of a run would have the same, and
 * another run others. This one takes more than it needs, keeps some in a random place, and gives the others back. */
static uint8_t *map_huge_pages(size_t size)
{
    const size_t whole = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE, spare = SPARE_PAGES * HUGE_PAGE;
    const uintptr_t mapped = (uintptr_t)map_pages(whole + spare + HUGE_PAGE, MAP_PRIVATE);
    uint8_t *all = (uint8_t *)((mapped + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
#ifdef MADV_HUGEPAGE
    (void)madvise(all, whole + spare, MADV_HUGEPAGE);
#endif
    for (size_t i = 0; i < whole + spare; i += HUGE_PAGE) *(volatile uint8_t *)(all + i) = 0;
    uint8_t *pages = all + (size_t)nanoseconds_now() % (SPARE_PAGES + 1) * HUGE_PAGE;
    unmap_pages(all, (size_t)(pages - all));
    unmap_pages(pages + whole, (size_t)(all + spare - pages));
    return pages;
}

void *allocate(size_t size, unsigned alignment)
{
#ifdef PLACEMENT
    alignment %= 64; /* a whole line would move what the grid puts somewhere in a page */
#endif
    size += alignment + ALIGNMENTS;
    return (size > LARGE ? map_huge_pages(size) : map_pages(size, MAP_PRIVATE)) + alignment;
}

#define OBJECTS 16

static struct guard objects[OBJECTS];
static unsigned object_count;

void *allocate_guarded(size_t size, const char *name)
{
    if (object_count == OBJECTS) return allocate(size, 0);
    struct guard *guard = &objects[object_count++];
    guard_open(guard, size, name);
    return memset(guard_place(guard, size, GUARD_ANY, GUARD_BACK), 0, size);
}

void allocated_check(void)
{
    harness_case("after all calls");
    for (unsigned i = 0; i < object_count; i++) guard_check(&objects[i], objects[i].name);
}
