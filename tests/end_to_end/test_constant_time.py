# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer check --constant-time`: code that depends on a secret, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.store import open_runs
from support.command_line import CommandLine, Result
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.requirements import need
from support.small_tree import SmallTree


@pytest.fixture(autouse=True)
def _with_valgrind() -> None:
    need("valgrind")


VERIFY = """
#include "crypto_verify.h"
#include "crypto_declassify.h"
static volatile unsigned sink;
static const unsigned char table[256] = {{[5] = 1}};
int crypto_verify(const unsigned char *x, const unsigned char *y)
{{
    unsigned difference = 0;
    for (int i = 0; i < crypto_verify_BYTES; i++) difference |= x[i] ^ y[i];
    {leak}
    return (int)(1 & ((difference - 1) >> 8)) - 1;
}}
"""

# name -> (code, words of the report)
LEAKS = {
    "branches": ("for (int i = 0; i < 16; i++) if (x[i] != y[i]) return -1;", "branches on a secret: "),
    "looks-up": ("sink = table[difference];", "address depends on a secret: "),
    "divides": ("sink = 1000 / (difference + 1);", "has div"),
}


@pytest.fixture
def foreign(tmp_path: Path) -> ForeignTree:
    """Make an empty foreign tree."""
    return ForeignTree(tmp_path / "foreign")


def _check(cyclometer: CommandLine, foreign: ForeignTree) -> Result:
    return cyclometer("check", "--constant-time", "--tree", foreign.root, "--compiler", "gcc-O2")


@pytest.mark.parametrize("name", LEAKS)
def test_a_dependence_on_a_secret_is_reported_with_its_line(
    name: str, foreign: ForeignTree, cyclometer: CommandLine
) -> None:
    leak, report = LEAKS[name]
    foreign.write(f"crypto_verify/16/{name}/v.c", VERIFY.format(leak=leak))
    result = _check(cyclometer, foreign)
    assert report in result.stdout, result.stdout
    assert "(v.c:" in result.stdout


def test_an_undeclared_leak_is_an_error_with_or_without_a_promise(
    foreign: ForeignTree, cyclometer: CommandLine
) -> None:
    """A division alone is not a leak, and one of SUPERCOP's two goals alone is not a promise."""
    for name, (leak, _) in LEAKS.items():
        foreign.write(f"crypto_verify/16/{name}/v.c", VERIFY.format(leak=leak))
    for goal in ("constbranch", "constindex"):
        foreign.write(f"crypto_verify/16/branches/goal-{goal}", "")
    foreign.write("crypto_verify/16/looks-up/goal-constbranch", "")
    result = _check(cyclometer, foreign)
    assert result.status == 1
    assert result.line("LEAKS", "16 branches").endswith("(declared constant time)")
    assert result.line("LEAKS", "16 looks-up").endswith("(not declared)")
    assert result.line("constant", "16 divides")
    assert (
        result.stdout.splitlines()[-1] == "not constant time: 2 of 3 tunings, 0 of them declared so or from a library"
    )


def test_clean_code_and_code_that_declassifies_its_verdict_are_constant_time(
    foreign: ForeignTree, cyclometer: CommandLine
) -> None:
    foreign.write("crypto_verify/16/clean/v.c", GOOD_VERIFY)
    public = "crypto_declassify(&difference, sizeof difference); if (!difference) return 0;"
    foreign.write("crypto_verify/16/declares/v.c", VERIFY.format(leak=public))
    result = _check(cyclometer, foreign)
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("constant", "16 clean")
    assert result.line("constant", "16 declares")


# operation -> (sizes, an implementation that branches on its key)
EVERY_KEY = {
    "crypto_stream": (
        "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_NONCEBYTES 8\n",
        """
int crypto_stream_xor(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                      const unsigned char *k)
{
    while (mlen--) c[mlen] = m[mlen] ^ (k[0] ? n[0] : 1);
    return 0;
}
int crypto_stream(unsigned char *c, unsigned long long clen, const unsigned char *n, const unsigned char *k)
{
    while (clen) c[--clen] = n[0] ^ k[0];
    return 0;
}
""",
    ),
    "crypto_onetimeauth": (
        "#define CRYPTO_BYTES 1\n#define CRYPTO_KEYBYTES 16\n",
        """
int crypto_onetimeauth(unsigned char *a, const unsigned char *m, unsigned long long mlen, const unsigned char *k)
{
    static const unsigned char table[256] = {[3] = 1};
    *a = 0;
    while (mlen--) *a ^= table[m[mlen] ^ k[0]];
    return 0;
}
int crypto_onetimeauth_verify(const unsigned char *a, const unsigned char *m, unsigned long long mlen,
                              const unsigned char *k)
{
    unsigned char is;
    crypto_onetimeauth(&is, m, mlen, k);
    return is == *a ? 0 : -1;
}
""",
    ),
}


@pytest.mark.parametrize("operation", EVERY_KEY)
def test_secrets_are_known_where_every_call_begins_with_the_key(
    operation: str, foreign: ForeignTree, cyclometer: CommandLine
) -> None:
    api, source = EVERY_KEY[operation]
    foreign.write(f"{operation}/toy/mine/api.h", api)
    foreign.write(f"{operation}/toy/mine/toy.c", f'#include "{operation}.h"\n{source}')
    result = _check(cyclometer, foreign)
    assert result.line("LEAKS", "toy mine gcc-O2"), result.stdout
    assert "(toy.c:" in result.stdout


def test_a_broken_promise_is_an_error_and_a_kept_one_is_not(tree: SmallTree, cyclometer: CommandLine) -> None:
    """Salsa20 has no tables and promises constant time; AES with tables declares that its time depends on the key."""
    tree.plant("crypto_stream/aes-128-ctr/ref")
    result = cyclometer("check", "--constant-time", "salsa20", "aes-128-ctr")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("constant", "salsa20 ref")
    assert result.line("LEAKS", "aes-128-ctr ref").endswith("(as declared)")
    tree.change(
        "primitives/crypto_stream/aes-128-ctr/ref/implementation.toml", "constant_time = false", "constant_time = true"
    )
    result = cyclometer("check", "--constant-time", "aes-128-ctr")
    assert result.status == 1
    assert result.line("LEAKS", "aes-128-ctr ref").endswith("(declared constant time)")


def test_the_exit_status_shows_that_nothing_could_be_checked(tree: SmallTree, cyclometer: CommandLine) -> None:
    (tree.root / "operations/crypto_stream/secrets.c").unlink()
    result = cyclometer("check", "--constant-time", "salsa20")
    assert result.line("not checked", "salsa20 ref", "the operation names no secrets")
    assert result.status == 1


def test_a_run_stores_the_verdicts_and_the_table_shows_them(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.plant("crypto_stream/aes-128-ctr/ref")
    result = cyclometer("run", "--constant-time", "salsa20", "aes-128-ctr", "--rounds", "1", "--no-tables")
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        stored = runs.sql("SELECT primitive, value FROM sizes WHERE name = 'constant_time'").fetchall()
    assert dict(stored) == {"salsa20": 1, "aes-128-ctr": 0}
    shown = cyclometer("table", "--by", "tuning").stdout
    assert "constant time" in shown
    assert "time depends on secrets" in shown
