/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The trampoline of checked_call.h. It saves the callee-saved registers, fills them with known values and the others
 * with changing ones, calls the function with the arguments where they are, and compares what the function leaves. */
#include "checked_call.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

#ifdef CHECKED_CALLS

#define HIDDEN __attribute__((visibility("hidden"), used))
#define STALE_BYTES 4096

HIDDEN checked_function *checked_target;

/* In a frame of its own, which lies where the frame of the called function will. */
__attribute__((noinline)) static void fill_stack(void)
{
    static uint8_t byte;
    uint8_t stale[STALE_BYTES];
    memset(stale, byte += 0x3b, sizeof stale);
    __asm__ volatile("" : : "r"(stale) : "memory");
}

#if defined(__x86_64__)
#define STATUS_FLAGS 0x8d5u /* carry, parity, adjust, zero, sign, overflow */
#define USUAL_FLAGS 0x202u  /* no other flag set, direction included */
#define WIDE_ONE_IN 8       /* calls: SSE instructions are slower while the upper halves are in use */

HIDDEN uint64_t checked_stale[4], checked_flags; /* what vector and scratch registers hold, and the flags */
HIDDEN int checked_wide;                         /* whether the upper halves of vector registers, too */

static void fill_registers(void)
{
    static uint64_t word, count;
    for (unsigned i = 0; i < 4; i++) checked_stale[i] = word = word * UINT64_C(6364136223846793005) + 0x3b;
    checked_flags = USUAL_FLAGS | (word >> 32 & STATUS_FLAGS);
    checked_wide = ++count % WIDE_ONE_IN == 0 && __builtin_cpu_supports("avx");
}
#else
static void fill_registers(void)
{
}
#endif

#define HEAP_ONE_IN 64 /* calls: it takes longer than most of them */
#define LARGEST_CHUNK 1032 /* of those that malloc hands out again as they are */

/* Changes what memory of malloc holds, both what is new and what has been given back. */
static void fill_heap(uint64_t call)
{
    static uint8_t byte;
    if (call % HEAP_ONE_IN) return;
    byte += 0x3b;
#ifdef M_PERTURB /* of glibc; 0 would leave new memory as it is */
    (void)mallopt(M_PERTURB, byte ? byte : 1);
#endif
    for (size_t size = 24; size <= LARGEST_CHUNK; size += 16) {
        void *chunk = malloc(size);
        if (chunk) memset(chunk, byte, size);
        __asm__ volatile("" : : "r"(chunk) : "memory");
        free(chunk);
    }
}

static uint64_t calls;

uint64_t checked_calls(void)
{
    return calls;
}

void checked_prepare(checked_function *function)
{
    calls++;
    checked_target = function;
    fill_registers();
    fill_heap(calls);
    fill_stack();
}

/* What the registers hold during a call. */
HIDDEN const uint64_t checked_known[18] = {
    UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9), UINT64_C(0x94d049bb133111eb),
    UINT64_C(0x2545f4914f6cdd1d), UINT64_C(0xd1342543de82ef95), UINT64_C(0xaf251af3b0f025b5),
    UINT64_C(0xc2b2ae3d27d4eb4f), UINT64_C(0x165667b19e3779f9), UINT64_C(0x27d4eb2f165667c5),
    UINT64_C(0x85ebca77c2b2ae63), UINT64_C(0x9ddfea08eb382d69), UINT64_C(0xe7037ed1a0b428db),
    UINT64_C(0x8ebc6af09c88c6e3), UINT64_C(0x589965cc75374cc3), UINT64_C(0x1d8e4e27c47d124f),
    UINT64_C(0xeb44accab455d165), UINT64_C(0x6c8e9cf570932bd5), UINT64_C(0xff51afd7ed558ccd),
};

HIDDEN uint64_t checked_saved[24], checked_found[24]; /* before and after the call */
HIDDEN void checked_compare(void);

