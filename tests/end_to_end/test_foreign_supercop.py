# SPDX-License-Identifier: MIT OR Apache-2.0
"""A tree in SUPERCOP's layout, written here: listed, built with the headers it expects, checked against its sums."""

from __future__ import annotations

import platform
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine, Said
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.small_tree import REPOSITORY

# Those of crypto_hash/sha256 in SUPERCOP 20260330.
SHA256 = {
    "checksumsmall": "0fb5122d471d9310c4ff212c64a73cc985f0826484c24f34b56cb1d39534ba24",
    "checksumbig": "55ff5e29282c4d7d192a20b427c000ec121fcda33dd96d53aa8857e3f2dd1469",
}
GCC = ("--compiler", "gcc-O2")

# FIPS 180-4's compression as our own implementations have it, behind SUPERCOP's function.
HASH = """
#include "crypto_hash.h"
#include "crypto_uint32.h"
#include <string.h>
#include "sha256.h"
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    crypto_uint32 state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char last[128] = {0};
    unsigned long long rest = inlen % 64, end = rest < 56 ? 64 : 128;
    blocks(state, in, inlen / 64);
    memcpy(last, in + inlen - rest, rest);
    last[rest] = 0x80;
    for (int i = 0; i < 8; i++) last[end - 1 - i] = (unsigned char)(8 * inlen >> 8 * i);
    blocks(state, last, end / 64);
    for (int i = 0; i < 8; i++) crypto_uint32_store_bigendian(out + 4 * i, state[i]);
    return 0;
}
"""

# A helper with a name that every tree has, and no name space.
COMPRESSION = """
#include "sha256.h"
#include "crypto_uint32.h"
static crypto_uint32 turn(crypto_uint32 x, int n) { return x >> n | x << (32 - n); }
static const crypto_uint32 k[64] = {%s};
void blocks(crypto_uint32 *h, const unsigned char *in, unsigned long long count)
{
    for (; count; count--, in += 64) {
        crypto_uint32 w[64], s[8];
        for (int i = 0; i < 16; i++) w[i] = crypto_uint32_load_bigendian(in + 4 * i);
        for (int i = 16; i < 64; i++)
            w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
                   (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
        for (int i = 0; i < 8; i++) s[i] = h[i];
        for (int i = 0; i < 64; i++) {
            const crypto_uint32 t = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                                    ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
            const crypto_uint32 u = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) +
                                    ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            for (int j = 7; j > 0; j--) s[j] = s[j - 1];
            s[4] += t;
            s[0] = t + u;
        }
        for (int i = 0; i < 8; i++) h[i] += s[i];
    }
}
"""

# Stands on two other primitives of the tree by nothing but its includes.
AUTH = """
#include "crypto_auth.h"
#include "crypto_hash_sha256.h"
#include "crypto_verify_32.h"
#include <string.h>
int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen, const unsigned char *k)
{
    static unsigned char inner[crypto_auth_KEYBYTES + 70000], outer[64 + crypto_hash_sha256_BYTES];
    memset(outer, 0x5c, 64), memset(inner, 0x36, 64);
    for (int i = 0; i < crypto_auth_KEYBYTES; i++) inner[i] ^= k[i], outer[i] ^= k[i];
    memcpy(inner + 64, in, inlen);
    crypto_hash_sha256(outer + 64, inner, 64 + inlen);
    return crypto_hash_sha256(out, outer, sizeof outer);
}
int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    unsigned char right[crypto_auth_BYTES];
    crypto_auth(right, in, inlen, k);
    return crypto_verify_32(h, right);
}
"""


def _cube_root_fraction(prime: int) -> int:
    """FIPS 180-4, section 4.2.2: the first 32 bits of the fractional part of its cube root."""
    scaled, low, high = prime << 96, 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= scaled else (low, middle)
    return low & 0xFFFFFFFF


def _constants() -> str:
    primes = [n for n in range(2, 312) if all(n % d for d in range(2, n))][:64]
    return ", ".join(f"0x{_cube_root_fraction(prime):08x}" for prime in primes)


