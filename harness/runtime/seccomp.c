/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reports system calls that a computation does not need, by name. The sandbox has
 * an allow-list that is there before the process starts and raises SIGSYS
 * (execute/seccomp.py); the handler tells what was attempted. The filter here is a
 * second line for machines without the sandbox, and forbids what starting a process
 * needs and computing does not, such as execve. */
#define _GNU_SOURCE
#include "runtime.h"

/* Not under valgrind, which makes system calls of its own. */
#if defined(__linux__) && !defined(CYCLOMETER_CONSTANT_TIME) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "input_addresses.h"

#if defined(__x86_64__)
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static const struct forbidden {
    unsigned number;
    const char *name;
} forbidden[] = {
#ifdef SYS_fork
    {SYS_fork, "fork"},
    {SYS_vfork, "vfork"},
#endif
#ifdef SYS_creat
    {SYS_creat, "creat"},
    {SYS_unlink, "unlink"},
    {SYS_rename, "rename"},
    {SYS_mkdir, "mkdir"},
#endif
    {SYS_clone, "clone"},
    {SYS_clone3, "clone3"},
    {SYS_execve, "execve"},
    {SYS_execveat, "execveat"},
    {SYS_socket, "socket"},
    {SYS_socketpair, "socketpair"},
    {SYS_ptrace, "ptrace"},
    {SYS_process_vm_readv, "process_vm_readv"},
    {SYS_process_vm_writev, "process_vm_writev"},
    {SYS_kill, "kill"},
    {SYS_unlinkat, "unlinkat"},
    {SYS_renameat2, "renameat2"},
    {SYS_mkdirat, "mkdirat"},
    {SYS_mount, "mount"},
    {SYS_umount2, "umount2"},
    {SYS_pivot_root, "pivot_root"},
    {SYS_chroot, "chroot"},
    {SYS_unshare, "unshare"},
    {SYS_setns, "setns"},
    {SYS_symlinkat, "symlinkat"},
    {SYS_linkat, "linkat"},
    {SYS_fchmodat, "fchmodat"},
    {SYS_personality, "personality"},
    {SYS_sched_setaffinity, "sched_setaffinity"},
    {SYS_setitimer, "setitimer"},
    {SYS_timer_create, "timer_create"},
    {SYS_shmget, "shmget"},
    {SYS_memfd_create, "memfd_create"},
    {SYS_userfaultfd, "userfaultfd"},
    {SYS_bpf, "bpf"},
    {SYS_io_uring_setup, "io_uring_setup"},
    {SYS_keyctl, "keyctl"},
#ifdef SYS_mount_setattr
    {SYS_open_tree, "open_tree"},
    {SYS_move_mount, "move_mount"},
    {SYS_fsopen, "fsopen"},
    {SYS_mount_setattr, "mount_setattr"},
#endif
};
#define FORBIDDEN (sizeof forbidden / sizeof forbidden[0])

/* What the kernel passes on, with the signal, for a call that a filter here refuses. */
enum { OF_AN_INPUT = 1, OF_THE_PROGRAM, OF_A_LIMIT };

static int is_open(int number)
{
#ifdef SYS_open
    if (number == SYS_open) return 1;
#endif
    return number == SYS_openat;
}

static void report(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number;
    (void)context;
    for (size_t i = 0; i < FORBIDDEN; i++)
        if (forbidden[i].number == (unsigned)info->si_syscall)
            harness_fail(FORBIDDEN_SYSCALL, "makes the forbidden system call %s", forbidden[i].name);
    if (info->si_errno == OF_AN_INPUT) harness_fail(INPUT_MODIFIED, "makes its input writable");
    if (info->si_errno == OF_A_LIMIT) harness_fail(SIDE_EFFECT, "changes a limit of the process (setrlimit)");
    if (info->si_errno == OF_THE_PROGRAM)
        harness_fail(FORBIDDEN_SYSCALL, "changes what is mapped where the program itself is");
    if (is_open(info->si_syscall)) harness_fail(FORBIDDEN_SYSCALL, "opens a file for writing");
    if (info->si_syscall == SYS_mmap || info->si_syscall == SYS_mprotect)
        harness_fail(FORBIDDEN_SYSCALL, "makes memory executable");
    if (info->si_syscall == SYS_rt_sigaction)
        harness_fail(FORBIDDEN_SYSCALL, "handles page faults or forbidden system calls itself");
    harness_fail(FORBIDDEN_SYSCALL, "makes the forbidden system call number %d", info->si_syscall);
}

#define FIELD(f) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, f))
/* The low half of a 64-bit argument; both architectures are little-endian here. */
#define ARGUMENT(i) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (i)))
#define UPPER_HALF(i) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (i) + 4))
#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

