# SPDX-License-Identifier: MIT OR Apache-2.0
"""Synthetic packages in the layouts of NIST's calls, and an implementation outside any tree."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind
from support.command_line import CommandLine
from support.foreign_tree import ForeignTree
from support.known_answers import toy_records
from support.nist_tree import GENERATOR, HASH, SIGN, fnv, grow_aead, grow_hash, grow_kem, grow_sign

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)


def test_known_answers_of_a_hash(tmp_path: Path, cyclometer: CommandLine) -> None:
    result = cyclometer("check", grow_hash(tmp_path / "lwc"), "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "fnv ref")
    assert result.line("ok", "fnv plain")


def test_a_wrong_known_answer_of_a_hash(tmp_path: Path, cyclometer: CommandLine) -> None:
    folder = grow_hash(tmp_path / "lwc", change=fnv(bytes(range(3)))) / "crypto_hash/fnv/ref"
    result = cyclometer("check", folder, "--compiler", "gcc-O2")
    assert result.status == 1
    assert "vector 4 of LWC_HASH_KAT_64.txt: hash: hash differs at byte 0" in result.line("WRONG", "fnv ref")


def test_known_answers_of_a_kem(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = grow_kem(tmp_path / "pqc", toy_records(4))
    ForeignTree(tree).write("Reference_Implementation/toy32/ref.h", "#error our AES has a header of this name, too\n")
    result = cyclometer("check", tree, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "crypto_kem toy32 Reference_Implementation")


def test_a_wrong_known_answer_of_a_kem(tmp_path: Path, cyclometer: CommandLine) -> None:
    records = toy_records(3).split("\n\n")
    last = records[2].replace("ss = ", "ss = 00", 1)
    folder = grow_kem(tmp_path / "pqc", "\n\n".join([*records[:2], last]))
    result = cyclometer("check", folder / "Reference_Implementation/toy32", "--compiler", "gcc-O2")
    assert result.status == 1
    right = hashlib.sha256(f"{records[2]}\n".encode()).hexdigest()
    assert f"record drbg 2 is sha256 {right}" in result.line("WRONG", "toy32")


@pytest.mark.parametrize("grow", [grow_aead, grow_sign])
def test_right_known_answers_do_not_excuse_accepted_forgeries(
    grow: Callable[[Path], Path], tmp_path: Path, cyclometer: CommandLine
) -> None:
    result = cyclometer("check", grow(tmp_path / "toy"), "--compiler", "gcc-O2", "--format", "json")
    assert result.status == 1
    assert list(result.kinds().values()) == [FailureKind.FORGERY_ACCEPTED]


def test_right_known_answers_do_not_excuse_a_signature_of_zeroes(tmp_path: Path, cyclometer: CommandLine) -> None:
    """The toy's public key signs, too; but nobody needs even that for a signature of zeroes."""
    tree = grow_sign(tmp_path / "toy")
    changed = SIGN.replace("smlen < 32", "smlen < 32 || (memcmp(sm, pk, 32) && memcmp(sm, (char[32]){0}, 32))")
    ForeignTree(tree).write("Reference_Implementation/toy/sign.c", changed)
    result = cyclometer("check", tree, "--compiler", "gcc-O2", "--format", "json")
    assert result.status == 1
    assert list(result.kinds().values()) == [FailureKind.UNSIGNED_ACCEPTED]


def test_a_package_of_one_set_of_parameters(tmp_path: Path, cyclometer: CommandLine) -> None:
    root = grow_kem(tmp_path / "toy", toy_records(3))
    (root / "Reference_Implementation/toy32").rename(root / "Optimized_Implementation")
    tree = ForeignTree(root)
    for file in (root / "Optimized_Implementation").iterdir():
        tree.write(f"Additional_Implementations/avx2/{file.name}", file.read_text(encoding="utf-8"))
    result = cyclometer("check", root, "--compiler", "gcc-O2")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "crypto_kem toy Optimized_Implementation")
    assert result.line("ok", "crypto_kem toy Additional_Implementations/avx2")


def test_a_lightweight_package_as_it_was_handed_in(tmp_path: Path, cyclometer: CommandLine) -> None:
    grow_hash(tmp_path / "fnv/Implementations", change=fnv(bytes(range(3))))
    for part in ("", "Implementations", "Implementations/crypto_hash/fnv"):
        result = cyclometer("check", tmp_path / "fnv" / part, "--compiler", "gcc-O2")
        assert "vector 4 of LWC_HASH_KAT_64.txt" in result.line("WRONG", "fnv ref")


