/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Runs code that does nothing, a line after another: it replaces what is in the
 * instruction cache where no instruction flushes it. The same code is what runs
 * between calls when a sample asks for so many KiB of other code. */
#include "evict.h"

/* A block is a function of 1 KiB: 15 lines that jump to the next, and one that returns. */
#define BLOCK 1024

#if defined(__x86_64__) || defined(__i386__)
#define JUMP "jmp 1f"
#elif defined(__aarch64__)
#define JUMP "b 1f"
#elif defined(__riscv)
#define JUMP "j 1f"
#endif

#ifdef JUMP
/* In a section of its own, which is not evicted with the code of the implementation. */
__asm__(".pushsection other_code, \"ax\", %progbits\n"
        ".balign 64\n"
        ".globl other_code_blocks\n"
        ".hidden other_code_blocks\n"
        "other_code_blocks:\n"
        ".rept 2048\n"
        ".rept 15\n" JUMP "\n.balign 64\n1:\n.endr\n"
        "ret\n"
        ".balign 64\n"
        ".endr\n"
        ".popsection\n");
extern const uint8_t other_code_blocks[] __attribute__((visibility("hidden")));

void run_other_code(size_t kib)
{
    for (size_t i = 0; i < kib && i < OTHER_CODE_KIB; i++) {
        void (*block)(void);
        const uint8_t *address = other_code_blocks + i * BLOCK;
        __builtin_memcpy(&block, &address, sizeof block);
        block();
    }
}

const uint8_t *other_code_start(void)
{
    return other_code_blocks;
}

static const char *code_open(void)
{
    return NULL;
}
#else
const uint8_t *other_code_start(void)
{
    return NULL;
}

void run_other_code(size_t kib)
{
    (void)kib;
}
static const char *code_open(void)
{
    return "no other code is written for this architecture";
}
#endif

static void code_walk(const struct range *ranges, size_t count)
{
    (void)ranges, (void)count;
    run_other_code(OTHER_CODE_KIB);
}

EVICT_WAY("code walk", COLD_CODE, "L2", code_open, code_walk);
