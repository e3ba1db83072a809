# SPDX-License-Identifier: MIT OR Apache-2.0
"""The seccomp filters, run by an interpreter of their BPF programs; the numbers are compared with the C headers."""

from __future__ import annotations

import platform
import re
import struct
import subprocess
from pathlib import Path

import pytest

from cyclometer.execute.seccomp import ALLOW, ARCHITECTURES, KILL_PROCESS, NOT_IMPLEMENTED, TRAP, Policy, seccomp_filter
from cyclometer.execute.syscalls import BUILD, COMPUTE, EMULATE, HOSTILE, NUMBERS
from support.requirements import need

I386 = 0x40000003
MACHINES = sorted(ARCHITECTURES.keys() - {"i386"})


def verdict(policy: Policy, name: str, *arguments: int, machine: str = "x86_64") -> int:
    """Return the filter's action for a system call."""
    return interpret(seccomp_filter(policy, machine), NUMBERS[machine][name], ARCHITECTURES[machine], arguments)


def interpret(program: bytes, number: int, architecture: int, arguments: tuple[int, ...] = ()) -> int:
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *(value % 2**64 for value in padded))
    instructions = list(struct.iter_unpack("=HBBI", program))
    accumulator = at = 0
    while True:
        code, if_true, if_false, operand = instructions[at]
        at += 1
        if code == 0x20:  # BPF_LD | BPF_W | BPF_ABS
            [accumulator] = struct.unpack_from("<I", data, operand)
        elif code == 0x54:  # BPF_ALU | BPF_AND | BPF_K
            accumulator &= operand
        elif code == 0x15:  # BPF_JMP | BPF_JEQ | BPF_K
            at += if_true if accumulator == operand else if_false
        elif code == 0x35:  # BPF_JMP | BPF_JGE | BPF_K
            at += if_true if accumulator >= operand else if_false
        elif code == 0x05:  # BPF_JMP | BPF_JA
            at += operand
        else:
            assert code == 0x06, "BPF_RET | BPF_K"
            return int(operand)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("policy", Policy)
def test_a_filter_is_a_program_that_the_kernel_takes(policy: Policy, machine: str) -> None:
    instructions = list(struct.iter_unpack("=HBBI", seccomp_filter(policy, machine)))
    assert len(instructions) <= 4096
    for at, (code, if_true, if_false, _) in enumerate(instructions):
        assert code == 0x06 or at + 1 + max(if_true, if_false) < len(instructions)
    assert instructions[-1][0] == 0x06


@pytest.mark.parametrize("policy", Policy)
def test_a_foreign_abi_ends_the_process(policy: Policy) -> None:
    x86_64 = seccomp_filter(policy, "x86_64")
    assert interpret(x86_64, 0, I386) == KILL_PROCESS
    assert interpret(x86_64, 0x40000000, ARCHITECTURES["x86_64"]) == KILL_PROCESS, "x32"
    assert interpret(x86_64, 0, ARCHITECTURES["aarch64"]) == KILL_PROCESS


@pytest.mark.parametrize("machine", MACHINES)
def test_computing_needs_little(machine: str) -> None:
    for name in ("read", "write", "munmap", "exit_group"):
        assert verdict(Policy.COMPUTE, name, machine=machine) == ALLOW
    forbidden = ["socket", "clone", "kill", "unlinkat", "sched_setaffinity", "shmget", "memfd_create", "timer_create"]
    for name in (*forbidden, "symlinkat", "fchmodat", "personality", *(HOSTILE & NUMBERS[machine].keys())):
        assert verdict(Policy.COMPUTE, name, machine=machine) == TRAP, name


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("policy", [Policy.EMULATE, Policy.BUILD])
def test_no_build_changes_the_machine(policy: Policy, machine: str) -> None:
    for name in HOSTILE & NUMBERS[machine].keys():
        assert verdict(policy, name, machine=machine) == TRAP, name
    assert verdict(policy, "clone3", machine=machine) == NOT_IMPLEMENTED, "its flags are in memory"


