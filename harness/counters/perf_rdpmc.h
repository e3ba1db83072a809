/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Core cycles by perf_event, read in user space with RDPMC, without a system call.
 * The index and width come from the event's mmap page (linux/perf_event.h). */
#define COUNTER_NAME "perf_rdpmc"
#define COUNTER_UNIT "core cycles"
#if defined(__linux__) && (defined(__x86_64__) || defined(__i386__))
#include "counters/perf_event.inc"
#include <sys/mman.h>

/* One for all files that read the counter, of which only one opens it. */
__attribute__((weak)) uint32_t perf_rdpmc_index;
__attribute__((weak)) unsigned perf_rdpmc_shift;

static int counter_open(const char **why)
{
    volatile struct perf_event_mmap_page *page;
    if (perf_event_cycles(why)) return -1;
    *why = "user space may not read the event; allow it in /sys/devices/cpu/rdpmc";
    page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, perf_event_fd, 0);
    if (page == MAP_FAILED) return -1;
    if (!page->cap_user_rdpmc || !page->index || !page->pmc_width) return -1;
    perf_rdpmc_index = page->index - 1;
    perf_rdpmc_shift = 64u - page->pmc_width;
    return 0;
}
static inline int64_t counter_read(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdpmc" : "=a"(low), "=d"(high) : "c"(perf_rdpmc_index) : "memory");
    return counter_fence((int64_t)(((uint64_t)high << 32 | low) << perf_rdpmc_shift) >> perf_rdpmc_shift);
}
#else
#define COUNTER_ABSENT "only on Linux on x86"
#endif
