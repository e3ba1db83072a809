# SPDX-License-Identifier: MIT OR Apache-2.0
"""Foreign trees that do not build without what their makefiles say, a folder common/, or lib/ beside include/."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from support.command_line import CommandLine
from support.foreign_tree import ForeignTree
from support.known_answers import toy_records
from support.nist_tree import GENERATOR, HASH, grow_hash, grow_kem

pytestmark = pytest.mark.skipif(
    not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces"
)

# The hash of support.nist_tree with its multiplication elsewhere, and a constant and a size from the makefile.
SPLIT_HASH = HASH.replace("0xcbf29ce484222325", "OFFSET").replace(
    "(state ^ in[i]) * 0x100000001b3", "times_prime(state ^ in[i])"
)
SPLIT_HASH = SPLIT_HASH.replace('#include "crypto_hash.h"', '#include "crypto_hash.h"\n#include "prime.h"')
PRIME_HEADER = "unsigned long long times_prime(unsigned long long x);\n"
PRIME = '#include "prime.h"\nunsigned long long times_prime(unsigned long long x) { return x * 0x100000001b3; }\n'
API = "#define CRYPTO_BYTES SIZE\n"
MAKEFILE = """
OFFSET = 0xcbf29ce484222325
CFLAGS += -O3 -DOFFSET=$(OFFSET) -DSIZE=8 -I{common}
genkat: hash.c genkat.c
	$(CC) $(CFLAGS) -DGENKAT -o $@ $^
%.o: %.c
	$(CC) $(CFLAGS) -c $<
"""


def split(tree: ForeignTree, home: str, common: str) -> None:
    """Write a hash whose makefile gives macros and a folder for headers, in which there is also a source."""
    folder = tree.root / home
    tree.write(f"{home}/api.h", API)
    tree.write(f"{home}/hash.c", SPLIT_HASH)
    tree.write(f"{home}/Makefile", MAKEFILE.format(common=common))
    for name, text in (("prime.h", PRIME_HEADER), ("prime.c", PRIME)):
        tree.write(f"{(folder / common / name).resolve().relative_to(tree.root.resolve())}", text)


def test_macros_and_folders_of_a_nist_package(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(grow_hash(tmp_path / "lwc"))
    split(tree, "crypto_hash/fnv/ref", "../../../shared")
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    result.line("ok", "fnv ref")
    result.line("ok", "fnv plain")


def test_a_changed_header_that_only_a_macro_names_is_compiled_anew(tmp_path: Path, cyclometer: CommandLine) -> None:
    """It decides about the hash, and about the size in api.h."""
    tree = ForeignTree(grow_hash(tmp_path / "lwc"))
    split(tree, "crypto_hash/fnv/ref", "../../../shared")
    tree.write("crypto_hash/fnv/ref/api.h", "#include PARAMETERS\n#define CRYPTO_BYTES BYTES\n")
    makefile = MAKEFILE.replace("-DSIZE=8", "'-DPARAMETERS=\"parameters.h\"'").replace("-DOFFSET=$(OFFSET)", "")
    tree.write("crypto_hash/fnv/ref/Makefile", makefile.format(common="../../../shared"))
    for offset, size, verdict in (
        ("0xcbf29ce484222325", 8, "ok"),
        ("1", 8, "WRONG"),
        ("0xcbf29ce484222325", 7, "WRONG"),
    ):
        tree.write("shared/parameters.h", f"#define OFFSET {offset}\n#define BYTES {size}\n")
        cyclometer("check", tree.root, "--compiler", "gcc-O2").line(verdict, "fnv ref")


def test_macros_that_differ_from_program_to_program_are_not_taken(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "alone")
    tree.write("api.h", API)
    tree.write("hash.c", HASH)
    sizes = "".join(f"test{size}: hash.c\n\t$(CC) $(CFLAGS) -DSIZE={size} -o $@ $^\n" for size in (8, 16))
    tree.write("Makefile", f"CFLAGS = -O2\n{sizes}")
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 1
    assert "'SIZE' undeclared" in result.stdout
    tree.write("Makefile", f"CFLAGS = -O2\n{sizes}".replace("16", "8"))
    cyclometer("check", tree.root, "--compiler", "gcc-O2").line("ok      crypto_hash alone")


@pytest.mark.parametrize("layout", ["crypto_hash/toy/clean", "clean"])
def test_a_folder_common_for_the_whole_tree(layout: str, tmp_path: Path, cyclometer: CommandLine) -> None:
    """In SUPERCOP's layout, and in folders; the harness's random bytes and the program there are not taken."""
    tree = ForeignTree(tmp_path / "kpqclean")
    split(tree, layout, "../" * len(Path(layout).parts) + "common")
    tree.write(f"{layout}/Makefile", "CFLAGS = -DSIZE=8 -DOFFSET=0xcbf29ce484222325\n")
    tree.write("common/prime.h", f'#include "randombytes.h"\n{PRIME_HEADER}')
    for name in ("randombytes.c", "unused.c"):
        tree.write(f"common/{name}", GENERATOR)
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2", "--verbose")
    assert result.status == 0, result.stdout + result.stderr
    result.line("ok      crypto_hash", "clean")


def test_supercop_runs_no_makefile_of_an_implementation(tmp_path: Path, cyclometer: CommandLine) -> None:
    tree = ForeignTree(tmp_path / "supercop")
    split(tree, "crypto_hash/toy/ref", "../../../shared")
    result = cyclometer("check", tree.root, "--compiler", "gcc-O2")
    assert result.status == 1
    assert "SIZE" in result.stdout


@pytest.mark.parametrize(("headers", "sources"), [("include", "lib"), ("inc", "src")])
def test_sources_beside_the_folder_of_the_api(
    headers: str, sources: str, tmp_path: Path, cyclometer: CommandLine
) -> None:
    """The package's own generator, and programs around these folders and below lib/, are not taken."""
    root = grow_kem(tmp_path / "toy", toy_records(3))
    home, tree = root / "Reference_Implementation", ForeignTree(root)
    for file in sorted((home / "toy32").iterdir()):
        folder = home / (headers if file.suffix == ".h" else sources)
        folder.mkdir(exist_ok=True)
        file.rename(folder / file.name)
    (home / "toy32").rmdir()
    tree.write("Reference_Implementation/benchmark.c", GENERATOR)
    tree.write(f"Reference_Implementation/{sources}/test/test.c", GENERATOR)
    for part in (root, home):
        result = cyclometer("check", part, "--compiler", "gcc-O2", "--verbose")
        assert result.status == 0, result.stdout + result.stderr
        result.line("ok", "crypto_kem toy Reference_Implementation")
