/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef ARCHITECTURE_H
#define ARCHITECTURE_H

/* What single-stepping needs to know of an architecture: breakpoints, registers of
 * `child`, and the length of branches. step.c includes it after `child` and `stop`. */

#if defined(__x86_64__)

#define BREAKPOINT 0xccu
#define BREAKPOINT_MASK 0xffu
#define AFTER_BREAKPOINT 1 /* bytes by which the program counter is beyond it */

static struct user_regs_struct registers;

static void read_registers(void)
{
    if (ptrace(PTRACE_GETREGS, child, NULL, &registers)) stop("cannot read the registers");
}
static uint64_t program_counter(void)
{
    return registers.rip;
}
static uint64_t stack_pointer(void)
{
    return registers.rsp;
}
static void set_program_counter(uint64_t address)
{
    registers.rip = address;
    if (ptrace(PTRACE_SETREGS, child, NULL, &registers)) stop("cannot set the registers");
}
static uint64_t return_address(void)
{
    errno = 0;
    return (uint64_t)ptrace(PTRACE_PEEKDATA, child, (void *)registers.rsp, NULL);
}

static size_t modrm_bytes(const uint8_t *code)
{
    const unsigned mode = code[0] >> 6, rm = code[0] & 7;
    size_t bytes = 1;
    if (mode == 3) return bytes;
    if (rm == 4) bytes += (mode == 0 && (code[1] & 7) == 5) ? 5u : 1u;
    if (mode == 0 && rm == 5) bytes += 4;
    return bytes + (mode == 1 ? 1u : mode == 2 ? 4u : 0u);
}

static int is_prefix(uint8_t byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x36 ||
           byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65 || (byte & 0xf0) == 0x40;
}

/* The length of a branch, call or return; 0 for any other instruction, whose length is the distance to the next. */
static size_t branch_bytes(const uint8_t *code)
{
    size_t n = 0;
    while (n < 4 && is_prefix(code[n])) n++;
    const uint8_t byte = code[n];
    if ((byte & 0xf0) == 0x70 || byte == 0xeb || (byte & 0xfc) == 0xe0) return n + 2;
    if (byte == 0xe8 || byte == 0xe9) return n + 5;
    if (byte == 0x0f && (code[n + 1] & 0xf0) == 0x80) return n + 6;
    if (byte == 0xc3) return n + 1;
    if (byte == 0xc2) return n + 3;
    if (byte == 0xff && (code[n + 1] >> 3 & 7) >= 2 && (code[n + 1] >> 3 & 7) <= 5)
        return n + 1 + modrm_bytes(code + n + 1);
    return 0;
}

#elif defined(__aarch64__)

#define BREAKPOINT 0xd4200000u
#define BREAKPOINT_MASK 0xffffffffu
#define AFTER_BREAKPOINT 0

static struct user_regs_struct registers;

static void read_registers(void)
{
    struct iovec part = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &part)) stop("cannot read the registers");
}
static uint64_t program_counter(void)
{
    return registers.pc;
}
static uint64_t stack_pointer(void)
{
    return registers.sp;
}
static void set_program_counter(uint64_t address)
{
    struct iovec part = {&registers, sizeof registers};
    registers.pc = address;
    if (ptrace(PTRACE_SETREGSET, child, (void *)NT_PRSTATUS, &part)) stop("cannot set the registers");
}
static uint64_t return_address(void)
{
    return registers.regs[30];
}
static size_t branch_bytes(const uint8_t *code)
{
    (void)code;
    return 4;
}

#else
#define UNSUPPORTED
#endif

#endif
