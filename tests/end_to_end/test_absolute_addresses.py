# SPDX-License-Identifier: MIT OR Apache-2.0
"""Assembly that is not position-independent: its program is not either."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind
from support.command_line import CommandLine
from support.foreign_tree import ForeignTree
from support.requirements import need

pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="written in its assembly language"),
    pytest.mark.skipif(not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"),
]

VERIFY = """
#include "crypto_verify.h"
int looked_up(unsigned difference);
int crypto_verify(const unsigned char *x, const unsigned char *y)
{
    unsigned difference = 0;
    for (int i = 0; i < 16; i++) difference |= x[i] ^ y[i];
    return looked_up(1 & ((difference - 1) >> 8));
}
"""
# The address of the table is a constant of 32 bits in the instruction (R_X86_64_32S).
LOOK = """
    .section .rodata
    .balign 4
results:
    .long -1, 0
    .text
    .globl looked_up
    .type looked_up, @function
looked_up:
    movl %edi, %edi
    movl results(,%rdi,4), %eax
    ret
    .size looked_up, . - looked_up
    .section .note.GNU-stack,"",@progbits
"""


def grow(root: Path, **more: str) -> Path:
    tree = ForeignTree(root)
    for name, text in {"right": LOOK, **more}.items():
        tree.write(f"crypto_verify/16/{name}/verify.c", VERIFY)
        tree.write(f"crypto_verify/16/{name}/look.S", text)
    return root


def test_absolute_addresses_are_linked_and_checked(tmp_path: Path, cyclometer: CommandLine) -> None:
    wrong, incomplete = LOOK.replace("-1, 0", "0, 0"), LOOK.replace("results:", "other:")
    tree = grow(tmp_path / "tree", wrong=wrong, incomplete=incomplete)
    result = cyclometer("check", "--tree", tree, "--compiler", "gcc-O2", "--format", "json")
    assert result.status == 1
    assert result.right() == {"right"}
    kinds = result.kinds()
    assert kinds.keys() == {"wrong", "incomplete"}
    assert kinds["wrong"] != FailureKind.DOES_NOT_LINK
    assert kinds["incomplete"] == FailureKind.DOES_NOT_LINK


def test_absolute_addresses_are_measured_in_several_layouts(tmp_path: Path, cyclometer: CommandLine) -> None:
    options = ("--compiler", "gcc-O2", "--rounds", "1", "--layouts", "2", "--no-tables")
    result = cyclometer("run", "--tree", grow(tmp_path / "tree"), *options)
    assert result.status == 0, result.stdout + result.stderr
    assert "right gcc-O2" in cyclometer("table", "--all").stdout
    assert "crypto_verify" not in cyclometer("table", "--failures").stdout


def test_a_table_at_an_absolute_address_is_followed(tmp_path: Path, cyclometer: CommandLine) -> None:
    need("valgrind")
    result = cyclometer("check", "--tree", grow(tmp_path / "tree"), "--constant-time", "--compiler", "gcc-O2")
    assert result.status == 1
    line = LOOK.splitlines().index("    movl results(,%rdi,4), %eax") + 1
    assert result.line("address depends on a secret", f"looked_up (look.S:{line})")