def test_lightweight_packages_side_by_side_with_the_wrappers_of_nists_benchmark(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    for package in ("one", "two"):
        hash_of_it = ForeignTree(grow_hash(tmp_path / package) / "crypto_hash")
        hash_of_it.write("fnv/ref/lwc_crypto_hash.c", GENERATOR)
        (tmp_path / package / "crypto_hash/fnv").rename(tmp_path / package / f"crypto_hash/{package}")
    result = cyclometer("check", tmp_path, "--compiler", "gcc-O2")
    assert result.status == 0, result.stdout + result.stderr
    for package in ("one", "two"):
        assert result.line("ok", f"crypto_hash {package} ref")


def test_a_wrapper_that_defines_the_functions_itself_is_a_source(tmp_path: Path, cyclometer: CommandLine) -> None:
    """Names of primitives may have a +, which no symbol may."""
    tree = ForeignTree(grow_hash(tmp_path / "lwc"))
    for name in ("ref", "plain"):
        (tree.root / f"crypto_hash/fnv/{name}/hash.c").rename(tree.root / f"crypto_hash/fnv/{name}/lwc_crypto_hash.c")
    (tree.root / "crypto_hash/fnv").rename(tree.root / "crypto_hash/fnv+1")
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.line("ok", "crypto_hash fnv+1 ref")


def test_an_implementation_without_the_functions_of_its_operation_is_a_failure(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(grow_hash(tmp_path / "lwc"))
    tree.write("crypto_hash/fnv/ref/hash.c", "int other_hash(void) { return 0; }\n")
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    result.line("WRONG", "fnv ref", "defines none of the functions of its operation; define int crypto_hash(")
    assert result.line("ok", "fnv plain")


def test_functions_may_have_plain_names_in_supercops_layout_too(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(grow_hash(tmp_path / "lwc"))
    (tree.root / "crypto_hash/fnv/LWC_HASH_KAT_64.txt").unlink()
    tree.write("crypto_hash/fnv/ref/hash.c", HASH.replace('#include "crypto_hash.h"', ""))
    (tree.root / "crypto_hash/fnv/ref/genkat_hash.c").unlink()
    result = cyclometer("check", tree.root / "crypto_hash/fnv/ref", "--compiler", "gcc-O2")
    assert result.line("ok", "fnv ref")


def test_a_stand_alone_implementation(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", "#define CRYPTO_BYTES 8\n")
    tree.write("hash.c", HASH)
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    assert result.line("ok", "crypto_hash alone alone")
    assert result.line("note", "crypto_hash/alone: no published result to compare with")
    result = cyclometer("run", "--tree", tree.root, "--compiler", "gcc-O2", "--rounds", "1", "--no-tables")
    assert result.status == 0, result.stdout + result.stderr


# Every byte of the keystream is the first of the key, XORed with the first of the nonce.
STREAM = """
int crypto_stream(unsigned char *c, unsigned long long clen, const unsigned char *n, const unsigned char *k)
{{
    while (clen) c[--clen] = {byte};
    return 0;
}}
int crypto_stream_xor(unsigned char *c, const unsigned char *m, unsigned long long mlen, const unsigned char *n,
                      const unsigned char *k)
{{
    while (mlen--) c[mlen] = m[mlen] ^ {byte};
    return 0;
}}
"""
STREAM_API = "#define CRYPTO_KEYBYTES 1\n#define CRYPTO_NONCEBYTES 1\n"
STREAM_VECTORS = """{"format": "cyclometer-vectors/1", "operation": "crypto_stream", "system": "alone",
 "vectors": [{"id": "one", "key": "0f", "nonce": "35", "length": 3, "keystream": "3a3a3a"}]}"""


@pytest.mark.parametrize(("byte", "status"), [("k[0] ^ n[0]", 0), ("k[0] ^ n[0] ^ 1", 1)])
def test_a_stand_alone_stream_is_checked_with_vectors(
    byte: str, status: int, tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", STREAM_API)
    tree.write("stream.c", STREAM.format(byte=f"({byte})"))
    (tmp_path / "mine.json").write_text(STREAM_VECTORS, encoding="utf-8")
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 0, result.stdout + result.stderr
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2", "--vectors", tmp_path / "mine.json")
    assert result.status == status, result.stdout + result.stderr
    assert "note" not in result.stdout
    assert result.line("WRONG", "vector one of mine.json") if status else result.line("ok", "alone")


def test_vectors_concern_the_implementation_or_the_primitive_in_whose_folder_they_are(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    """All have the same right code; one of the nested ones is `fast/deep`, and what is above the tree is not read."""
    tree, outside = ForeignTree(tmp_path / "mine"), tmp_path / "vectors.json"
    for name in ("right", "torn", "other", "fast/deep", "none"):
        tree.write(f"{name}/api.h", STREAM_API)
        tree.write(f"{name}/stream.c", STREAM.format(byte="(k[0] ^ n[0])"))
    outside.write_text("{", encoding="utf-8")
    check = ("check", "./mine", "--compiler", "gcc-O2", "--format", "json")
    tree.write("right/vectors.json", STREAM_VECTORS)
    tree.write("torn/vectors.json", "{")
    tree.write("other/vectors.json", STREAM_VECTORS.replace("3a3a3a", "3a3a3b"))
    tree.write("fast/vectors.json", STREAM_VECTORS.replace("3a3a3a", "3b3a3a"))
    result = cyclometer(*check)
    assert result.right() == {"right", "none"}
    assert result.kinds() == {
        "torn": FailureKind.NO_VERDICT,
        "other": FailureKind.WRONG_OUTPUT,
        "fast/deep": FailureKind.WRONG_OUTPUT,
    }
    for name in ("torn", "other", "fast"):
        (tree.root / name / "vectors.json").unlink()
    assert cyclometer(*check).right() == {"right", "torn", "other", "fast/deep", "none"}
    tree.write("vectors.json", STREAM_VECTORS.replace("3a3a3a", "3a3a3b"))
    result = cyclometer(*check)
    assert result.right() == set()
    assert len(result.kinds()) == 5


TOY_KEM = """
#include <string.h>
void randombytes(unsigned char *, unsigned long long);
int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
{
    randombytes(sk, 32);
    memcpy(pk, sk, 32);
    return 0;
}
int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk)
{
    randombytes(c, 32);
    for (int i = 0; i < 32; i++) k[i] = c[i] ^ pk[i];
    return 0;
}
int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk)
{
    for (int i = 0; i < 32; i++) k[i] = c[i] ^ sk[i];
    return 0;
}
"""
KEM_SIZES = {"PUBLICKEYBYTES": "32", "SECRETKEYBYTES": "32", "CIPHERTEXTBYTES": "32", "BYTES": "32"}
LIMITS = {"large-BYTES": ("9 << 20", 1 << 18), "large-PUBLICKEYBYTES": ("(64 << 20) + 1", 64 << 20)}


def test_sizes_that_the_harness_cannot_hold_are_named_and_keys_may_have_megabytes(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "tree")
    for name, size in {
        **{name: size for name, (size, _) in LIMITS.items()},
        "megabytes-SECRETKEYBYTES": "3 << 20",
    }.items():
        sizes = {**KEM_SIZES, name.partition("-")[2]: f"({size})"}
        text = "".join(f"#define CRYPTO_{macro} {value}\n" for macro, value in sizes.items())
        tree.write(f"crypto_kem/{name}/ref/api.h", text)
        tree.write(f"crypto_kem/{name}/ref/kem.c", TOY_KEM)
    sizes = {"KEYBYTES": "16", "NSECBYTES": "(1 << 30)", "NPUBBYTES": "16", "ABYTES": "16"}
    text = "".join(f"#define CRYPTO_{macro} {value}\n" for macro, value in sizes.items())
    tree.write("crypto_aead/large-NSECBYTES/ref/api.h", text)
    tree.write("crypto_aead/large-NSECBYTES/ref/aead.c", "int unused;\n")
    result = cyclometer("check", "--tree", str(tree.root), "--compiler", "gcc-O2", "--time-limit", "5")
    for name, (_, most) in {**LIMITS, "large-NSECBYTES": ("", 1 << 18)}.items():
        result.line("WRONG", f"{name} ref", f"api.h defines CRYPTO_{name[6:]} as", f"; it must be from 0 to {most}")
    rest = [line for line in result.stdout.splitlines() if "megabytes-SECRETKEYBYTES" in line]
    assert rest
    assert not any("before the first call" in line or "must be from" in line for line in rest)


def test_packages_two_levels_down(tmp_path: Path, cyclometer: CommandLine) -> None:
    for package in ("one", "two"):
        grow_hash(tmp_path / "implementations" / package)
    result = cyclometer("run", "--tree", tmp_path, "--list")
    assert "NIST lightweight packages" in result.stdout
    assert "4 implementations of 1 primitive" in result.stdout


@pytest.mark.parametrize("home", ["fnv", "crypto_hash_fnv", "hashes/fnv-1.a"])
def test_a_primitive_copied_out_of_its_tree(home: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    """The second half of the output is wrong in one of them; `hashes` has several primitives, the others one each."""
    tree = ForeignTree(tmp_path / home)
    for name, text in {"ref": HASH, "fast/wide": HASH, "wrong": HASH.replace("56 - 8 * i", "56 - 8 * (i & 3)")}.items():
        tree.write(f"{name}/api.h", "#define CRYPTO_BYTES 8\n")
        tree.write(f"{name}/hash.c", text)
    result = cyclometer("check", tmp_path / Path(home).parts[0], "--compiler", "gcc-O2")
    primitive = Path(home).name
    assert result.line("ok", f"crypto_hash {primitive} ref")
    assert result.line("ok", f"crypto_hash {primitive} fast/wide")
    assert "disagrees with ref" in result.line("WRONG", f"crypto_hash {primitive} wrong")


def test_files_that_a_copy_lacks_are_named_and_are_not_an_error(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", "#define CRYPTO_BYTES 8\n")
    tree.write("hash.c", f'#include "crypto_hashblocks_md5.h"\n{HASH}')
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.line("without", "needs crypto_hashblocks_md5.h", "folder inside its tree")


def test_an_implementation_may_call_its_own_generator_rng(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", "#define CRYPTO_BYTES 8\n")
    tree.write("hash.c", f'#include "rng.h"\n{HASH.replace("return 0", "return expand(0)")}')
    tree.write("rng.h", "int expand(int x);\n")
    tree.write("rng.c", '#include "rng.h"\nint expand(int x) { return x; }\n')
    assert cyclometer("check", tree.root, "--compiler", "gcc-O2").line("ok", "crypto_hash alone alone")


@pytest.mark.parametrize("named", ["function", "header", "size"])
def test_the_operation_is_found_though_the_sources_do_not_name_its_functions(
    named: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", STREAM_API)
    functions = STREAM.format(byte="(k[0] ^ n[0])")
    if named == "function":
        tree.write("stream.c", '#include "all.inc"\n')
        tree.write("all.inc", functions)
    else:
        renamed = functions.replace("crypto_stream", "CRYPTO_STREAM")
        names = "#define CRYPTO_STREAM crypto_stream\n#define CRYPTO_STREAM_xor crypto_stream_xor\n"
        tree.write("stream.c", ('#include "crypto_stream.h"\n' if named == "header" else "") + names + renamed)
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.line("ok", "crypto_stream alone alone")


def test_an_api_without_functions_is_left_out(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", "#define CRYPTO_BYTES 8\n")
    tree.write("nothing.c", "int nothing(void) { return 0; }\n")
    result = cyclometer("run", "--tree", tree.root, "--list")
    assert "does not define the functions of any known operation" in result.line("alone alone")
    assert "1 implementation of 1 primitive, 1 left out" in result.stdout
    cyclometer("check", tree.root).complains("nothing that can be used here", "the functions of any known operation")
    tree.write("api.h", "int PQCLEAN_TOY_CLEAN_crypto_kem_keypair(void);\n")
    cyclometer("check", tree.root).complains("it needs common/ and META.yml")


def test_the_expected_layouts_are_reported(tmp_path: Path, cyclometer: CommandLine) -> None:
    (tmp_path / "empty").mkdir()
    cyclometer("check", tmp_path / "empty").complains("nist: ", "pqclean: ", "supercop: ", "META.yml", "LWC_")
    source = tmp_path / "empty" / "hash.c"
    source.write_text(HASH, encoding="utf-8")
    cyclometer("check", tmp_path / "empty").complains("it contains hash.c but no api.h")
    cyclometer("check", "--tree", source).complains("is a file; name the folder that contains it")


def test_the_first_error_of_the_compiler_is_reported(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", "#define CRYPTO_BYTES 8\n")
    tree.write("hash.c", f'#include "of_its_tree.h"\n{HASH}')
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 1
    assert result.line("hash.c:1", "of_its_tree.h")
