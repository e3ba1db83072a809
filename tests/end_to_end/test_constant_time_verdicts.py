# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer check --constant-time`: functions that accept or reject, whose verdict alone is public."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from support.command_line import CommandLine
from support.foreign_tree import ForeignTree
from support.requirements import need
from support.small_tree import ONE_COMPILER, SELDOM_FASTEST, SmallTree


@pytest.fixture(autouse=True)
def _with_valgrind() -> None:
    need("valgrind")


AEAD_API = """
#define CRYPTO_KEYBYTES 16
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 8
#define CRYPTO_ABYTES 16
"""

AEAD = """
#include <string.h>
#include "crypto_aead.h"
#include "crypto_declassify.h"
typedef unsigned char byte;
static volatile int sink;
static int (*volatile compare)(const void *, const void *, size_t) = memcmp;
static void authenticate(byte *t, const byte *c, unsigned long long length, const byte *ad, unsigned long long adlen,
                         const byte *n, const byte *k)
{
    for (int i = 0; i < 16; i++) t[i] = k[i];
    for (int i = 0; i < 8; i++) t[i] ^= n[i];
    for (unsigned long long i = 0; i < adlen; i++) t[i % 16] = (byte)(5 * t[i % 16] + ad[i] + i);
    for (unsigned long long i = 0; i < length; i++) t[i % 16] = (byte)(5 * t[i % 16] + c[i] + i);
    for (int i = 0; i < 16; i++) t[(i + 1) % 16] ^= (byte)(3 * t[i]);
}
static void encipher(byte *to, const byte *from, unsigned long long length, const byte *n, const byte *k)
{
    for (unsigned long long i = 0; i < length; i++) to[i] = (byte)(from[i] ^ k[i % 16] ^ n[i % 8] ^ i);
}
static unsigned difference(const byte *x, const byte *y)
{
    unsigned all = 0;
    for (int i = 0; i < 16; i++) all |= x[i] ^ y[i];
    return all;
}
int crypto_aead_encrypt(byte *c, unsigned long long *clen, const byte *m, unsigned long long mlen, const byte *ad,
                        unsigned long long adlen, const byte *nsec, const byte *n, const byte *k)
{
    encipher(c, m, mlen, n, k);
    authenticate(c + mlen, c, mlen, ad, adlen, n, k);
    *clen = mlen + 16;
    return 0;
}
FUNCTION
int crypto_aead_decrypt(byte *m, unsigned long long *mlen, byte *nsec, const byte *c, unsigned long long clen,
                        const byte *ad, unsigned long long adlen, const byte *n, const byte *k)
{
    byte t[16];
    if (clen < 16) return -1;
    clen -= 16;
    authenticate(t, c, clen, ad, adlen, n, k);
    BODY
    return 0;
}
"""

OPEN = "*mlen = clen; encipher(m, c, clen, n, k);"

# name -> the rest of decryption, with the leak in a line of its own
LEAKING_DECRYPTION = {
    "ends-early": f"for (int i = 0; i < 16; i++)\n if (t[i] != c[clen + i]) return -1;\n{OPEN}",
    "in-halves": "if (memcmp(t, c + clen, 8)) return -1;\nif (memcmp(t + 8, c + clen + 8, 8)) return -1;\n" + OPEN,
    "calls-memcmp": f"if (compare(t, c + clen, 16)) return -1;\n{OPEN}",
    "asks-the-key": f"if (k[3] & 1) sink++;\nif (difference(t, c + clen)) return -1;\n{OPEN}",
    "asks-the-text": f"if (difference(t, c + clen)) return -1;\n{OPEN}\nif (clen && m[0] == 7) sink++;",
}

CALLEE = """
static int opened(byte *m, const byte *c, unsigned long long clen, const byte *t, const byte *n, const byte *k)
{
    if (difference(t, c + clen)) return -2;
    encipher(m, c, clen, n, k);
    return 0;
}
"""

# name -> a function, and the rest of decryption
CONSTANT_DECRYPTION = {
    "branches-once": ("", f"if (difference(t, c + clen)) return -1;\n{OPEN}"),
    "nested": (
        CALLEE,
        "*mlen = clen; int r = opened(m, c, clen, t, n, k); if (r < 0) { memset(m, 0, clen); return r; }",
    ),
    "wipes": ("", f"{OPEN}\nif (difference(t, c + clen)) {{ memset(m, 0, clen); return -1; }}"),
    "allocates": (
        "#include <stdlib.h>",
        "byte *copy = malloc(clen + 1);\nencipher(copy, c, clen, n, k);\nunsigned d = difference(t, c + clen);\n"
        "if (!d) memcpy(m, copy, clen), *mlen = clen;\nfree(copy);\nif (d) return -1;",
    ),
    "declassifies": (
        "",
        "unsigned d = difference(t, c + clen); crypto_declassify(&d, sizeof d);\nif (d) return -1;\n" + OPEN,
    ),
}