def test_calls_are_restricted_by_their_arguments() -> None:
    assert verdict(Policy.COMPUTE, "openat", 0, 0, 0o2000000) == ALLOW
    assert verdict(Policy.COMPUTE, "openat", 0, 0, 1) == TRAP
    assert verdict(Policy.COMPUTE, "mmap", 0, 4096, 5, 2) == ALLOW, "the loader maps code of a file"
    assert verdict(Policy.COMPUTE, "mmap", 0, 4096, 7, 2) == TRAP, "writable code"
    assert verdict(Policy.COMPUTE, "mmap", 0, 4096, 5, 0x22) == TRAP, "code of no file"
    assert verdict(Policy.COMPUTE, "mprotect", 0, 4096, 3) == ALLOW
    assert verdict(Policy.COMPUTE, "mprotect", 0, 4096, 5) == TRAP
    assert verdict(Policy.COMPUTE, "prctl", 26, 2) == TRAP, "PR_SET_TSC"
    assert verdict(Policy.COMPUTE, "arch_prctl", 0x1012, 0) == TRAP, "ARCH_SET_CPUID"
    assert verdict(Policy.COMPUTE, "arch_prctl", 0x1002, 0) == ALLOW, "ARCH_SET_FS"
    assert verdict(Policy.COMPUTE, "perf_event_open", 0, 0, -1, -1, 0) == TRAP
    assert verdict(Policy.COUNT, "perf_event_open", 0, 0, -1, -1, 0) == ALLOW
    assert verdict(Policy.COUNT, "perf_event_open", 0, -1, 0, -1, 0) == TRAP, "of all processes"
    assert verdict(Policy.BUILD, "clone", 0x4100) == ALLOW
    assert verdict(Policy.BUILD, "clone", 0x10000000) == TRAP, "CLONE_NEWUSER"
    assert verdict(Policy.BUILD, "socket", 1) == ALLOW
    assert verdict(Policy.BUILD, "socket", 2) == TRAP, "AF_INET"


def test_a_32_bit_program_may_do_what_a_64_bit_one_may() -> None:
    """The sandbox starts it with programs of this machine, which keep their own list."""
    both = seccomp_filter(Policy.COMPUTE, "x86_64", "i386")
    numbers = NUMBERS["i386"]
    for name in ("read", "write", "exit_group", "set_thread_area", "fstat64", "clock_gettime64"):
        assert interpret(both, numbers[name], I386) == ALLOW, name
    for name, number in {"fork": 2, "socketcall": 102, "clone": 120, "old mmap": 90, "socket": 359}.items():
        assert interpret(both, number, I386) == TRAP, name
    assert interpret(both, numbers["mmap"], I386, (0, 4096, 7, 2)) == TRAP, "writable code"
    assert interpret(both, numbers["mmap"], I386, (0, 4096, 5, 2)) == ALLOW
    assert interpret(both, numbers["openat"], I386, (0, 0, 1)) == TRAP
    assert interpret(both, 999, I386) == NOT_IMPLEMENTED
    own, x86_64 = seccomp_filter(Policy.COMPUTE, "x86_64"), ARCHITECTURES["x86_64"]
    for number in NUMBERS["x86_64"].values():
        assert interpret(both, number, x86_64) == interpret(own, number, x86_64)


def test_a_call_that_is_newer_than_the_tables_fails_and_does_no_harm() -> None:
    for policy in Policy:
        assert interpret(seccomp_filter(policy, "x86_64"), 999, ARCHITECTURES["x86_64"]) == NOT_IMPLEMENTED


def test_every_name_is_a_system_call() -> None:
    known = NUMBERS["x86_64"].keys() | NUMBERS["aarch64"].keys()
    assert (COMPUTE | EMULATE | BUILD | HOSTILE) - known <= {"riscv_hwprobe"}
    assert not BUILD & HOSTILE


def test_the_numbers_are_those_of_the_headers() -> None:
    need("gcc")
    text = "#include <sys/syscall.h>\n"
    macros = subprocess.run(
        ["gcc", "-E", "-dM", "-x", "c", "-"], input=text, capture_output=True, text=True, check=True
    ).stdout
    header = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)$", macros, re.MULTILINE)}
    ours = NUMBERS.get(platform.machine(), {})
    shared = ours.keys() & header.keys()
    if platform.machine() == "x86_64":
        file = Path("/usr/include/x86_64-linux-gnu/asm/unistd_32.h")
        text = file.read_text(encoding="utf-8") if file.exists() else ""
        numbers = {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)$", text, re.MULTILINE)}
        i386 = {("mmap2" if name == "mmap" else name): number for name, number in NUMBERS["i386"].items()}
        assert not numbers or i386 == {name: numbers[name] for name in i386}
    assert len(shared) > 250 or not ours
    assert {name: ours[name] for name in shared} == {name: header[name] for name in shared}