static void expect_same(uint64_t found, uint64_t expected, const char *name)
{
    if (found != expected) harness_fail(CALLING_CONVENTION, "does not preserve the register %s", name);
}

#if defined(__x86_64__)

enum { RETURN = 6, STACK = 7, MXCSR = 8, X87 = 9 };
enum { FLAGS = 6 };

/* clang-format off */
#define ALL(X) X("%rbx", "0") X("%rbp", "8") X("%r12", "16") X("%r13", "24") X("%r14", "32") X("%r15", "40")
#define SAVE(name, at) "movq " name ", checked_saved+" at "(%rip)\n"
#define FILL(name, at) "movq checked_known+" at "(%rip), " name "\n"
#define FIND(name, at) "movq " name ", checked_found+" at "(%rip)\n"
#define VECTORS(X) X("0") X("1") X("2") X("3") X("4") X("5") X("6") X("7") \
    X("8") X("9") X("10") X("11") X("12") X("13") X("14") X("15")
#define STALE_LOW(number) "movdqu checked_stale(%rip), %xmm" number "\n"
#define STALE_WIDE(number) "vmovdqu checked_stale(%rip), %ymm" number "\n"
#define RESTORE(name, at) "movq checked_saved+" at "(%rip), " name "\n"

__asm__(
    ".text\n"
    ".globl checked_trampoline\n"
    ".hidden checked_trampoline\n"
    ".type checked_trampoline, @function\n"
    "checked_trampoline:\n"
    "popq checked_saved+48(%rip)\n" /* the call below pushes its own return address in its place */
    ALL(SAVE)
    "movq %rsp, checked_saved+56(%rip)\n"
    "stmxcsr checked_saved+64(%rip)\n"
    "fnstcw checked_saved+72(%rip)\n"
    ALL(FILL)
    "cmpl $0, checked_wide(%rip)\n"
    "jne 1f\n"
    VECTORS(STALE_LOW)
    "jmp 2f\n"
    "1:\n"
    VECTORS(STALE_WIDE)
    "2:\n"
    "movq checked_stale(%rip), %rax\n"
    "movq %rax, %r10\n"
    "movq %rax, %r11\n"
    "pushq checked_flags(%rip)\n"
    "popfq\n"
    "call *checked_target(%rip)\n"
    ALL(FIND)
    "movq %rsp, checked_found+56(%rip)\n"
    "stmxcsr checked_found+64(%rip)\n"
    "fnstenv checked_found+72(%rip)\n" /* 28 bytes: control, status and tag words, ... */
    "fldenv checked_found+72(%rip)\n"  /* because fnstenv masks exceptions */
    "movq checked_saved+56(%rip), %rsp\n"
    "pushfq\n"
    "popq checked_found+48(%rip)\n"
    "pushq $0x202\n"
    "popfq\n"
    ALL(RESTORE)
    "pushq %rax\n"
    "pushq %rdx\n"
    "call checked_compare\n"
    "popq %rdx\n"
    "popq %rax\n"
    "pushq checked_saved+48(%rip)\n"
    "ret\n"
    ".size checked_trampoline, . - checked_trampoline\n");
/* clang-format on */

#define DIRECTION_FLAG 0x400u
#define ALIGNMENT_FLAG 0x40000u
#define MXCSR_CONTROL 0xffc0u /* the rest are exception flags, which any calculation may set */
#define X87_EMPTY 0xffffu /* of the tag word */

