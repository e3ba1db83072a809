# SPDX-License-Identifier: MIT OR Apache-2.0
"""Allow-lists of system calls as seccomp filters: BPF programs that bubblewrap installs before it starts a program.

No code of a submission runs before its filter: neither constructors nor resolvers of indirect functions. The format
is described in seccomp(2) and in the kernel's "Seccomp BPF"; struct sock_filter is in <linux/filter.h>.
"""

from __future__ import annotations

import errno
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from functools import cache

from cyclometer.execute.syscalls import BUILD, COMPUTE, COMPUTE_32, EMULATE, HOSTILE, NUMBERS, TALK, TRACE

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7, "riscv64": 0xC00000F3, "i386": 0x40000003}
X32_BIT = 0x40000000  # set in the numbers of x86-64's second ABI, x32

KILL_PROCESS, TRAP, ALLOW = 0x80000000, 0x00030000, 0x7FFF0000  # <linux/seccomp.h>
NOT_IMPLEMENTED, NO_TERMINAL = 0x00050000 | errno.ENOSYS, 0x00050000 | errno.ENOTTY
INVALID = 0x00050000 | errno.EINVAL

_LOAD, _AND, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06  # operation codes, <linux/bpf_common.h>
_JUMP = 0x05
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in struct seccomp_data
_INT = 0xFFFFFFFF


class Policy(StrEnum):
    """What a program in the sandbox does, which decides the system calls that it may make."""

    COMPUTE = auto()  # checks and measurements
    TALK = auto()  # measurements of a client and its server, over sockets of the sandbox's own network
    TRACE = auto()  # COMPUTE in a child that is single-stepped
    COUNT = auto()  # COMPUTE with a counter that perf_event_open provides
    EMULATE = auto()  # COMPUTE under an emulator, valgrind or a sanitizer
    BUILD = auto()  # compilers, linkers, makefiles


@dataclass(frozen=True)
class Condition:
    """If the low half of an argument, masked, has this value, the filter returns `action`."""

    argument: int
    mask: int
    value: int
    action: int


@dataclass(frozen=True)
class Rule:
    """The tests of one system call, and what the filter returns if none of them applies."""

    name: str
    tests: tuple[Condition, ...]
    otherwise: int


def any_of(argument: int, values: Sequence[int], action: int = ALLOW) -> tuple[Condition, ...]:
    """Return tests that apply if the argument has one of the values."""
    return tuple(Condition(argument, _INT, value, action) for value in values)


_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_WRITE, _EXEC, _ANONYMOUS = 2, 4, 0x20  # PROT_WRITE, PROT_EXEC, MAP_ANONYMOUS
_THREAD, _NEW_NAMESPACES = 0x00010000, 0x7E020080  # CLONE_THREAD; CLONE_NEWNS and all other CLONE_NEW flags
_PRCTL = (15, 22, 38)  # PR_SET_NAME, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS
_HARMFUL_PRCTL = (26, 35, 59)  # PR_SET_TSC, PR_SET_MM, PR_SET_SYSCALL_USER_DISPATCH
_ARCH_SET_FS = 0x1002
_ARCH_SET_CPUID = 0x1012
_TERMINAL = (0x5401,)  # TCGETS, by which the C library recognises a terminal
_PERF = (0x2400, 0x2401, 0x2403)  # PERF_EVENT_IOC_ENABLE, _DISABLE, _RESET

_IOCTL = Rule("ioctl", (), NO_TERMINAL)
_ARCH_PRCTL = Rule("arch_prctl", (*any_of(0, (_ARCH_SET_FS,)), *any_of(0, (_ARCH_SET_CPUID,), TRAP)), INVALID)
_SOCKET = Rule("socket", any_of(0, (1,)), TRAP)  # AF_UNIX
_OWN_NETWORK = Rule("socket", any_of(0, (1, 2)), TRAP)  # and AF_INET, which reaches only the sandbox's own loopback