@pytest.fixture
def foreign(tmp_path: Path) -> ForeignTree:
    """verify/32, and hash/sha256 with its checksums."""
    tree = ForeignTree(tmp_path / "supercop")
    tree.write("version", "20260330\n")
    tree.write("MACROS", "crypto_hash\ncrypto_hash_BYTES\n")
    tree.write("crypto_verify/32/mine/api.h", "#define CRYPTO_BYTES 32\n")
    tree.write("crypto_verify/32/mine/verify.c", GOOD_VERIFY)
    tree.write("crypto_hash/sha256/mine/sub/api.h", "#define CRYPTO_BYTES 32\n")
    tree.write("crypto_hash/sha256/mine/sub/hash.c", HASH)
    tree.write("crypto_hash/sha256/mine/sub/compression.c", COMPRESSION % _constants())
    tree.write(
        "crypto_hash/sha256/mine/sub/sha256.h",
        '#include "crypto_uint32.h"\n#define blocks CRYPTO_NAMESPACE(blocks)\n'
        "void blocks(crypto_uint32 *, const unsigned char *, unsigned long long);\n",
    )
    for name, value in SHA256.items():
        tree.write(f"crypto_hash/sha256/{name}", value + "\n")
    return tree


# Diffie-Hellman modulo 2^61 - 1. DRAWN bytes make a secret key, of which the last eight are used.
DH = """
#include "crypto_dh.h"
#include "crypto_uint64.h"
#include "randombytes.h"
static crypto_uint64 power(crypto_uint64 base, const unsigned char *exponent)
{
    const crypto_uint64 p = ((crypto_uint64)1 << 61) - 1;
    crypto_uint64 result = 1;
    for (int bit = 63; bit >= 0; bit--) {
        result = (crypto_uint64)((unsigned __int128)result * result % p);
        if (exponent[bit / 8] >> bit % 8 & 1) result = (crypto_uint64)((unsigned __int128)result * base % p);
    }
    return result;
}
int crypto_dh_keypair(unsigned char *pk, unsigned char *sk)
{
    unsigned char drawn[DRAWN];
    randombytes(drawn, sizeof drawn);
    for (int i = 0; i < 8; i++) sk[i] = drawn[DRAWN - 8 + i];
    crypto_uint64_store(pk, power(37, sk));
    return 0;
}
int crypto_dh(unsigned char *s, const unsigned char *pk, const unsigned char *sk)
{
    crypto_uint64_store(s, power(crypto_uint64_load(pk), sk));
    return 0;
}
"""

# Of a library that the tree carries.
HEADERLESS = ('#include "crypto_verify.h"', "enum { crypto_verify_BYTES = 32 };")
CALLS_LIBRARY = """
#include <s2n-bignum.h>
#include "crypto_verify.h"
int crypto_verify(const unsigned char *x, const unsigned char *y) { return bignum_eq(x, y); }
"""


def _check(cyclometer: CommandLine, foreign: ForeignTree, *words: str) -> Said:
    return cyclometer("check", "--tree", foreign.root, *GCC, *words)


