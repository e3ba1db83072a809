# SPDX-License-Identifier: MIT OR Apache-2.0
"""Hostile foreign code, when compiled and when run: each attack is a failure and none succeeds."""

from __future__ import annotations

import getpass
import json
import os
import platform
from pathlib import Path
from textwrap import dedent

import pytest

from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind
from cyclometer.store import open_runs
from support.command_line import CommandLine, Result
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.processes import wait_until_none_has
from support.small_tree import ONE_COMPILER, SmallTree

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

ALWAYS_EQUAL = """
#include "crypto_verify.h"
int crypto_verify(const unsigned char *x, const unsigned char *y) {{ {0} return 0; }}
"""

# System calls without the C library, which is not there yet when resolvers of indirect functions run.
SYSTEM_CALL = """
static long call(long number, long a, long b, long c, long d, long e)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    __asm__ volatile("syscall" : "+a"(number) : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return number;
}
"""

RESOLVER = """
static int equal(const unsigned char *x, const unsigned char *y) {{ return 0; }}
static int (*resolve(void))(const unsigned char *, const unsigned char *) {{ {0} return equal; }}
#include "crypto_verify.h"
int crypto_verify(const unsigned char *x, const unsigned char *y) __attribute__((ifunc("resolve")));
"""

# mount_setattr("/usr", AT_RECURSIVE, {attr_clr: MOUNT_ATTR_RDONLY}), then a file there
MAKE_USR_WRITABLE = (
    "unsigned long attributes[4] = {0, 1, 0, 0};"
    ' call(442, -100, (long)"/usr", 0x8000, (long)attributes, sizeof attributes);'
    ' call(2, (long)"/usr/spoils", 0101, 0600, 0, 0);'
)