RULES = {
    # Code can be neither made nor changed: no page is ever both writable and executable, and none becomes executable.
    Policy.COMPUTE: (
        Rule("open", (Condition(1, _WRITING, 0, ALLOW),), TRAP),
        Rule("openat", (Condition(2, _WRITING, 0, ALLOW),), TRAP),
        Rule(
            "mmap",
            (Condition(2, _EXEC, 0, ALLOW), Condition(2, _WRITE, _WRITE, TRAP), Condition(3, _ANONYMOUS, 0, ALLOW)),
            TRAP,
        ),
        Rule("mprotect", (Condition(2, _EXEC, 0, ALLOW),), TRAP),
        Rule("prctl", (*any_of(0, _PRCTL), *any_of(0, _HARMFUL_PRCTL, TRAP)), INVALID),
        _ARCH_PRCTL,
        _IOCTL,
    ),
    Policy.COUNT: (
        Rule("perf_event_open", (Condition(1, _INT, 0, ALLOW),), TRAP),  # of this process only
        Rule("ioctl", any_of(1, (*_TERMINAL, *_PERF)), NO_TERMINAL),
    ),
    Policy.TALK: (
        Rule("clone", (Condition(0, _NEW_NAMESPACES, 0, ALLOW),), TRAP),
        Rule("prctl", (*any_of(0, (*_PRCTL, 1)), *any_of(0, _HARMFUL_PRCTL, TRAP)), INVALID),  # PR_SET_PDEATHSIG
        _OWN_NETWORK,
        Rule("perf_event_open", (Condition(1, _INT, 0, ALLOW),), TRAP),
        Rule("ioctl", any_of(1, (*_TERMINAL, *_PERF)), NO_TERMINAL),
    ),
    Policy.TRACE: (Rule("clone", (Condition(0, _NEW_NAMESPACES, 0, ALLOW),), TRAP),),
    Policy.EMULATE: (
        Rule("clone", (Condition(0, _NEW_NAMESPACES | _THREAD, _THREAD, ALLOW),), TRAP),
        Rule("prctl", any_of(0, _HARMFUL_PRCTL, TRAP), ALLOW),
        _ARCH_PRCTL,
        Rule("ioctl", any_of(1, _TERMINAL), NO_TERMINAL),
    ),
    Policy.BUILD: (
        Rule("clone", (Condition(0, _NEW_NAMESPACES, 0, ALLOW),), TRAP),
        Rule("prctl", any_of(0, _HARMFUL_PRCTL, TRAP), ALLOW),
        _ARCH_PRCTL,
        _SOCKET,
        Rule("ioctl", any_of(1, (*_TERMINAL, 0x5450, 0x5451, 0x541B, 0x5421)), NO_TERMINAL),  # FIO(N)CLEX, FIONREAD
    ),
}
_LAST_I386 = 450  # the highest number that we know; the table has only some
_COMPUTE = COMPUTE | COMPUTE_32
_LISTS = {
    Policy.COMPUTE: _COMPUTE,
    Policy.COUNT: _COMPUTE,
    Policy.TRACE: TRACE,
    Policy.TALK: TALK,
    Policy.EMULATE: EMULATE,
    Policy.BUILD: BUILD,
}


@cache
def seccomp_filter(policy: Policy, machine: str = os.uname().machine, abi: str = "") -> bytes:
    """Return the BPF program of a policy, or b'' if the system calls of this machine are not known.

    With an `abi`, programs of that one are allowed as well: the sandbox starts them with programs of its own.
    """
    if machine not in NUMBERS:
        return b""
    if abi:
        own, other = seccomp_filter(policy, machine), seccomp_filter(policy, abi)
        choice = _instruction(_LOAD, _ARCHITECTURE) + _instruction(_EQUAL, ARCHITECTURES[abi], 0, 1)
        return choice + _instruction(_JUMP, len(own) // 8) + own + other
    numbers = NUMBERS[machine]
    computes = policy in (Policy.COUNT, Policy.TALK, Policy.TRACE)
    rules = {rule.name: rule for rule in (*(RULES[Policy.COMPUTE] if computes else ()), *RULES[policy])}
    program = _instruction(_LOAD, _ARCHITECTURE)
    program += _if_equal(ARCHITECTURES[machine], b"", otherwise=_instruction(_RETURN, KILL_PROCESS))
    program += _instruction(_LOAD, _NUMBER)
    if machine == "x86_64":
        program += _instruction(_AT_LEAST, X32_BIT, 0, 1) + _instruction(_RETURN, KILL_PROCESS)
    for name in sorted(_LISTS[policy] - rules.keys(), key=lambda name: numbers.get(name, 0)):
        if name in numbers:
            program += _if_equal(numbers[name], _instruction(_RETURN, ALLOW))
    for rule in rules.values():
        if rule.name in numbers:
            program += _if_equal(numbers[rule.name], _tests(rule))
    last = _LAST_I386 if machine == "i386" else max(numbers.values())
    if policy in (Policy.COMPUTE, Policy.COUNT, Policy.TALK, Policy.TRACE):  # a newer call than we know has a fallback
        program += _instruction(_AT_LEAST, last + 1, 1, 0) + _instruction(_RETURN, TRAP)
    else:
        for name in sorted(HOSTILE & numbers.keys()):
            program += _if_equal(numbers[name], _instruction(_RETURN, TRAP))
    return program + _instruction(_RETURN, NOT_IMPLEMENTED)


def _tests(rule: Rule) -> bytes:
    program = b""
    for test in rule.tests:
        program += _instruction(_LOAD, _ARGUMENTS + 8 * test.argument)  # the low half comes first: little-endian
        program += _instruction(_AND, test.mask)
        program += _if_equal(test.value, _instruction(_RETURN, test.action))
    return program + _instruction(_RETURN, rule.otherwise)


def _if_equal(value: int, then: bytes, otherwise: bytes = b"") -> bytes:
    """Compare the accumulator; `then` must return, or be empty."""
    return _instruction(_EQUAL, value, 0 if then else len(otherwise) // 8, len(then) // 8) + then + otherwise


def _instruction(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)
