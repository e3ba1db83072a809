/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Flushes line by line, from all levels of cache, code and data alike. */
#include "evict.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

static int has_clflushopt;

static const char *flush_open(void)
{
    unsigned a, b = 0, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(d >> 19 & 1)) return "the CPU has no clflush";
    has_clflushopt = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 23 & 1);
    return NULL;
}

static void flush_range(const uint8_t *first, const uint8_t *end)
{
    if (has_clflushopt)
        for (const uint8_t *p = first; p < end; p += LINE) __asm__ volatile("clflushopt %0" ::"m"(*p));
    else
        for (const uint8_t *p = first; p < end; p += LINE) __asm__ volatile("clflush %0" ::"m"(*p));
}

static void flush_done(void)
{
    __asm__ volatile("mfence" ::: "memory");
}

#elif defined(__aarch64__)

/* Linux lets user code run all of these (SCTLR_EL1.UCI). */
static const char *flush_open(void)
{
    return NULL;
}

static void flush_range(const uint8_t *first, const uint8_t *end)
{
    for (const uint8_t *p = first; p < end; p += LINE)
        __asm__ volatile("dc civac, %0\n\tic ivau, %0" ::"r"(p) : "memory");
}

static void flush_done(void)
{
    __asm__ volatile("dsb ish\n\tisb" ::: "memory");
}

#else

static const char *flush_open(void)
{
    return "this architecture has no instruction for user code that flushes a line";
}
static void flush_range(const uint8_t *first, const uint8_t *end)
{
    (void)first, (void)end;
}
static void flush_done(void)
{
}

#endif

/* While the fence waits, a CPU fetches the code that it predicts, and brings back lines just flushed (Intel: one call
 * in ten). Its queue does not reach beyond a loop. */
static void wait_for_fetches(void)
{
    for (unsigned turn = 0; turn < 2000; turn++) __asm__ volatile("" : "+r"(turn));
}

static void flush(const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint8_t *first = ranges[i].first - (uintptr_t)ranges[i].first % LINE;
        flush_range(first, ranges[i].first + ranges[i].bytes);
    }
    flush_done();
    wait_for_fetches();
}

EVICT_WAY("line flush", COLD_CODE | COLD_DATA, "memory", flush_open, flush);
