/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Overwrites the branch predictor: 16,384 conditional branches, each of its own
 * address, with random outcomes, and as many turns of an indirect call. */
#include "evict.h"

#define WORDS 256
#define CALLS 64

static uint64_t outcomes[WORDS];
static uint64_t state = 1;

static uint64_t next(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state ^ state >> 29;
}

/* Branches on each of 64 bits, 16,384 / 64 times over. */
#if defined(__x86_64__)
#define BRANCHES                                     \
    ".rept 256\n\tmov (%0), %%rax\n\tadd $8, %0\n\t" \
    ".rept 64\n\tshr $1, %%rax\n\tjc 1f\n\tnop\n\t1:\n\t.endr\n\t.endr"
#define CLOBBERS "rax", "cc", "memory"
#elif defined(__aarch64__)
#define BRANCHES                        \
    ".rept 256\n\tldr x9, [%0], #8\n\t" \
    ".rept 64\n\ttbnz x9, #0, 1f\n\tnop\n\t1:\n\tlsr x9, x9, #1\n\t.endr\n\t.endr"
#define CLOBBERS "x9", "memory"
#endif

#ifdef BRANCHES

/* Functions for the indirect call, 16 bytes each. */
#define TARGETS 8
__asm__(".pushsection other_code, \"ax\", %progbits\n"
        ".balign 16\n"
        ".globl branch_targets\n"
        ".hidden branch_targets\n"
        "branch_targets:\n"
        ".rept 8\n"
        "ret\n"
        ".balign 16\n"
        ".endr\n"
        ".popsection\n");
extern const uint8_t branch_targets[] __attribute__((visibility("hidden")));

static void call_target(size_t number)
{
    void (*function)(void);
    const uint8_t *address = branch_targets + 16 * number;
    __builtin_memcpy(&function, &address, sizeof function);
    function();
}

static const char *branches_open(void)
{
    return NULL;
}

static __attribute__((noinline)) void conditional(void)
{
    const uint64_t *at = outcomes;
    __asm__ volatile(BRANCHES : "+r"(at) : : CLOBBERS);
}

static void branch(const struct range *ranges, size_t count)
{
    (void)ranges, (void)count;
    for (unsigned turn = 0; turn < 4; turn++) {
        for (size_t i = 0; i < WORDS; i++) outcomes[i] = next();
        conditional();
    }
    for (unsigned i = 0; i < 256 * CALLS; i++) call_target(next() % TARGETS);
}

#else

static const char *branches_open(void)
{
    return "no branches are written for this architecture";
}
static void branch(const struct range *ranges, size_t count)
{
    (void)ranges, (void)count;
}

#endif

EVICT_WAY("16384 branches", COLD_PREDICTOR, "", branches_open, branch);
