# SPDX-License-Identifier: MIT OR Apache-2.0
"""A synthetic tree in SUPERCOP's layout: listed, built with the headers it expects, checked against its checksums."""

from __future__ import annotations

import platform
from dataclasses import replace
from pathlib import Path

import pytest

from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine, Result
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.small_tree import REPOSITORY, SmallTree

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

# A helper with a common name and no name space.
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

# Depends on two other primitives of the tree, which only its includes show.
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
    """Return the first 32 bits of the fractional part of the cube root (FIPS 180-4, section 4.2.2)."""
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
    """Write verify/32, and hash/sha256 with its checksums."""
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

# Of a vendored library.
HEADERLESS = ('#include "crypto_verify.h"', "enum { crypto_verify_BYTES = 32 };")
CALLS_LIBRARY = """
#include <s2n-bignum.h>
#include "crypto_verify.h"
int crypto_verify(const unsigned char *x, const unsigned char *y) { return bignum_eq(x, y); }
"""


def _check(cyclometer: CommandLine, foreign: ForeignTree, *words: str) -> Result:
    return cyclometer("check", "--tree", foreign.root, *GCC, *words)


def test_our_implementation_finds_what_the_checksums_do_not(
    tree: SmallTree, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    """SUPERCOP's checksums end at 4096 bytes; our primitive has the same name, spelt in another way."""
    tree.plant("crypto_hash/sha-256/ref")
    assert _check(cyclometer, foreign, "crypto_hash").status == 0
    wrong = HASH.replace("return 0;", "if (inlen > 4096) out[0] ^= 1;\n    return 0;")
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", wrong)
    result = _check(cyclometer, foreign, "crypto_hash")
    assert result.status == 1
    assert "disagrees with ref, and no third implementation decides: length 65625: " in result.line("WRONG", "sha256")


def test_our_vectors_find_what_random_inputs_do_not(
    tree: SmallTree, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    """Where a tree publishes nothing, the vectors of our primitive of that name are held against its code."""
    tree.plant("crypto_hash/sha-256/ref")
    for name in SHA256:
        (foreign.root / "crypto_hash/sha256" / name).unlink()
    assert _check(cyclometer, foreign, "crypto_hash").status == 0
    wrong = HASH.replace("return 0;", "if (inlen == 3 && in[0] == 0xb4 && in[1] == 0x19) out[0] ^= 1;\n    return 0;")
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", wrong)
    result = _check(cyclometer, foreign, "crypto_hash")
    assert result.status == 1
    assert "vector SHA256ShortMsg.rsp, Len 24 of vectors.json" in result.line("WRONG", "sha256")


def test_implementations_are_listed_with_those_left_out(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_hash/sha256/theirs/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_hash/sha256/theirs/architectures", "pdp11\n")
    foreign.write("crypto_hash/sha256/rust/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_hash/sha256/rust/Cargo.toml", "")
    result = cyclometer("run", "--tree", foreign.root, "--list")
    assert result.status == 0
    assert result.line("crypto_hash sha256 mine/sub") == "crypto_hash sha256 mine/sub"
    assert "for pdp11 only" in result.line("sha256 theirs")
    assert "Rust" in result.line("sha256 rust")
    assert "SUPERCOP 20260330" in result.line("4 implementations of 2 primitives, 2 left out")


def test_right_checksums_confirm_an_implementation(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    result = _check(cyclometer, foreign)
    assert result.status == 0, result.stdout
    assert result.line("ok", "crypto_hash sha256 mine/sub")
    assert result.line("ok", "crypto_verify 32 mine")


@pytest.mark.parametrize("name", SHA256)
def test_another_checksum_is_wrong(name: str, cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write(f"crypto_hash/sha256/{name}", "00" * 32)
    result = _check(cyclometer, foreign, "crypto_hash")
    assert result.status == 1
    assert f"{name} is {SHA256[name]}, not {'00' * 32}" in result.line("WRONG", "sha256 mine/sub")


def test_a_cached_verdict_does_not_hold_for_another_checksum(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    assert _check(cyclometer, foreign, "crypto_hash").status == 0
    foreign.write("crypto_hash/sha256/checksumsmall", "11" * 32)
    assert _check(cyclometer, foreign, "crypto_hash").status == 1


def test_an_include_is_a_dependency(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_auth/hmacsha256/mine/api.h", "#define CRYPTO_BYTES 32\n#define CRYPTO_KEYBYTES 32\n")
    foreign.write("crypto_auth/hmacsha256/mine/auth.c", AUTH)
    result = _check(cyclometer, foreign, "crypto_auth")
    assert result.status == 0, result.stdout
    assert result.line("ok", "crypto_auth hmacsha256 mine")


def test_the_reason_for_a_dependency_left_out_is_reported_on_request(
    cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    foreign.write("crypto_auth/hmacsha256/mine/api.h", "#define CRYPTO_BYTES 32\n#define CRYPTO_KEYBYTES 32\n")
    foreign.write("crypto_auth/hmacsha256/mine/auth.c", AUTH)
    foreign.write("crypto_hash/sha256/theirs/api.h", "")
    foreign.write("crypto_hash/sha256/theirs/architectures", "pdp11\n")
    assert "sha256 theirs" not in _check(cyclometer, foreign, "crypto_auth").stdout
    result = _check(cyclometer, foreign, "crypto_auth", "crypto_hash")
    assert "for pdp11 only" in result.line("without", "sha256 theirs")


def test_the_reason_for_a_compile_error_is_reported_on_request(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_verify/32/worse/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_verify/32/worse/v.c", GOOD_VERIFY + "int unfinished(void) { return 1\n")
    result = _check(cyclometer, foreign, "crypto_verify")
    assert result.line("WRONG", "32 worse").endswith(": does not compile")
    assert "error: expected ';'" in _check(cyclometer, foreign, "crypto_verify", "--verbose").stdout


def test_a_missing_library_is_named_and_is_not_an_error(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_hash/sha256/xkcp/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_hash/sha256/xkcp/hash.c", "#include <libkeccak.a.headers/KeccakHash.h>\n" + HASH)
    if Path("/usr/include/libkeccak.a.headers").exists():
        pytest.skip("this machine has that library")
    result = _check(cyclometer, foreign, "crypto_hash")
    assert result.status == 0, result.stdout
    assert "needs the library xkcp" in result.line("without", "sha256 xkcp")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the folder of the library is another machine's")
def test_a_vendored_library_is_built(cyclometer: CommandLine, foreign: ForeignTree) -> None:
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
    result = cyclometer(
        *("run", "--tree", foreign.root, *GCC, "crypto_verify", "--implementation", "carried"),
        *("--rounds", "1", "--patience", "0", "--no-tables"),
    )
    assert result.status == 0, result.stderr
    [run] = list_runs(cyclometer.results)
    assert run.info
    assert run.info.facts["libraries"] == "s2n-bignum of the tree"
    foreign.write("crypto_verify/32/carried/verify.c", CALLS_LIBRARY)
    foreign.write(f"{library}/x86/eq.c", "int bignum_eq(void) { return 0; }\n")
    assert _check(cyclometer, foreign, "crypto_verify").line("WRONG", "32 carried")
    foreign.write(f"{library}/x86/eq.c", "unfinished")
    result = _check(cyclometer, foreign, "crypto_verify")
    assert "a vendored library does not build" in result.line("WRONG", "32 carried")


def test_a_header_of_the_folder_does_not_hide_the_generated_one(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    foreign.write("crypto_verify/32/mine/crypto_verify.h", "")
    assert _check(cyclometer, foreign, "crypto_verify").line("ok", "32 mine")


def test_declassify_may_be_called_undeclared(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    declared = "void crypto_declassify(const void *, unsigned long long);\n"
    calls = GOOD_VERIFY.replace("    unsigned", "    crypto_declassify(x, 32);\n    unsigned")
    foreign.write("crypto_verify/32/mine/verify.c", declared + calls)
    assert _check(cyclometer, foreign, "crypto_verify").line("ok", "32 mine")


def test_a_source_that_is_a_dangling_link_is_named(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    (foreign.root / "crypto_verify/32/mine/more.c").symlink_to("../gone/more.c")
    foreign.write("crypto_verify/32/other/api.h", "#define CRYPTO_BYTES 32\n")
    foreign.write("crypto_verify/32/other/verify.c", GOOD_VERIFY)
    result = _check(cyclometer, foreign, "crypto_verify")
    assert "more.c is a broken symbolic link" in result.line("without", "32 mine")
    assert result.line("ok", "32 other")


def test_a_slow_implementation_has_time_for_its_checksum(
    cyclometer: CommandLine, foreign: ForeignTree, tmp_path: Path
) -> None:
    cyclometer = replace(cyclometer, cache=tmp_path / "cache")  # the cache holds how long another call waited
    pause = "struct timespec pause = {0, 3000000}; nanosleep(&pause, 0);"  # with thousands of calls, never in 2 s
    slow = "#include <time.h>\n" + HASH.replace("    blocks(state, in,", f"    {pause}\n    blocks(state, in,")
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", slow)
    result = _check(cyclometer, foreign, "crypto_hash", "--time-limit", "1")
    assert result.line("ok", "sha256 mine/sub")
    assert "--time-limit" in result.line("warning", "sha256 mine/sub")
    result = _check(cyclometer, foreign, "crypto_hash", "--time-limit", "2", "--format", "json")
    assert result.kinds("warning") == {"mine/sub": "time_limit"}


def test_only_broken_implementations_are_wrong(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    verify = "crypto_verify/32"
    for name, change in {
        "forgetful": ("i < crypto_verify_BYTES", "i < crypto_verify_BYTES - 1"),
        "positive": ("& ((difference - 1) >> 8)) - 1", "& ((0 - difference) >> 8))"),
        "unfinished": ("return", "retrun"),
    }.items():
        foreign.write(f"{verify}/{name}/api.h", "#define CRYPTO_BYTES 32\n")
        foreign.write(f"{verify}/{name}/verify.c", GOOD_VERIFY.replace(*change))
    (foreign.root / verify / "checksumsmall").write_text("00" * 32 + "\n", encoding="ascii")
    result = _check(cyclometer, foreign, "crypto_verify", "--format", "json")
    assert result.status == 1
    assert result.kinds() == {
        "forgetful": "wrong_output", "positive": "wrong_output", "unfinished": "does_not_compile"
    }  # fmt: skip
    assert result.right() == {"mine"}


# It hides nothing. A checksum reveals a changed ciphertext, which is accepted without writing anything.
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
# The checksums of SUPERCOP's small test, by the length of the secret key; 16 bytes of the key are written.
KEM_SUMS = {
    16: "6b6ba03313c693d539c6201f468d98c9cb71fb3aca957af023bff27ee8cc4a2d",
    19: "a592582737b5095a1852e050986766e5b7e5508d8560823368f4675eb5168002",
}


# As libraries obtain seeds of their own if they may open files.
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
def test_bytes_that_a_call_does_not_write_keep_their_values(
    secret_key: int, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    _grow_kem(foreign, KEM, secret_key)
    result = _check(cyclometer, foreign, "crypto_kem")
    assert result.status == 0, result.stdout
    assert result.line("ok", "toy ref")


def test_checksums_are_computed_without_opening_files(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    head, _, body = KEM.partition("int crypto_kem_keypair")
    _grow_kem(foreign, head + URANDOM + "int crypto_kem_keypair" + body.replace("randombytes(sk, 16)", "seed(sk)", 1))
    result = _check(cyclometer, foreign, "crypto_kem", "--format", "json")
    assert result.status == 0, result.stdout
    assert result.kinds("warning") == {"ref": "hidden_rng"}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="written in its assembly language")
def test_code_among_constants_is_not_executed(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    """The compiler's own linker does the same; some implementations of SUPERCOP forget to switch to .text."""
    foreign.write("crypto_verify/32/forgot/api.h", "#define CRYPTO_BYTES 32\n")
    begin = ".section .rodata\n.globl CRYPTO_NAMESPACETOP\nCRYPTO_NAMESPACETOP:\n"
    foreign.write("crypto_verify/32/forgot/verify.S", begin + "xor %eax, %eax\nret\n")
    result = _check(cyclometer, foreign, "crypto_verify", "--format", "json")
    assert result.kinds() == {"forgot": "out_of_bounds"}


@pytest.mark.parametrize("index", ["inlen", "-1"])
def test_a_fault_that_the_tests_of_the_tree_allow_is_a_warning(
    index: str, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    """It reads a byte beyond the message without using it, which crashes at a guard page."""
    beyond = f"volatile unsigned char beyond = in[{index}]; (void)beyond;"
    reads = HASH.replace("blocks(state, in,", beyond + "\n    blocks(state, in,")
    assert reads != HASH
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", reads)
    result = _check(cyclometer, foreign, "crypto_hash", "--format", "json")
    assert result.status == 0, result.stdout
    assert result.kinds("warning") == {"mine/sub": "out_of_bounds"}
    assert result.right() == {"mine/sub"}


@pytest.mark.parametrize("end", ["return -1;", "*(volatile char *)0 = 0;"])
def test_a_crash_on_an_input_that_the_tree_does_not_test_is_a_warning(
    end: str, cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    text = HASH.replace("blocks(state, in,", f"if (inlen == 65536) {end}\n    blocks(state, in,")
    foreign.write("crypto_hash/sha256/mine/sub/hash.c", text)
    result = _check(cyclometer, foreign, "crypto_hash")
    assert result.status == 0, result.stdout
    assert "length 65536" in result.line("warning", "sha256 mine/sub")
    for name in SHA256:
        (foreign.root / "crypto_hash/sha256" / name).unlink()
    result = _check(cyclometer, foreign, "crypto_hash")  # nor does it without checksums: then they are computed, too
    assert result.status == 0, result.stdout
    assert "length 65536" in result.line("warning", "sha256 mine/sub")
    (foreign.root / "MACROS").unlink()  # no checksum of trees before 2016 can be computed
    assert "length 65536" in _check(cyclometer, foreign, "crypto_hash").line("WRONG", "sha256 mine/sub")


def test_without_checksums_implementations_must_agree_on_more_than_the_tree_tests(
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
    result = _check(cyclometer, foreign, "crypto_hash", "--format", "json")
    assert result.right() == {"mine/sub", "again"}
    assert result.kinds() == {"often": "disagreement", "rarely": "disagreement"}


def test_without_checksums_random_bytes_may_be_drawn_in_any_order(
    cyclometer: CommandLine, foreign: ForeignTree
) -> None:
    for name, drawn in {"one": 8, "same": 8, "more": 16}.items():
        foreign.write(
            f"crypto_dh/small/{name}/api.h",
            "".join(f"#define CRYPTO_{size}BYTES 8\n" for size in ("", "PUBLICKEY", "SECRETKEY")),
        )
        foreign.write(f"crypto_dh/small/{name}/dh.c", DH.replace("DRAWN", str(drawn)))
    result = _check(cyclometer, foreign, "crypto_dh", "--format", "json")
    assert result.status == 0, result.stdout
    assert result.right() == {"one", "same", "more"}
    assert result.kinds("warning") == {"more": "disagreement"}


def test_an_interrupted_campaign_over_a_tree_is_resumed(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    cyclometer.killed_after(2, "run", "--tree", foreign.root, *GCC, "--rounds", "8", "--patience", "0")
    [interrupted] = list_runs(cyclometer.results)
    assert interrupted.state == "interrupted"
    result = cyclometer("run", "--resume", "--no-tables")
    assert result.status == 0, result.stderr
    [finished] = list_runs(cyclometer.results)
    assert (finished.state, finished.run) == ("complete", interrupted.run)
    with open_runs(cyclometer.results) as runs:
        rounds = runs.sql(
            "SELECT operation, count(DISTINCT round) FROM samples WHERE round < 8 GROUP BY ALL ORDER BY ALL"
        ).fetchall()
    assert rounds == [("crypto_hash", 8), ("crypto_verify", 8)]


def test_a_misspelt_primitive_is_named_with_its_operation(cyclometer: CommandLine, foreign: ForeignTree) -> None:
    listed = cyclometer("run", "--tree", foreign.root, "crypto_hash/sha265", "--list")
    listed.complains("unknown system 'crypto_hash/sha265'; did you mean 'crypto_hash/sha256'?")


def test_a_folder_that_is_not_a_tree_is_refused_with_the_layouts_expected(
    cyclometer: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    cyclometer("check", "--tree", tmp_path / "empty").complains("crypto_<operation>/<primitive>", "api.h")


def test_the_constants_of_sha_256_are_right() -> None:
    """The first and the last are compared with FIPS 180-4, section 4.2.2."""
    constants = _constants().split(", ")
    assert (constants[0], constants[63], len(constants)) == ("0x428a2f98", "0xc67178f2", 64)
    assert (REPOSITORY / "adapters" / "supercop").is_dir()