LISTS_ENVIRONMENTS = """
#include <stdio.h>
#include <stdlib.h>
static void list(void)
{
    for (int pid = 1; pid < 40000; pid++) {
        char name[40];
        snprintf(name, sizeof name, "/proc/%d/environ", pid);
        FILE *file = fopen(name, "r");
        for (int c; file && (c = fgetc(file)) != EOF;) fputc(c ? c : '\\n', stderr);
        if (file) fclose(file);
    }
    abort();
}
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
    "makes-code-writable": (
        "v.c",
        GOOD_VERIFY + '__asm__(".section .text.own,\\"awx\\",@progbits\\n.byte 0xc3\\n.text");\n',
        FailureKind.DOES_NOT_LINK,
    ),
    "overwrites-its-arguments": (
        "v.c",
        "#include <string.h>\n"
        "__attribute__((constructor)) static void look(int count, char **arguments)\n"
        "{ for (int i = 0; i < count; i++) memset(arguments[i], 65, strlen(arguments[i])); }\n" + GOOD_VERIFY,
        FailureKind.SIDE_EFFECT,
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
    "makes-the-system-writable": (
        "v.c",
        SYSTEM_CALL + ALWAYS_EQUAL.format(MAKE_USR_WRITABLE),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "resolves-by-writing": (
        "v.c",
        SYSTEM_CALL + RESOLVER.format('call(2, (long)"/tmp/spoils", 0101, 0600, 0, 0);'),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "resolves-by-a-socket": (
        "v.c",
        SYSTEM_CALL + RESOLVER.format("call(41, 2, 1, 0, 0, 0);"),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "resolves-by-reading-the-key": (
        "v.c",
        SYSTEM_CALL + RESOLVER.format("char key[32]; call(0, 0, (long)key, sizeof key, 0, 0);"),
        FailureKind.NO_VERDICT,
    ),
    "reads-the-requests-first": (
        "v.c",
        "#include <unistd.h>\n"
        + "__attribute__((constructor)) static void early(void) { char s[4096]; (void)!read(0, s, sizeof s); }\n"
        + ALWAYS_EQUAL.format(""),
        None,
    ),
    "starts-first": (
        "v.c",
        ALWAYS_EQUAL.format("")
        + "static void first(void) { }\n"
        + '__attribute__((section(".preinit_array"), used)) static void (*const early)(void) = first;\n',
        FailureKind.DOES_NOT_LINK,
    ),
    "makes-the-timer-trap": (
        "v.c",
        "#include <sys/prctl.h>\n" + ALWAYS_EQUAL.format("prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);"),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "changes-the-harness": (
        "v.c",
        "#include <sys/mman.h>\nint main(int, char **);\n"
        + ALWAYS_EQUAL.format("mprotect((void *)((long)main & -4096), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);"),
        FailureKind.FORBIDDEN_SYSCALL,
    ),
    "fills-the-memory": (
        "v.c",
        "#include <stdlib.h>\n" + ALWAYS_EQUAL.format("for (;;) *(volatile char *)calloc(1, 1 << 20) = 1;"),
        FailureKind.MEMORY_LIMIT,
    ),
    "prints-for-ever": (
        "v.c",
        "#include <unistd.h>\nstatic char text[1 << 16];\n"
        + ALWAYS_EQUAL.format("for (;;) (void)!write(2, text, sizeof text);"),
        FailureKind.OUTPUT_LIMIT,
    ),
    "reads-the-environments-of-others": (
        "v.c",
        LISTS_ENVIRONMENTS + ALWAYS_EQUAL.format("list();"),
        FailureKind.ABORTED,
    ),
    "assembles-the-passwords": (
        "v.c",
        GOOD_VERIFY + '__asm__(".section .rodata\\nloot: .incbin \\"/etc/shadow\\"\\n.text");\n',
        FailureKind.DOES_NOT_COMPILE,
    ),
    "loops": ("v.c", ALWAYS_EQUAL.format('for (;;) __asm__ volatile("");'), FailureKind.TIME_LIMIT),
}


# In seconds. Of the others 60, for a busy machine takes many to fill the memory; they come first, so that the good one
# is known to be right where it would have 3.
LIMITS = {FailureKind.TIME_LIMIT: "3"}


@pytest.fixture(scope="module")
def checked(
    tmp_path_factory: pytest.TempPathFactory, unchanged_tree: SmallTree, build_cache: Path
) -> dict[str, Result]:
    """Check at once all hostile implementations that have one time limit, beside a good one: limit -> result."""
    results = {}
    for limit in ("60", "3"):
        folder = tmp_path_factory.mktemp("hostile")
        tree = ForeignTree(folder / "tree")
        tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
        for name, (file, text, kind) in HOSTILE.items():
            if LIMITS.get(kind, "60") == limit:
                tree.write(f"crypto_verify/16/{name}/{file}", text)
        command = ("check", "--tree", str(tree.root), "--compiler", "gcc-O2", "--time-limit", limit, "--format", "json")
        cyclometer = CommandLine(tree=unchanged_tree.root, cache=build_cache, results=folder / "results")
        results[limit] = cyclometer(*command, LOOT="root:x:loot")
    return results


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_implementation_is_a_failure(name: str, checked: dict[str, Result]) -> None:
    _, _, kind = HOSTILE[name]
    assert checked[LIMITS.get(kind, "60")].kinds()[name] == (kind or FailureKind.WRONG_OUTPUT)


def test_hostile_implementations_have_no_effect_and_the_good_one_passes(checked: dict[str, Result]) -> None:
    for result in checked.values():
        assert result.status == 1
        assert result.right() == {"good"}
        assert "root:x:" not in result.stdout + result.stderr
    assert not Path("/usr/spoils").exists()
    assert not Path("/tmp/spoils").exists()


def test_a_source_that_assembles_its_compilers_environment_gets_nothing(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "hostile")
    loot = '__asm__(".data\\n.incbin \\"/proc/self/environ\\"\\n.incbin \\"/proc/1/environ\\"\\n.text");\n'
    tree.write("crypto_verify/16/spy/v.c", f"/* {tmp_path} */" + GOOD_VERIFY + loot)
    cache = tmp_path / "cache"
    cyclometer(
        *("check", "--tree", str(tree.root), "--compiler", "gcc-O2"), CYCLOMETER_CACHE=str(cache), SECRET="loot-4711"
    )
    objects = list(cache.rglob("*.o"))
    assert objects
    assert not any(b"loot-4711" in path.read_bytes() for path in objects)


ENDS_IF_THE_STACK_IS_EXECUTABLE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void look(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "[stack]") && strstr(line, "rwxp")) abort();
}
"""