void checked_compare(void)
{
    static const char *const names[] = {"rbx", "rbp", "r12", "r13", "r14", "r15"};
    for (unsigned i = 0; i < 6; i++) expect_same(checked_found[i], checked_known[i], names[i]);
    expect_same(checked_found[STACK], checked_saved[STACK], "rsp");
    if (checked_found[FLAGS] & DIRECTION_FLAG) harness_fail(CALLING_CONVENTION, "leaves the direction flag set");
    if (checked_found[FLAGS] & ALIGNMENT_FLAG) harness_fail(CALLING_CONVENTION, "leaves the alignment-check flag set");
    if ((checked_found[MXCSR] ^ checked_saved[MXCSR]) & MXCSR_CONTROL)
        harness_fail(CALLING_CONVENTION, "changes the rounding mode or another control bit of MXCSR");
    if ((uint16_t)checked_found[X87] != (uint16_t)checked_saved[X87])
        harness_fail(CALLING_CONVENTION, "changes the rounding mode or another bit of the x87 control word");
    if ((uint16_t)checked_found[X87 + 1] != X87_EMPTY)
        harness_fail(CALLING_CONVENTION, "leaves the x87 stack in use (MMX instructions without emms)");
}

#else /* aarch64 */

enum { FRAME = 10, STACK = 12, VECTORS = 13, FPCR = 21 };

/* clang-format off */
#define ADDRESS(register, name) "adrp " #register ", " #name "\n" "add " #register ", " #register ", :lo12:" #name "\n"
#define GENERAL(move, base)                \
    "" #move " x19, x20, [" #base "]\n"      \
    "" #move " x21, x22, [" #base ", #16]\n" \
    "" #move " x23, x24, [" #base ", #32]\n" \
    "" #move " x25, x26, [" #base ", #48]\n" \
    "" #move " x27, x28, [" #base ", #64]\n"
#define VECTOR(move, base, at)                         \
    "" #move " d8, d9, [" #base ", #" #at "]\n"          \
    "" #move " d10, d11, [" #base ", #" #at " + 16]\n"   \
    "" #move " d12, d13, [" #base ", #" #at " + 32]\n"   \
    "" #move " d14, d15, [" #base ", #" #at " + 48]\n"
#define STORE(base)                        \
    GENERAL(stp, base)                     \
    "stp x29, x30, [" #base ", #80]\n"    \
    "mov x17, sp\n"                       \
    "str x17, [" #base ", #96]\n"         \
    VECTOR(stp, base, 104)                 \
    "mrs x17, fpcr\n"                     \
    "str x17, [" #base ", #168]\n"

__asm__(
    ".text\n"
    ".globl checked_trampoline\n"
    ".hidden checked_trampoline\n"
    ".type checked_trampoline, %function\n"
    "checked_trampoline:\n"
    ADDRESS(x16, checked_saved)
    STORE(x16)
    ADDRESS(x17, checked_known)
    GENERAL(ldp, x17)
    VECTOR(ldp, x17, 80)
    ADDRESS(x16, checked_target)
    "ldr x16, [x16]\n"
    "blr x16\n"
    ADDRESS(x16, checked_found)
    STORE(x16)
    ADDRESS(x16, checked_saved)
    "ldr x17, [x16, #96]\n"
    "mov sp, x17\n"
    GENERAL(ldp, x16)
    VECTOR(ldp, x16, 104)
    "stp x0, x1, [sp, #-16]!\n"
    "bl checked_compare\n"
    "ldp x0, x1, [sp], #16\n"
    ADDRESS(x16, checked_saved)
    "ldp x29, x30, [x16, #80]\n"
    "ret\n"
    ".size checked_trampoline, . - checked_trampoline\n");
/* clang-format on */

void checked_compare(void)
{
    static const char *const names[] = {"x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28"};
    static const char *const vectors[] = {"d8", "d9", "d10", "d11", "d12", "d13", "d14", "d15"};
    for (unsigned i = 0; i < 10; i++) expect_same(checked_found[i], checked_known[i], names[i]);
    for (unsigned i = 0; i < 8; i++) expect_same(checked_found[VECTORS + i], checked_known[10 + i], vectors[i]);
    expect_same(checked_found[FRAME], checked_saved[FRAME], "x29");
    expect_same(checked_found[STACK], checked_saved[STACK], "sp");
    if (checked_found[FPCR] != checked_saved[FPCR])
        harness_fail(CALLING_CONVENTION, "changes the rounding mode or another bit of FPCR");
}

#endif

#endif
