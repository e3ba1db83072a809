/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes all access from many pages and gives it back. For a few pages the kernel
 * drops their translations one by one; for more (33 on x86-64, 512 on aarch64)
 * it drops all of the process, which is what is wanted. The caches keep their
 * lines. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "evict.h"

#ifdef __aarch64__
#define PAGES 1024
#else
#define PAGES 64
#endif

static uint8_t *pages;
static size_t page, bytes;

static const char *protect_open(void)
{
    page = (size_t)sysconf(_SC_PAGESIZE);
    bytes = PAGES * page;
    pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return "no memory for pages to protect";
#ifdef MADV_NOHUGEPAGE
    (void)madvise(pages, bytes, MADV_NOHUGEPAGE);
#endif
    if (mprotect(pages, bytes, PROT_NONE) || mprotect(pages, bytes, PROT_READ | PROT_WRITE))
        return "mprotect is not allowed here";
    return NULL;
}

static void protect(const struct range *ranges, size_t count)
{
    (void)ranges, (void)count;
    for (size_t i = 0; i < bytes; i += page) pages[i] = 1; /* only pages that exist have translations to drop */
    (void)mprotect(pages, bytes, PROT_NONE);
    (void)mprotect(pages, bytes, PROT_READ | PROT_WRITE);
}

EVICT_WAY("mprotect", COLD_TLB, "", protect_open, protect);