static void install(struct sock_filter *filter, unsigned short length)
{
    struct sock_fprog program = {.len = length, .filter = filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return;
    (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

void seccomp_install(void)
{
    struct sock_filter filter[2 * FORBIDDEN + 32];
    unsigned short n = 0;
    struct sigaction action = {.sa_sigaction = report, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    (void)sigaction(SIGSYS, &action, NULL);

    filter[n++] = (struct sock_filter)FIELD(arch);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, THIS_ARCHITECTURE, 1, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    filter[n++] = (struct sock_filter)FIELD(nr);
    for (size_t i = 0; i < FORBIDDEN; i++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden[i].number, 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    /* Of a process that has lowered one of these limits, nobody could say why it ended. Without a new one, it asks. */
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 9);
    filter[n++] = (struct sock_filter)ARGUMENT(1);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RLIMIT_AS, 1, 0);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, RLIMIT_STACK, 5, 0); /* CPU, data, files */
    filter[n++] = (struct sock_filter)ARGUMENT(2);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2);
    filter[n++] = (struct sock_filter)UPPER_HALF(2);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | OF_A_LIMIT);
    filter[n++] = (struct sock_filter)FIELD(nr);
#ifdef SYS_open
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 0, 3);
    filter[n++] = (struct sock_filter)ARGUMENT(1);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITING, 3, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
#endif
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3);
    filter[n++] = (struct sock_filter)ARGUMENT(2);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, WRITING, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

    install(filter, n);
}

/* Refuses the call if its first argument is the address of an input, and one of the bits is set in another. */
static unsigned short refuse_for_inputs(struct sock_filter *filter, unsigned number, unsigned argument, unsigned bits)
{
    unsigned short n = 0;
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 6);
    filter[n++] = (struct sock_filter)ARGUMENT(argument);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 3);
    filter[n++] = (struct sock_filter)UPPER_HALF(0);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, INPUTS, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | OF_AN_INPUT);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    return n;
}

/* Refuses the call if this argument is an address near the program's. */
static unsigned short refuse_for_program(struct sock_filter *filter, unsigned number, unsigned argument, uint32_t half)
{
    unsigned short n = 0;
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
    filter[n++] = (struct sock_filter)UPPER_HALF(argument);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, half, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | OF_THE_PROGRAM);
    filter[n++] = (struct sock_filter)FIELD(nr);
    return n;
}

static uint32_t upper_half(const void *address)
{
    return (uint32_t)((uintptr_t)address >> 32);
}

/* Nothing takes the place of the harness's code, and the addresses of functions that it calls stay read-only. */
static void keep_the_program(void)
{
    struct sock_filter filter[32];
    unsigned short n = 0;
    const uint32_t half = upper_half(forbidden);
    void *elsewhere = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    /* At a fixed address, a null pointer is near it; if it is statically linked, all that is mapped later. */
    if (!half || elsewhere == MAP_FAILED || half == upper_half(elsewhere)) return;
    (void)munmap(elsewhere, 1);
    filter[n++] = (struct sock_filter)FIELD(nr);
    n += refuse_for_program(filter + n, SYS_mprotect, 0, half);
    n += refuse_for_program(filter + n, SYS_mmap, 0, half);
    n += refuse_for_program(filter + n, SYS_mremap, 0, half);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mremap, 0, 5);
    filter[n++] = (struct sock_filter)ARGUMENT(3); /* without that flag there is no new address */
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MREMAP_FIXED, 0, 3);
    filter[n++] = (struct sock_filter)UPPER_HALF(4);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, half, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP | OF_THE_PROGRAM);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    install(filter, n);
}

void seccomp_seal(int also_faults)
{
    const unsigned char faults[] = {SIGSEGV, SIGBUS};
    struct sock_filter filter[32];
    unsigned short n = 0;
    filter[n++] = (struct sock_filter)FIELD(nr);
    n += refuse_for_inputs(filter + n, SYS_mprotect, 2, PROT_WRITE);
    n += refuse_for_inputs(filter + n, SYS_mremap, 3, MREMAP_MAYMOVE); /* which makes another mapping of it */
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigaction, 1, 0);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)ARGUMENT(1); /* null: only asks */
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)ARGUMENT(0);
    filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SIGSYS, 0, 1);
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    for (size_t i = 0; also_faults && i < sizeof faults; i++) {
        filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, faults[i], 0, 1);
        filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
    }
    filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    install(filter, n);
    keep_the_program();
}

#else

void seccomp_install(void)
{
}

void seccomp_seal(int also_faults)
{
    (void)also_faults;
}

#endif
