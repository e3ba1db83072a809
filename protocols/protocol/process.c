/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What differs between this process and that of a primitive: it starts a server and opens sockets, so the sandbox
 * around it confines it instead of the harness's filter; a wait for the other end is no disturbance; and allocations
 * are counted. */
#define _GNU_SOURCE
#include "process.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime.h"
#include "session.h"

void seccomp_install(void)
{
}

void seccomp_seal(int also_faults)
{
    (void)also_faults;
}

static long forgiven; /* context switches that were part of calls */
static long began = -1; /* switches at the start of calls under way; -1: none are */

static long switches_now(void)
{
    struct rusage usage;
    (void)syscall(SYS_getrusage, RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

void switches_begin(void)
{
    began = switches_now();
}

void switches_end(void)
{
    forgiven += switches_now() - began;
    began = -1;
}

/* Stands before the C library's: a call over a socket waits for the other end, and that is what is measured. */
int getrusage(__rusage_who_t who, struct rusage *usage)
{
    if (syscall(SYS_getrusage, who, usage)) return -1;
    if (who == RUSAGE_THREAD) {
        usage->ru_nvcsw = (began < 0 ? usage->ru_nvcsw + usage->ru_nivcsw : began) - forgiven;
        usage->ru_nivcsw = 0;
    }
    return 0;
}

#ifdef __GLIBC__
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

__attribute__((visibility("default"))) void *malloc(size_t bytes)
{
    account->allocations++;
    return __libc_malloc(bytes);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t bytes)
{
    account->allocations++;
    return __libc_calloc(count, bytes);
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t bytes)
{
    account->allocations++;
    return __libc_realloc(old, bytes);
}
#endif
