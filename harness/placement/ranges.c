/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where code, constants and buffers are. */
#define _GNU_SOURCE
#include <link.h>
#include <string.h>

#include "place.h"
#include "placed_key.h"

struct ranges text, tables;
struct range placed_range[PLACED_BUFFERS];

/* The linker defines these for sections with such names. */
extern const uint8_t __start_harness_text[], __stop_harness_text[], __start_other_code[], __stop_other_code[];
#pragma weak __start_harness_text
#pragma weak __stop_harness_text
#pragma weak __start_other_code
#pragma weak __stop_other_code

static void add(struct ranges *ranges, const uint8_t *first, const uint8_t *end)
{
    if (first >= end || ranges->count == MAX_RANGES) return;
    ranges->of[ranges->count++] = (struct range){first, (size_t)(end - first)};
}

/* Adds what of first..end is outside the section. */
static void add_without(struct ranges *ranges, const uint8_t *first, const uint8_t *end, const uint8_t *start,
                        const uint8_t *stop)
{
    if (!start || stop <= first || start >= end) {
        add(ranges, first, end);
        return;
    }
    add(ranges, first, start);
    add(ranges, stop, end);
}

static void add_text(const uint8_t *first, const uint8_t *end)
{
    struct ranges parts = {.count = 0};
    add_without(&parts, first, end, __start_harness_text, __stop_harness_text);
    for (size_t i = 0; i < parts.count; i++)
        add_without(&text, parts.of[i].first, parts.of[i].first + parts.of[i].bytes, __start_other_code,
                    __stop_other_code);
}

static int is_loader(const char *name)
{
    return strstr(name, "/ld-") || strstr(name, "/ld.") || strstr(name, "vdso");
}

static int add_object(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (is_loader(info->dlpi_name)) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        const uintptr_t address = (uintptr_t)(info->dlpi_addr + segment->p_vaddr);
        const uint8_t *first = (const uint8_t *)address, *end = first + segment->p_memsz;
        if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
            add_text(first, end);
        else if (segment->p_type == PT_GNU_RELRO || (segment->p_type == PT_LOAD && !(segment->p_flags & PF_W)))
            add(&tables, first, end);
    }
    return 0;
}

void ranges_open(void)
{
    (void)dl_iterate_phdr(add_object, NULL);
}

void placed(enum placed_buffer which, const void *first, size_t bytes)
{
    placed_range[which] = (struct range){first, bytes};
}

const void *placed_key(const struct sample *sample, const void *key, size_t bytes)
{
    static uint8_t *room;
    static size_t room_bytes;
    if (!room || bytes > room_bytes) {
        room = allocate(bytes, 0);
        room_bytes = bytes;
    }
    uint8_t *copy = room + sample->key_alignment;
    memcpy(copy, key, bytes);
    placed(PLACED_KEY, copy, bytes);
    return copy;
}

size_t ranges_of(unsigned bit, const struct range **first)
{
    switch (bit) {
    case COLD_CODE:
        *first = text.of;
        return text.count;
    case COLD_TABLES:
        *first = tables.of;
        return tables.count;
    case COLD_KEY:
    case COLD_INPUT:
    case COLD_OUTPUT:
        *first = &placed_range[bit == COLD_KEY ? PLACED_KEY : bit == COLD_INPUT ? PLACED_INPUT : PLACED_OUTPUT];
        return (*first)->bytes > 0;
    default:
        *first = NULL;
        return 0;
    }
}

int is_beside_cold(enum placed_buffer which, unsigned cold)
{
    static const unsigned bits[PLACED_BUFFERS] = {COLD_KEY, COLD_INPUT, COLD_OUTPUT};
    const uintptr_t first = (uintptr_t)placed_range[which].first / NEIGHBOURS;
    const uintptr_t last = ((uintptr_t)placed_range[which].first + placed_range[which].bytes) / NEIGHBOURS;
    for (unsigned i = 0; i < PLACED_BUFFERS; i++) {
        const struct range *other = &placed_range[i];
        if (!(cold & bits[i]) || !other->bytes) continue;
        if ((uintptr_t)other->first / NEIGHBOURS <= last &&
            ((uintptr_t)other->first + other->bytes) / NEIGHBOURS >= first)
            return 1;
    }
    return 0;
}

const uint8_t *random_line(const struct range *ranges, size_t count)
{
    static uint64_t state = 7; /* not prng_word, which draws the inputs */
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += ranges[i].bytes;
    if (!bytes) return NULL;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    size_t at = (size_t)((state >> 11) % bytes);
    for (size_t i = 0; i < count; i++) {
        if (at < ranges[i].bytes) return ranges[i].first + at;
        at -= ranges[i].bytes;
    }
    return NULL;
}
