/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Measures the stack usage of a call by running it on a painted stack. */
#define _GNU_SOURCE
#include <stdint.h>

#include "harness.h"

#ifdef __GLIBC__
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAINT 0x5b
#define SIZE ((size_t)8 << 20)

static ucontext_t here, there;
static uint8_t *stack;
static void (*current_call)(void);

static void trampoline(void)
{
    current_call();
}

static void nothing(void)
{
}

static size_t depth(void (*call)(void))
{
    size_t untouched = 0;
    for (size_t i = 0; i < SIZE; i++) stack[i] = PAINT;
    if (getcontext(&there)) harness_fail(HARNESS_ERROR, "cannot create a stack");
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = SIZE;
    there.uc_link = &here;
    current_call = call;
    makecontext(&there, trampoline, 0);
    if (swapcontext(&here, &there)) harness_fail(HARNESS_ERROR, "cannot switch to another stack");
    while (untouched < SIZE && stack[untouched] == PAINT) untouched++;
    return SIZE - untouched;
}

uint64_t stack_bytes(void (*call)(void))
{
    if (!stack) {
        const size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *pages = mmap(NULL, SIZE + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE))
            harness_fail(HARNESS_ERROR, "out of memory for a stack");
        stack = pages + page;
    }
    call(); /* so that lazy binding and tables built by the first call do not count */
    const size_t total = depth(call), overhead = depth(nothing);
    return total > overhead ? total - overhead : 0;
}

#else /* a C library without contexts, such as musl */

uint64_t stack_bytes(void (*call)(void))
{
    (void)call;
    return UINT64_MAX; /* unknown: record_info leaves it out */
}

#endif
