# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer check --constant-time: what follows a secret, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.store import open_runs
from support.command_line import CommandLine, Said
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
    {deed}
    return (int)(1 & ((difference - 1) >> 8)) - 1;
}}
"""

# name -> (what it does, what the report says of it)
DEEDS = {
    "branches": ("for (int i = 0; i < 16; i++) if (x[i] != y[i]) return -1;", "branches on a secret: "),
    "looks-up": ("sink = table[difference];", "address depends on a secret: "),
    "divides": ("sink = 1000 / (difference + 1);", "has div"),
}


@pytest.fixture
def theirs(tmp_path: Path) -> ForeignTree:
    """A tree of somebody else's, still empty."""
    return ForeignTree(tmp_path / "theirs")


def _followed(cyclometer: CommandLine, theirs: ForeignTree) -> Said:
    return cyclometer("check", "--constant-time", "--tree", theirs.root, "--compiler", "gcc-O2")


@pytest.mark.parametrize("name", DEEDS)
def test_what_depends_on_a_secret_is_named_with_its_line(
    name: str, theirs: ForeignTree, cyclometer: CommandLine
) -> None:
    deed, report = DEEDS[name]
    theirs.write(f"crypto_verify/16/{name}/v.c", VERIFY.format(deed=deed))
    said = _followed(cyclometer, theirs)
    assert report in said.stdout, said.stdout
    assert "(v.c:" in said.stdout


def test_what_leaks_without_declaring_it_is_an_error_whether_it_promised_or_not(
    theirs: ForeignTree, cyclometer: CommandLine
) -> None:
    """A division is no verdict; what the two goals of SUPERCOP promise is only told, as one of them alone."""
    for name, (deed, _) in DEEDS.items():
        theirs.write(f"crypto_verify/16/{name}/v.c", VERIFY.format(deed=deed))
    for goal in ("constbranch", "constindex"):
        theirs.write(f"crypto_verify/16/branches/goal-{goal}", "")
    theirs.write("crypto_verify/16/looks-up/goal-constbranch", "")
    said = _followed(cyclometer, theirs)
    assert said.status == 1
    assert said.line("LEAKS", "16 branches").endswith("(declared constant time)")
    assert said.line("LEAKS", "16 looks-up").endswith("(not declared)")
    assert said.line("constant", "16 divides")
    assert said.stdout.splitlines()[-1] == "not constant time: 2 of 3 tunings, 0 of them declared so or from a library"


def test_clean_code_and_what_declares_its_verdict_public_are_constant(
    theirs: ForeignTree, cyclometer: CommandLine
) -> None:
    theirs.write("crypto_verify/16/clean/v.c", GOOD_VERIFY)
    public = "crypto_declassify(&difference, sizeof difference); if (!difference) return 0;"
    theirs.write("crypto_verify/16/declares/v.c", VERIFY.format(deed=public))
    said = _followed(cyclometer, theirs)
    assert said.status == 0, said.stdout + said.stderr
    assert said.line("constant", "16 clean")
    assert said.line("constant", "16 declares")


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
    operation: str, theirs: ForeignTree, cyclometer: CommandLine
) -> None:
    api, source = EVERY_KEY[operation]
    theirs.write(f"{operation}/toy/mine/api.h", api)
    theirs.write(f"{operation}/toy/mine/toy.c", f'#include "{operation}.h"\n{source}')
    said = _followed(cyclometer, theirs)
    assert said.line("LEAKS", "toy mine gcc-O2"), said.stdout
    assert "(toy.c:" in said.stdout


def test_a_broken_promise_is_an_error_and_a_kept_one_is_none(tree: SmallTree, cyclometer: CommandLine) -> None:
    """Salsa20 has no table and promises none; AES by tables says that its time depends on the key."""
    tree.plant("crypto_stream/aes-128-ctr/ref")
    said = cyclometer("check", "--constant-time", "salsa20", "aes-128-ctr")
    assert said.status == 0, said.stdout + said.stderr
    assert said.line("constant", "salsa20 ref")
    assert said.line("LEAKS", "aes-128-ctr ref").endswith("(as declared)")
    tree.change(
        "primitives/crypto_stream/aes-128-ctr/ref/implementation.toml", "constant_time = false", "constant_time = true"
    )
    said = cyclometer("check", "--constant-time", "aes-128-ctr")
    assert said.status == 1
    assert said.line("LEAKS", "aes-128-ctr ref").endswith("(declared constant time)")


def test_where_nothing_could_be_followed_the_status_says_so(tree: SmallTree, cyclometer: CommandLine) -> None:
    (tree.root / "operations/crypto_stream/secrets.c").unlink()
    said = cyclometer("check", "--constant-time", "salsa20")
    assert said.line("not checked", "salsa20 ref", "the operation names no secrets")
    assert said.status == 1


def test_a_run_stores_the_verdicts_and_the_table_shows_them(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.plant("crypto_stream/aes-128-ctr/ref")
    said = cyclometer("run", "--constant-time", "salsa20", "aes-128-ctr", "--rounds", "1", "--no-tables")
    assert said.status == 0, said.stderr
    with open_runs(cyclometer.results) as runs:
        stored = runs.sql("SELECT primitive, value FROM sizes WHERE name = 'constant_time'").fetchall()
    assert dict(stored) == {"salsa20": 1, "aes-128-ctr": 0}
    shown = cyclometer("table", "--by", "tuning").stdout
    assert "constant time" in shown
    assert "time depends on secrets" in shown
