/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counts the code that one call of a function executes, libraries included, by
 * single-stepping a child (ptrace):
 *
 *   step FUNCTION ENTRY HIT MOST_STEPS PROGRAM ARGUMENT...
 *
 * FUNCTION and ENTRY are addresses in the program's file (hexadecimal): of the
 * function, and of its entry point. The HIT-th call is stepped through, from the
 * function's first instruction until it returns. Prints
 *
 *   executed BYTES LINES PAGES INSTRUCTIONS
 *
 * of distinct instruction bytes, the 64-byte lines and 4096-byte pages that they
 * are in, and instructions in the order of time; then, for each line,
 *
 *   line OFFSET FILE
 *
 * where the first of its executed bytes is in the file that it was loaded from.
 * Exit status 1 and a line on standard error if there is nothing to print. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096, LINE = 64, MAX_PAGES = 8192, MAX_INSTRUCTION = 15 };

static _Noreturn void stop(const char *why)
{
    (void)fprintf(stderr, "%s\n", why);
    _exit(1);
}

static pid_t child;

#include "architecture.h"

#ifndef UNSUPPORTED

/* ---- what was executed ------------------------------------------------------------- */

static struct {
    uint64_t page;
    uint8_t byte[PAGE / 8];
} *seen;
static size_t pages;

static void mark(uint64_t address)
{
    static size_t last;
    const uint64_t page = address / PAGE;
    if (last >= pages || seen[last].page != page)
        for (last = 0; last < pages && seen[last].page != page; last++) continue;
    if (last == pages) {
        if (pages == MAX_PAGES) stop("it executes more than 8192 pages");
        seen[pages++].page = page;
    }
    seen[last].byte[address % PAGE / 8] |= (uint8_t)(1u << address % 8);
}

static void print_counts(uint64_t steps)
{
    uint64_t bytes = 0, lines = 0;
    for (size_t i = 0; i < pages; i++)
        for (size_t line = 0; line < PAGE / LINE; line++) {
            unsigned count = 0;
            for (size_t k = 0; k < LINE / 8; k++)
                count += (unsigned)__builtin_popcount(seen[i].byte[line * LINE / 8 + k]);
            bytes += count;
            lines += count > 0;
        }
    (void)printf("executed %llu %llu %zu %llu\n", (unsigned long long)bytes, (unsigned long long)lines, pages,
                 (unsigned long long)steps);
}

/* ---- where it came from ------------------------------------------------------------ */

struct mapping {
    unsigned long long start, end, offset;
    char file[512];
};

/* Finds the mapping of a file that contains an address; 0: there is none. */
static int find_mapping(uint64_t address, struct mapping *found)
{
    char path[64], text[1024];
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)child);
    FILE *file = fopen(path, "re");
    int is_found = 0;
    while (file && !is_found && fgets(text, sizeof text, file))
        is_found = sscanf(text, "%llx-%llx %*s %llx %*s %*s %511[^\n]", &found->start, &found->end, &found->offset,
                          found->file) == 4 &&
                   found->file[0] == '/' && address >= found->start && address < found->end;
    if (file) (void)fclose(file);
    return is_found;
}

static void print_lines(void)
{
    struct mapping from = {0, 0, 0, ""};
    for (size_t i = 0; i < pages; i++) {
        const uint64_t page = seen[i].page * PAGE;
        if ((page < from.start || page >= from.end) && !find_mapping(page, &from)) continue;
        for (size_t at = 0, next = 0; at < PAGE; at++)
            if (at >= next && seen[i].byte[at / 8] >> at % 8 & 1) {
                next = at / LINE * LINE + LINE;
                (void)printf("line %llx %s\n", (unsigned long long)(page + at - from.start + from.offset), from.file);
            }
    }
}

/* ---- the child ----------------------------------------------------------------------- */

/* Waits for the next stop; returns its signal. */
static int await(void)
{
    int status;
    if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status)) stop("the function was not called so often");
    return WSTOPSIG(status);
}

