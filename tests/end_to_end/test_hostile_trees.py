# SPDX-License-Identifier: MIT OR Apache-2.0
"""Hostile foreign code, when compiled and when run: each attack is a failure and none succeeds."""

from __future__ import annotations

import getpass
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind
from cyclometer.store import open_runs
from support.command_line import CommandLine
from support.foreign_tree import GOOD_VERIFY, ForeignTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

ALWAYS_EQUAL = """
#include "crypto_verify.h"
int crypto_verify(const unsigned char *x, const unsigned char *y) {{ {0} return 0; }}
"""

# name -> (file, text, kind of failure; None: a wrong output)
HOSTILE = {
    "includes-the-password-file": ("v.c", '#include "/etc/passwd"\n' + GOOD_VERIFY, FailureKind.DOES_NOT_COMPILE),
    "assembles-the-password-file": (
        "v.c",
        GOOD_VERIFY + '__asm__(".section .rodata\\nloot: .incbin \\"/etc/passwd\\"\\n.text");\n',
        FailureKind.DOES_NOT_COMPILE,
    ),
    "includes-a-home": ("v.c", f'#include "{Path.home()}/.bashrc"\n' + GOOD_VERIFY, FailureKind.DOES_NOT_COMPILE),
    "is-too-large": ("v.c", GOOD_VERIFY + '__asm__(".data\\n.fill 1 << 33\\n.text");\n', FailureKind.DOES_NOT_COMPILE),
    "compares-with-its-own-memcmp": (
        "v.c",
        "int memcmp(const void *x, const void *y, unsigned long n) { return 0; }\n" + ALWAYS_EQUAL.format(""),
        None,
    ),
    "replaces-the-harness": (
        "v.c",
        "void harness_fail(int kind, const char *f, ...) { }\nvoid operation_check(void) { }\n"
        + ALWAYS_EQUAL.format(""),
        None,
    ),
    "calls-the-harness": (
        "v.c",
        "void verdict_ok(void); int records_close(void); void _exit(int);\n"
        + ALWAYS_EQUAL.format("verdict_ok(); records_close(); _exit(0);"),
        FailureKind.DOES_NOT_LINK,
    ),
    "forges-records": (
        "v.c",
        "#include <unistd.h>\n"
        + ALWAYS_EQUAL.format('for (int i = 1; i < 9; i++) (void)!write(i, "verdict\\tok\\t0\\n", 13); _exit(0);'),
        FailureKind.NO_VERDICT,
    ),
    "opens-a-socket": (
        "v.c",
        "#include <sys/socket.h>\n" + ALWAYS_EQUAL.format("socket(AF_INET, SOCK_STREAM, 0);"),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "forks": ("v.c", "#include <unistd.h>\n" + ALWAYS_EQUAL.format("fork();"), FailureKind.FORBIDDEN_SYSCALL),
    "traces": (
        "v.c",
        "#include <sys/ptrace.h>\n" + ALWAYS_EQUAL.format("ptrace(PTRACE_TRACEME, 0, 0, 0);"),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "writes-a-file": (
        "v.c",
        "#include <fcntl.h>\n" + ALWAYS_EQUAL.format('open("/tmp/spoils", O_CREAT | O_WRONLY, 0600);'),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "reads-the-password-file": (
        "v.c",
        "#include <stdio.h>\n#include <stdlib.h>\n"
        + ALWAYS_EQUAL.format('FILE *f = fopen("/etc/passwd", "r"); if (!f) abort();'),
        FailureKind.ABORTED,
    ),
    "loops": ("v.c", ALWAYS_EQUAL.format('for (;;) __asm__ volatile("");'), FailureKind.TIME_LIMIT),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_implementation_is_a_failure_and_the_good_one_passes(
    name: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "hostile")
    file, text, kind = HOSTILE[name]
    tree.write(f"crypto_verify/16/{name}/{file}", text)
    tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
    result = cyclometer(
        "check", "--tree", str(tree.root), "--compiler", "gcc-O2", "--time-limit", "3", "--format", "json"
    )
    assert result.status == 1
    assert result.kinds() == {name: kind or FailureKind.WRONG_OUTPUT}
    assert result.right() == {"good"}
    assert "root:x:" not in result.stdout + result.stderr


def test_a_hostile_header_of_sizes_does_not_affect_the_harness(tmp_path: Path, cyclometer: CommandLine) -> None:
    """api.h is evaluated in the sandbox, and only numbers are taken from it."""
    tree = ForeignTree(tmp_path / "hostile")
    tree.write("crypto_verify/16/sly/v.c", ALWAYS_EQUAL.format(""))
    tree.write(
        "crypto_verify/16/sly/api.h",
        "#define CRYPTO_BYTES 16\n#define harness_fail(...) ((void)0)\n#define memcmp(x, y, n) 0\n",
    )
    result = cyclometer("check", "--tree", str(tree.root), "--compiler", "gcc-O2")
    assert result.status == 1
    assert result.line("WRONG", "16 sly")


def test_a_run_measures_the_good_implementation_and_stores_the_failures_of_the_others(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "hostile")
    for name in ("includes-the-password-file", "forges-records", "forks"):
        tree.write(f"crypto_verify/16/{name}/{HOSTILE[name][0]}", HOSTILE[name][1])
    tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
    result = cyclometer(
        "run", "--tree", str(tree.root), "--compiler", "gcc-O2", "--rounds", "1", "--no-tables", "--time-limit", "3"
    )
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        assert runs.sql("SELECT DISTINCT implementation FROM samples").fetchall() == [("good",)]
        failed = {name for (name,) in runs.sql("SELECT implementation FROM failures").fetchall()}
    assert failed == {"includes-the-password-file", "forges-records", "forks"}


def test_a_link_out_of_the_tree_is_not_followed(tmp_path: Path, cyclometer: CommandLine) -> None:
    secret = tmp_path / "secret.c"
    secret.write_text(GOOD_VERIFY + f"/* of {getpass.getuser()} */\n", encoding="utf-8")
    tree = ForeignTree(tmp_path / "hostile")
    tree.write("crypto_verify/16/linked/readme.txt", "the source is a link\n")
    (tree.root / "crypto_verify/16/linked/v.c").symlink_to(secret)
    result = cyclometer("check", "--tree", str(tree.root), "--compiler", "gcc-O2")
    assert result.status == 1
    assert "leads out of the tree" in result.line("without", "16 linked")