def test_what_is_there_is_listed_with_what_is_left_out(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_hash/sha256/theirs/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_hash/sha256/theirs/architectures", "pdp11\n")
    foreign.write("crypto_hash/sha256/rust/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_hash/sha256/rust/Cargo.toml", "")
    said = cyclometer("run", "--tree", foreign.root, "--list")
    assert said.status == 0
    assert said.line("crypto_hash sha256 mine/sub") == "crypto_hash sha256 mine/sub"
    assert "for pdp11 only" in said.line("sha256 theirs")
    assert "Rust" in said.line("sha256 rust")
    assert "SUPERCOP 20260330" in said.line("4 implementations of 2 primitives, 2 left out")


def test_right_checksums_confirm_an_implementation(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    said = _check(cyclometer, foreign)
    assert said.status == 0, said.stdout
    assert said.line("ok", "crypto_hash sha256 mine/sub")
    assert said.line("ok", "crypto_verify 32 mine")


@pytest.mark.parametrize("name", SHA256)
def test_another_checksum_is_wrong(name: str, cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write(f"crypto_hash/sha256/{name}", "00" * 32)
    said = _check(cyclometer, foreign, "crypto_hash")
    assert said.status == 1
    assert f"{name} is {SHA256[name]}, not {'00' * 32}" in said.line("WRONG", "sha256 mine/sub")


def test_a_verdict_is_not_remembered_for_another_checksum(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    assert _check(cyclometer, foreign, "crypto_hash").status == 0
    foreign.write("crypto_hash/sha256/checksumsmall", "11" * 32)
    assert _check(cyclometer, foreign, "crypto_hash").status == 1


def test_an_include_is_a_dependency(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_auth/hmacsha256/mine/api.h", "#define CRYPTO_BYTES 32\n#define CRYPTO_KEYBYTES 32\n")
    foreign.write("crypto_auth/hmacsha256/mine/auth.c", AUTH)
    said = _check(cyclometer, foreign, "crypto_auth")
    assert said.status == 0, said.stdout
    assert said.line("ok", "crypto_auth hmacsha256 mine")


def test_what_is_left_out_of_a_dependency_is_told_to_those_who_ask_for_it(
    cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    foreign.write("crypto_auth/hmacsha256/mine/api.h", "#define CRYPTO_BYTES 32\n#define CRYPTO_KEYBYTES 32\n")
    foreign.write("crypto_auth/hmacsha256/mine/auth.c", AUTH)
    foreign.write("crypto_hash/sha256/theirs/api.h", "")
    foreign.write("crypto_hash/sha256/theirs/architectures", "pdp11\n")
    assert "sha256 theirs" not in _check(cyclometer, foreign, "crypto_auth").stdout
    said = _check(cyclometer, foreign, "crypto_auth", "crypto_hash")
    assert "for pdp11 only" in said.line("without", "sha256 theirs")


def test_why_something_does_not_compile_is_told_when_asked(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_verify/32/worse/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_verify/32/worse/v.c", GOOD_VERIFY + "int unfinished(void) { return 1\n")
    said = _check(cyclometer, foreign, "crypto_verify")
    assert said.line("WRONG", "32 worse").endswith(": does not compile")
    assert "error: expected ';'" in _check(cyclometer, foreign, "crypto_verify", "--verbose").stdout


def test_a_library_that_is_missing_is_named_and_no_mistake(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_hash/sha256/xkcp/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_hash/sha256/xkcp/hash.c", "#include <libkeccak.a.headers/KeccakHash.h>\n" + HASH)
    if Path("/usr/include/libkeccak.a.headers").exists():
        pytest.skip("this machine has that library")
    said = _check(cyclometer, foreign, "crypto_hash")
    assert said.status == 0, said.stdout
    assert "needs the library xkcp" in said.line("without", "sha256 xkcp")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the folder of the library is another machine's")
def test_a_library_that_the_tree_carries_is_built(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    library = "s2n-bignum"
    foreign.write(f"{library}/include/s2n-bignum.h", "int bignum_eq(const unsigned char *, const unsigned char *);\n")
    foreign.write(f"{library}/x86/Makefile", "libs2nbignum.a: eq.o\n\tar rcs $@ $<\neq.o: eq.c\n\t$(CC) -O -c $<\n")
    foreign.write(f"{library}/x86/eq.c", GOOD_VERIFY.replace("crypto_verify(", "bignum_eq(").replace(*HEADERLESS))
    foreign.write("crypto_verify/32/carried/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_verify/32/carried/verify.c", CALLS_LIBRARY)
    assert _check(cyclometer, foreign, "crypto_verify").line("ok", "32 carried")
    foreign.write("crypto_verify/32/carried/api.h", "#include <s2n-bignum.h>\n#define CRYPTO_BYTES 32\n")
    assert _check(cyclometer, foreign, "crypto_verify").line("ok", "32 carried")
    declared = "int bignum_eq(const unsigned char *, const unsigned char *);"
    foreign.write("crypto_verify/32/carried/verify.c", CALLS_LIBRARY.replace("#include <s2n-bignum.h>", declared))
    assert _check(cyclometer, foreign, "crypto_verify").line("ok", "32 carried")
    said = cyclometer(
        *("run", "--tree", foreign.root, *GCC, "crypto_verify", "--implementation", "carried"),
        *("--rounds", "1", "--patience", "0", "--no-tables"),
    )
    assert said.status == 0, said.stderr
    [run] = list_runs(cyclometer.results)
    assert run.info
    assert run.info.facts["libraries"] == "s2n-bignum of the tree"
    foreign.write("crypto_verify/32/carried/verify.c", CALLS_LIBRARY)
    foreign.write(f"{library}/x86/eq.c", "int bignum_eq(void) { return 0; }\n")
    assert _check(cyclometer, foreign, "crypto_verify").line("WRONG", "32 carried")
    foreign.write(f"{library}/x86/eq.c", "unfinished")
    said = _check(cyclometer, foreign, "crypto_verify")
    assert "a vendored library does not build" in said.line("WRONG", "32 carried")


def test_a_header_of_the_folder_does_not_stand_before_the_generated_one(
    cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    foreign.write("crypto_verify/32/mine/crypto_verify.h", "")
    assert _check(cyclometer, foreign, "crypto_verify").line("ok", "32 mine")


def test_declassify_may_be_called_undeclared(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    declared = "void crypto_declassify(const void *, unsigned long long);\n"
    calls = GOOD_VERIFY.replace("    unsigned", "    crypto_declassify(x, 32);\n    unsigned")
    foreign.write("crypto_verify/32/mine/verify.c", declared + calls)
    assert _check(cyclometer, foreign, "crypto_verify").line("ok", "32 mine")


def test_a_source_that_is_a_link_to_nothing_is_named(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    (foreign.root / "crypto_verify/32/mine/more.c").symlink_to("../gone/more.c")
    foreign.write("crypto_verify/32/other/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_verify/32/other/verify.c", GOOD_VERIFY)
    said = _check(cyclometer, foreign, "crypto_verify")
    assert "more.c is a link to nothing" in said.line("without", "32 mine")
    assert said.line("ok", "32 other")


def test_a_slow_implementation_has_the_time_that_its_checksum_takes(
    cyclometer: CommandLine, foreign: ForeignTree, tmp_path: Path
) -> None:
    cyclometer = replace(cyclometer, cache=tmp_path / "cache")  # which remembers how long another call waited
    pause = "struct timespec pause = {0, 10000000}; nanosleep(&pause, 0);"
    slow = "#include <time.h>\n" + HASH.replace("    blocks(state, in,", f"    {pause}\n    blocks(state, in,")
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", slow)
    said = _check(cyclometer, foreign, "crypto_hash", "--time-limit", "1")
    assert said.line("ok", "sha256 mine/sub")
    assert "--time-limit" in said.line("warning", "sha256 mine/sub")
    said = _check(cyclometer, foreign, "crypto_hash", "--time-limit", "2", "--format", "json")
    assert said.kinds("warning") == {"mine/sub": "time_limit"}


def test_broken_implementations_are_wrong_and_others_are_not(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    verify = "crypto_verify/32"
    for name, change in {
        "forgetful": ("i < crypto_verify_BYTES", "i < crypto_verify_BYTES - 1"),
        "positive": ("& ((difference - 1) >> 8)) - 1", "& ((0 - difference) >> 8))"),
        "unfinished": ("return", "retrun"),
    }.items():
        foreign.write(f"{verify}/{name}/api.h", "#define CRYPTO_BYTES 32\n")
        foreign.write(f"{verify}/{name}/verify.c", GOOD_VERIFY.replace(*change))
    (foreign.root / verify / "checksumsmall").write_text("00" * 32 + "\n", encoding="ascii")
    said = _check(cyclometer, foreign, "crypto_verify", "--format", "json")
    assert said.status == 1
    assert said.kinds() == {
        "forgetful": "wrong_output", "positive": "wrong_output", "unfinished": "does_not_compile"
    }  # fmt: skip
    assert said.right() == {"mine"}


# No secret at all, but a checksum by which a changed ciphertext is known: it is then accepted, and nothing is written.
KEM = """
#include "crypto_kem.h"
#include "randombytes.h"
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 16);
    for (int i = 0; i < 16; i++) pk[i] = sk[i] ^ 1;
    return 0;
}
int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk)
{
    unsigned char sum = 0;
    randombytes(k, 16);
    for (int i = 0; i < 16; i++) c[i] = k[i] ^ pk[i], sum += c[i];
    c[16] = sum;
    return 0;
}
int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk)
{
    unsigned char sum = 0, opened[16];
    for (int i = 0; i < 16; i++) sum += c[i], opened[i] = c[i] ^ sk[i] ^ 1;
    if (sum == c[16])
        for (int i = 0; i < 16; i++) k[i] = opened[i];
    return 0;
}
"""
# What SUPERCOP's own small test says of it, by the length of the secret key, of which 16 bytes are written.
KEM_SUMS = {
    16: "6b6ba03313c693d539c6201f468d98c9cb71fb3aca957af023bff27ee8cc4a2d",
    19: "a592582737b5095a1852e050986766e5b7e5508d8560823368f4675eb5168002",
}


# As libraries draw seeds of their own, where they may open files.
URANDOM = """
#include <fcntl.h>
#include <unistd.h>
static void seed(unsigned char *x)
{
    int file = open("/dev/urandom", O_RDONLY);
    if (file == -1) randombytes(x, 16);
    else if (read(file, x, 16) == 16) close(file);
}
"""


def _grow_kem(foreign: ForeignTree, text: str, secret_key: int = 16) -> None:
    sizes = {"PUBLICKEY": 16, "SECRETKEY": secret_key, "CIPHERTEXT": 17, "": 16}
    foreign.write("crypto_kem/toy/ref/api.h", "".join(f"#define CRYPTO_{x}BYTES {n}\n" for x, n in sizes.items()))
    foreign.write("crypto_kem/toy/ref/kem.c", text)
    foreign.write("crypto_kem/toy/checksumsmall", KEM_SUMS[secret_key] + "\n")


@pytest.mark.parametrize("secret_key", [16, 19])
def test_what_a_call_does_not_write_keeps_its_value(
    secret_key: int, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    _grow_kem(foreign, KEM, secret_key)
    said = _check(cyclometer, foreign, "crypto_kem")
    assert said.status == 0, said.stdout
    assert said.line("ok", "toy ref")


def test_checksums_are_of_what_opens_no_files(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    head, _, body = KEM.partition("int crypto_kem_keypair")
    _grow_kem(foreign, head + URANDOM + "int crypto_kem_keypair" + body.replace("randombytes(sk, 16)", "seed(sk)", 1))
    said = _check(cyclometer, foreign, "crypto_kem", "--format", "json")
    assert said.status == 0, said.stdout
    assert said.kinds("warning") == {"ref": "own_random"}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="written in its assembly language")
def test_code_among_constants_is_not_executed(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    """As it is with the compiler's own linker; SUPERCOP has implementations that forget to say .text."""
    foreign.write("crypto_verify/32/forgot/api.h", "#define CRYPTO_BYTES 32\n")
    begin = ".section .rodata\n.globl CRYPTO_NAMESPACETOP\nCRYPTO_NAMESPACETOP:\n"
    foreign.write("crypto_verify/32/forgot/verify.S", begin + "xor %eax, %eax\nret\n")
    said = _check(cyclometer, foreign, "crypto_verify", "--format", "json")
    assert said.kinds() == {"forgot": "out_of_bounds"}


@pytest.mark.parametrize("place", ["inlen", "-1"])
def test_what_no_test_of_the_tree_forbids_is_a_warning(
    place: str, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    """Reads a byte beyond the message and does not use it: a crash of ours at an end of a page."""
    beyond = f"volatile unsigned char beyond = in[{place}]; (void)beyond;"
    reads = HASH.replace("blocks(state, in,", beyond + "\n    blocks(state, in,")
    assert reads != HASH
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", reads)
    said = _check(cyclometer, foreign, "crypto_hash", "--format", "json")
    assert said.status == 0, said.stdout
    assert said.kinds("warning") == {"mine/sub": "out_of_bounds"}
    assert said.right() == {"mine/sub"}


@pytest.mark.parametrize("end", ["return -1;", "*(volatile char *)0 = 0;"])
def test_what_is_refused_or_not_survived_is_a_warning_where_the_tree_would_not_ask_for_it(
    end: str, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    text = HASH.replace("blocks(state, in,", f"if (inlen == 65536) {end}\n    blocks(state, in,")
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", text)
    said = _check(cyclometer, foreign, "crypto_hash")
    assert said.status == 0, said.stdout
    assert "length 65536" in said.line("warning", "sha256 mine/sub")
    for name in SHA256:
        (foreign.root / "crypto_hash/sha256" / name).unlink()
    said = _check(cyclometer, foreign, "crypto_hash")  # nor does it without checksums: then they are computed, too
    assert said.status == 0, said.stdout
    assert "length 65536" in said.line("warning", "sha256 mine/sub")
    (foreign.root / "MACROS").unlink()  # of trees before 2016 no sum can be computed
    assert "length 65536" in _check(cyclometer, foreign, "crypto_hash").line("WRONG", "sha256 mine/sub")


def test_without_checksums_implementations_agree_where_the_tree_would_look(
    cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    home = foreign.root / "crypto_hash/sha256"
    for name in SHA256:
        (home / name).unlink()
    for name, when in {"again": "0", "rarely": "inlen == 65536", "often": "inlen % 2"}.items():
        for file in (home / "mine/sub").iterdir():
            foreign.write(f"crypto_hash/sha256/{name}/{file.name}", file.read_text(encoding="utf-8"))
        other = HASH.replace("    return 0;", f"    if ({when}) out[0] ^= 1;\n    return 0;")
        foreign.write(f"crypto_hash/sha256/{name}/hash.c", other)
    said = _check(cyclometer, foreign, "crypto_hash", "--format", "json")
    assert said.right() == {"mine/sub", "again", "rarely"}
    assert said.kinds() == {"often": "disagreement"}


def test_without_checksums_random_bytes_may_be_drawn_as_one_likes(
    cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    for name, drawn in {"one": 8, "same": 8, "more": 16}.items():
        foreign.write(
            f"crypto_dh/small/{name}/api.h",
            "".join(f"#define CRYPTO_{size}BYTES 8\n" for size in ("", "PUBLICKEY", "SECRETKEY")),
        )
        foreign.write(f"crypto_dh/small/{name}/dh.c", DH.replace("DRAWN", str(drawn)))
    said = _check(cyclometer, foreign, "crypto_dh", "--format", "json")
    assert said.status == 0, said.stdout
    assert said.right() == {"one", "same", "more"}
    assert said.kinds("warning") == {"more": "disagreement"}


def test_an_interrupted_campaign_over_a_tree_is_resumed(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    cyclometer.killed_after(2, "run", "--tree", foreign.root, *GCC, "--rounds", "20", "--patience", "0")
    [interrupted] = list_runs(cyclometer.results)
    assert interrupted.state == "interrupted"
    said = cyclometer("run", "--resume", "--no-tables")
    assert said.status == 0, said.stderr
    [finished] = list_runs(cyclometer.results)
    assert (finished.state, finished.run) == ("complete", interrupted.run)
    with open_runs(cyclometer.results) as runs:
        rounds = runs.sql(
            "SELECT operation, count(DISTINCT round) FROM samples WHERE round < 20 GROUP BY ALL ORDER BY ALL"
        ).fetchall()
    assert rounds == [("crypto_hash", 20), ("crypto_verify", 20)]


def test_a_folder_that_is_no_tree_says_what_was_looked_for(cyclometer: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    cyclometer("check", "--tree", tmp_path / "empty").complains("crypto_<operation>/<primitive>", "api.h")


def test_the_constants_are_those_of_the_standard() -> None:
    """FIPS 180-4, section 4.2.2: first and last."""
    constants = _constants().split(", ")
    assert (constants[0], constants[63], len(constants)) == ("0x428a2f98", "0xc67178f2", 64)
    assert (REPOSITORY / "adapters" / "supercop").is_dir()