/* Where the program was loaded, less where its file says. */
static uint64_t load_offset(uint64_t entry)
{
    char path[64];
    Elf64_auxv_t item;
    (void)snprintf(path, sizeof path, "/proc/%d/auxv", (int)child);
    FILE *file = fopen(path, "re");
    if (!file) stop("cannot read the auxiliary vector");
    while (fread(&item, sizeof item, 1, file) == 1)
        if (item.a_type == AT_ENTRY) return item.a_un.a_val - entry;
    stop("the program has no entry point");
}

static void poke(uint64_t address, uint64_t word)
{
    if (ptrace(PTRACE_POKETEXT, child, (void *)address, (void *)word)) stop("cannot set a breakpoint");
}

static void step(void)
{
    if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL)) stop("cannot step");
    while (await() != SIGTRAP)
        if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL)) stop("cannot step");
    read_registers();
}

/* Runs to the hit-th call of the function and stops before its first instruction. */
static void run_to(uint64_t function, unsigned long hit)
{
    errno = 0;
    const uint64_t original = (uint64_t)ptrace(PTRACE_PEEKTEXT, child, (void *)function, NULL);
    if (errno) stop("cannot read the function");
    const uint64_t patched = (original & ~(uint64_t)BREAKPOINT_MASK) | BREAKPOINT;
    for (unsigned long calls = 0;;) {
        int number = 0;
        poke(function, patched);
        do {
            if (ptrace(PTRACE_CONT, child, NULL, (void *)(intptr_t)number)) stop("cannot go on");
            number = await();
        } while (number != SIGTRAP);
        read_registers();
        poke(function, original);
        if (program_counter() != function + AFTER_BREAKPOINT) stop("it stops elsewhere");
        set_program_counter(function);
        if (++calls == hit) return;
        step();
    }
}

/* Marks the bytes of one instruction, from its address and that of the next in time. */
static void mark_instruction(uint64_t address, uint64_t next)
{
    uint8_t code[16] = {0};
    struct iovec local = {code, sizeof code}, remote = {(void *)address, sizeof code};
    if (process_vm_readv(child, &local, 1, &remote, 1, 0) <= 0) remote.iov_len = 1;
    size_t bytes = branch_bytes(code);
    if (!bytes) bytes = next > address && next - address <= MAX_INSTRUCTION ? (size_t)(next - address) : 1;
    for (size_t i = 0; i < bytes; i++) mark(address + i);
}

/* Addresses whose bytes are marked already, by hash: most steps repeat an instruction. */
static int is_new(uint64_t address)
{
    enum { KNOWN = 1 << 16 };
    static uint64_t known[KNOWN];
    uint64_t *place = &known[(address * UINT64_C(0x9e3779b97f4a7c15)) >> 48];
    if (*place == address) return 0;
    *place = address;
    return 1;
}

static void step_through(uint64_t most)
{
    const uint64_t back = return_address(), stack = stack_pointer();
    uint64_t steps = 0;
    for (uint64_t at = program_counter(); at != back || stack_pointer() < stack; at = program_counter()) {
        if (++steps > most) stop("it executes too many instructions to step through");
        const int fresh = is_new(at);
        step();
        if (fresh) mark_instruction(at, program_counter());
    }
    print_counts(steps);
    print_lines();
}

int main(int count, char **arguments)
{
    if (count < 6) stop("usage: step FUNCTION ENTRY HIT MOST_STEPS PROGRAM ARGUMENT...");
    const uint64_t function = strtoull(arguments[1], NULL, 16), entry = strtoull(arguments[2], NULL, 16);
    seen = calloc(MAX_PAGES, sizeof *seen);
    if (!seen) stop("out of memory");
    child = fork();
    if (child < 0) stop("cannot fork");
    if (child == 0) {
        (void)dup2(2, 1); /* the program's own records are not of interest */
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(1);
        (void)execv(arguments[5], arguments + 5);
        _exit(1);
    }
    (void)await();
    if (ptrace(PTRACE_SETOPTIONS, child, NULL, (void *)(intptr_t)PTRACE_O_EXITKILL)) stop("cannot trace");
    run_to(function + load_offset(entry), strtoul(arguments[3], NULL, 10));
    step_through(strtoull(arguments[4], NULL, 10));
    return fflush(stdout) != 0;
}

#else

int main(void)
{
    stop("no single-stepping is written for this architecture");
}

#endif