@pytest.mark.parametrize("note", ["", '.section .note.GNU-stack,"x",@progbits\n'], ids=["none", "executable"])
def test_assembly_that_does_not_care_about_the_stack_is_right_and_the_stack_is_not_executable(
    note: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "assembly")
    tree.write("crypto_verify/16/mine/more.S", ".text\n.globl more\nmore:\nret\n" + note)
    code = "void more(void);\n" + GOOD_VERIFY.replace("unsigned diff", "more(); unsigned diff")
    tree.write("crypto_verify/16/mine/v.c", ENDS_IF_THE_STACK_IS_EXECUTABLE + code)
    result = cyclometer("check", "--tree", str(tree.root), "--compiler", "gcc-O2", "--format", "json")
    assert result.right() == {"mine"}


# What the makefile of a library in the tree does before it builds the library: name -> (commands, kind, reason)
RUNS = "$(CC) -o attack attack.c && ./attack"
HOSTILE_MAKEFILES = {
    "makes-the-system-writable": (RUNS, FailureKind.DOES_NOT_COMPILE, "Bad system call"),
    "writes-a-file": ("echo spoils > /usr/spoils", FailureKind.DOES_NOT_COMPILE, "spoils"),
    "writes-in-the-tree": ("echo spoils > {tree}/spoils", FailureKind.DOES_NOT_COMPILE, "spoils"),
    "reads-the-password-file": ("cat /etc/passwd", FailureKind.DOES_NOT_COMPILE, "/etc/passwd"),
    "makes-a-thousand-processes": (
        "for i in $$(seq 2000); do sleep 60 & done; wait",
        FailureKind.TOOL_FAILED,
        "makes more than 512 processes",
    ),
    "fills-the-disk": (
        "for i in $$(seq 40); do fallocate -l 200M $$i; done; sleep 60",
        FailureKind.OUTPUT_LIMIT,
        "writes more than 4096 megabytes",
    ),
    "leaves-a-process-behind": ("setsid sleep {years} & exit 1", FailureKind.DOES_NOT_COMPILE, "Error 1"),
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the system calls are those of x86-64")
@pytest.mark.parametrize("name", HOSTILE_MAKEFILES)
def test_a_hostile_makefile_fails_and_leaves_nothing_behind(name: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    commands, kind, reason = HOSTILE_MAKEFILES[name]
    years = f"314{os.getpid()}"  # seconds, which no other test waits at the same time
    tree = ForeignTree(tmp_path / "hostile")
    tree.write("s2n-bignum/include/s2n-bignum.h", "int bignum_eq(void);\n")
    commands = commands.replace("{tree}", str(tree.root)).replace("{years}", years)
    tree.write("s2n-bignum/x86/Makefile", f"all:\n\t{commands}\n")
    tree.write("s2n-bignum/x86/attack.c", SYSTEM_CALL + f"int main(void) {{ {MAKE_USR_WRITABLE} return 0; }}")
    tree.write("crypto_verify/16/mine/v.c", "#include <s2n-bignum.h>\n" + GOOD_VERIFY)
    result = cyclometer("check", "--tree", str(tree.root), "--compiler", "gcc-O2", "--format", "json")
    assert result.status == 1
    assert result.kinds() == {"mine": kind}
    assert reason in result.stdout
    assert not Path("/usr/spoils").exists()
    assert not (tree.root / "spoils").exists()
    wait_until_none_has(years)


def test_a_source_that_never_ends_costs_one_time_limit_for_all_compilers(
    tmp_path: Path, tree: SmallTree, cyclometer: CommandLine
) -> None:
    """Those that begin together exceed it together; the others do not begin."""
    variants = [f'[[variant]]\nname = "gcc-O{n}"\nflags = ["-O{n}"]\nreason = "one of six"\n' for n in "013gs"]
    tree.write("toolchains/gcc.toml", dedent(ONE_COMPILER) + "\n".join(variants))
    hostile = ForeignTree(tmp_path / "hostile")
    hostile.write("crypto_verify/16/bomb/v.c", "#include __FILE__\n#include __FILE__\n" + GOOD_VERIFY)
    result = cyclometer("check", "--tree", str(hostile.root), "--time-limit", "1", "--format", "json")
    assert result.status == 1
    failures = json.loads(result.stdout)["failures"]
    assert [failure["kind"] for failure in failures] == 6 * [FailureKind.TIME_LIMIT]
    begun = [failure for failure in failures if "still running after 5 s" in failure["reason"]]
    not_begun = [failure for failure in failures if failure["reason"].startswith("not built: ")]
    assert len(begun) + len(not_begun) == 6
    assert 1 <= len(begun) <= (os.cpu_count() or 1)


# Sources that grow without end while they are compiled.
BOMBS = {
    "doubles-a-macro": "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40))
    + "#define A0 1,\nint x[] = {A40};\n",
    "repeats-in-assembly": '__asm__(".rept 1000000\\n.rept 1000000\\nnop\\n.endr\\n.endr\\n");\n',
    "includes-itself": "#if __COUNTER__ < 1000000\n#include __FILE__\n#include __FILE__\n#endif\n",
    "includes-zeros": '__asm__(".data\\n.incbin \\"/dev/zero\\"\\n.text");\n',
}


def test_sources_that_grow_without_end_are_failures(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "hostile")
    tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
    command = ("check", "--tree", str(tree.root), "--compiler", "gcc-O2", "--format", "json")
    assert cyclometer(*command).right() == {"good"}  # remembered: beside bombs, a second may not be enough
    for name, bomb in BOMBS.items():
        tree.write(f"crypto_verify/16/{name}/v.c", bomb + GOOD_VERIFY)
    result = cyclometer(*command, "--time-limit", "1")
    endings = {FailureKind.DOES_NOT_COMPILE, FailureKind.TIME_LIMIT, FailureKind.OUTPUT_LIMIT, FailureKind.TOOL_FAILED}
    assert result.right() == {"good"}
    assert set(result.kinds()) == set(BOMBS)
    assert set(result.kinds().values()) <= endings


def test_without_a_sandbox_a_foreign_tree_is_refused_unless_it_is_trusted(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in Path("/usr/bin").iterdir():
        if tool.name != "bwrap":
            (tools / tool.name).symlink_to(tool)
    tree = ForeignTree(tmp_path / "foreign")
    tree.write("crypto_verify/16/good/v.c", GOOD_VERIFY)
    command = ("check", "--tree", str(tree.root), "--compiler", "gcc-O2")
    cyclometer(*command, PATH=str(tools)).complains("sandbox", "bubblewrap is not installed", "--unsafe")
    trusted = cyclometer(*command, "--unsafe", PATH=str(tools))
    assert trusted.status == 0, trusted.stderr
    assert "no sandbox, only limits: bubblewrap is not installed" in trusted.stderr


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
    result = cyclometer("run", "--tree", str(tree.root), "--compiler", "gcc-O2", "--rounds", "1", "--no-tables")
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


def test_a_message_of_a_compiler_names_no_other_tree(tmp_path: Path, cyclometer: CommandLine) -> None:
    """What does not compile is not compiled again where the same files stand in another folder."""
    for name in ("one", "two"):
        tree = ForeignTree(tmp_path / name)
        tree.write("crypto_verify/16/mine/v.c", GOOD_VERIFY.replace("return", "returns"))
        result = cyclometer("check", "--tree", str(tree.root), "--compiler", "gcc-O2", "-v")
        assert result.status == 1
        shown = result.stdout + result.stderr
        assert "v.c:7:14: error" in shown
        assert f"{tmp_path / 'one'}/" not in shown