AUTH_API = "#define CRYPTO_BYTES 16\n#define CRYPTO_KEYBYTES 16\n"

AUTH = """
#include "crypto_auth.h"
int crypto_auth(unsigned char *a, const unsigned char *m, unsigned long long mlen, const unsigned char *k)
{
    for (int i = 0; i < 16; i++) a[i] = k[i];
    for (unsigned long long i = 0; i < mlen; i++) a[i % 16] = (unsigned char)(5 * a[i % 16] + m[i] + i);
    return 0;
}
int crypto_auth_verify(const unsigned char *a, const unsigned char *m, unsigned long long mlen, const unsigned char *k)
{
    unsigned char is[16];
    unsigned all = 0;
    crypto_auth(is, m, mlen, k);
    BODY
}
"""

AUTH_BODIES = {
    "LEAKS": "for (int i = 0; i < 16; i++) if (is[i] != a[i]) return -1;\nreturn 0;",
    "constant": "for (int i = 0; i < 16; i++) all |= is[i] ^ a[i];\nif (all) return -1;\nreturn 0;",
}

# The command line of the process tells that instructions are counted.
ONLY_WHILE_COUNTED = """
#include <stdlib.h>
static int counted;
__attribute__((constructor)) static void look(int count, char **arguments)
{
    for (int i = 1; i < count; i++) counted |= !strcmp(arguments[i], "verifications");
}
"""


@pytest.fixture
def foreign(tmp_path: Path) -> ForeignTree:
    """Make an empty foreign tree."""
    return ForeignTree(tmp_path / "foreign")


def _write_aead(foreign: ForeignTree, name: str, body: str, function: str = "") -> None:
    foreign.write(f"crypto_aead/toy/{name}/api.h", AEAD_API)
    foreign.write(f"crypto_aead/toy/{name}/toy.c", AEAD.replace("FUNCTION", function).replace("BODY", body))


def test_decryption_that_leaks_is_told_from_a_branch_on_the_verdict(
    foreign: ForeignTree, cyclometer: CommandLine
) -> None:
    for name, body in LEAKING_DECRYPTION.items():
        _write_aead(foreign, name, body)
    for name, (function, body) in CONSTANT_DECRYPTION.items():
        _write_aead(foreign, name, body, function)
    result = cyclometer("check", "--constant-time", "--tree", foreign.root, "--compiler", "gcc-O2")
    for name in LEAKING_DECRYPTION:
        assert result.line("LEAKS", f"toy {name} gcc-O2"), result.stdout
    for name in CONSTANT_DECRYPTION:
        assert result.line("constant", f"toy {name} gcc-O2"), result.stdout
    assert result.status == 1


def test_the_line_of_a_comparison_that_ends_early_is_reported(foreign: ForeignTree, cyclometer: CommandLine) -> None:
    _write_aead(foreign, "mine", LEAKING_DECRYPTION["ends-early"])
    result = cyclometer("check", "--constant-time", "--tree", foreign.root, "--compiler", "gcc-O2")
    text = (foreign.root / "crypto_aead/toy/mine/toy.c").read_text(encoding="utf-8")
    number = next(i for i, line in enumerate(text.splitlines(), 1) if "if (t[i] != c[clen + i])" in line)
    assert f"branches on a secret: crypto_aead_toy_mine_decrypt (toy.c:{number})" in result.stdout


@pytest.mark.parametrize("verdict", AUTH_BODIES)
def test_verification_of_a_tag_is_followed(verdict: str, foreign: ForeignTree, cyclometer: CommandLine) -> None:
    foreign.write("crypto_auth/toy/mine/api.h", AUTH_API)
    foreign.write("crypto_auth/toy/mine/toy.c", AUTH.replace("BODY", AUTH_BODIES[verdict]))
    result = cyclometer("check", "--constant-time", "--tree", foreign.root, "--compiler", "gcc-O2")
    assert result.line(verdict, "toy mine gcc-O2"), result.stdout


def test_decryption_that_cannot_be_counted_is_not_called_constant(
    foreign: ForeignTree, cyclometer: CommandLine
) -> None:
    function, body = CONSTANT_DECRYPTION["branches-once"]
    _write_aead(foreign, "mine", f"if (counted) abort();\n{body}", function + ONLY_WHILE_COUNTED)
    result = cyclometer("check", "--constant-time", "--tree", foreign.root, "--compiler", "gcc-O2")
    assert result.line("not checked", "toy mine gcc-O2", "decryption or verification was not followed: ")
    assert result.status == 1


def test_secrets_are_followed_with_every_compiler_that_check_uses(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write("toolchains/gcc.toml", dedent(ONE_COMPILER) + dedent(SELDOM_FASTEST))
    result = cyclometer("check", "--constant-time", "salsa20")
    assert result.line("constant", "salsa20 ref gcc-O2"), result.stdout
    assert result.line("constant", "salsa20 ref gcc-Os"), result.stdout
