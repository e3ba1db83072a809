# SPDX-License-Identifier: MIT OR Apache-2.0
"""Property tests and measures of key encapsulation, on an insecure toy whose public key decapsulates, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.records.failure import FailureKind
from cyclometer.store import open_runs
from support.command_line import CommandLine, Result
from support.small_tree import SmallTree

HOME = "primitives/crypto_kem/toy"
PRIMITIVE = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    description = "no encapsulation at all"
    public_key_bytes = 16
    secret_key_bytes = 16
    ciphertext_bytes = 16
    shared_bytes = 16
"""
TOY = """
    #include <stdint.h>
    #include <string.h>
    #include "crypto_kem.h"
    #include "randombytes.h"

    static void mix(unsigned char *k, const unsigned char *c, const unsigned char *key)
    {
        uint64_t x = 1, y = 2;
        for (int i = 0; i < 32; i++) {
            const unsigned char b = i < 16 ? key[i] : c[i - 16];
            x = (x ^ b) * 0x9ddfea08eb382d69u, x ^= x >> 29;
            y = (y + b + 1) * 0xc2b2ae3d27d4eb4fu, y ^= y >> 31;
        }
        for (int i = 0; i < 8; i++) k[i] = (unsigned char)(x >> 8 * i), k[8 + i] = (unsigned char)(y >> 8 * i);
    }

    int crypto_kem_keypair(unsigned char *pk, unsigned char *sk)
    {
        randombytes(sk, 16);
        memcpy(pk, sk, 16);
        return 0;
    }

    int crypto_kem_enc(unsigned char *c, unsigned char *k, const unsigned char *pk)
    {
        randombytes(c, 16);
        mix(k, c, pk);
        return 0;
    }

    int crypto_kem_dec(unsigned char *k, const unsigned char *c, const unsigned char *sk)
    {
        mix(k, c, sk);
        return 0;
    }
"""
FAULTY = {
    "ignores-the-key": ("c[i - 16];", "c[i - 16] * (i != 20);", FailureKind.WRONG_OUTPUT),
    "any-secret": ("i < 16 ? key[i]", "i < 16 ? 7", FailureKind.WRONG_OUTPUT),
    "one-session": ("randombytes(c, 16);", "memset(c, 5, 16);", FailureKind.WRONG_OUTPUT),
    "overruns": ("memcpy(pk, sk, 16);", "memcpy(pk, sk, 16); pk[16] = 0;", FailureKind.BUFFER_OVERRUN),
    "fails": ("mix(k, c, sk);", "mix(k, c, sk); if (k[0] < 128) return -1;", FailureKind.VALID_REJECTED),
}


def grow(root: Path) -> SmallTree:
    """Make a tree of the toy."""
    tree = SmallTree.grow(root)
    tree.write(f"{HOME}/primitive.toml", PRIMITIVE)
    tree.write(f"{HOME}/ref/toy.c", TOY)
    return tree


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return grow(tmp_path / "tree")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Result:
    """Check the toy and all its faulty variants at once."""
    folder = tmp_path_factory.mktemp("faulty")
    tree = grow(folder / "tree")
    for name, (old, new, _) in FAULTY.items():
        assert TOY.count(old) == 1
        tree.write(f"{HOME}/{name}/toy.c", TOY.replace(old, new))
    command = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
    return command("check", "toy", "--format", "json")


def test_check_names_the_faults_and_passes_what_is_right(checked: Result) -> None:
    assert checked.right() == {"ref"}
    assert checked.kinds() == {name: kind for name, (_, _, kind) in FAULTY.items()}


def test_every_measure_is_measured(tree: SmallTree, cyclometer: CommandLine) -> None:
    assert cyclometer("run", "toy", "--rounds", "1").status == 0
    with open_runs(cyclometer.results) as runs:
        measured = {row[0] for row in runs.sql("SELECT DISTINCT measure FROM samples").fetchall()}
    assert measured == {"empty", "keypair", "encapsulate", "decapsulate", "reject"}


def test_the_key_of_each_call_is_moved(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The harness measures at an alignment only if the address of the key that the measure named has it."""
    asked = ("run", "toy", "--alignment", "key=0,1,2048", "--rounds", "1", "--patience", "0", "--no-tables")
    assert cyclometer(*asked).status == 0
    with open_runs(cyclometer.results) as runs:
        rows = runs.sql("SELECT DISTINCT measure, key_alignment FROM placed WHERE measure <> 'empty'").fetchall()
    reading = {"encapsulate", "decapsulate", "reject"}  # a key pair is drawn without one
    assert set(rows) == {("keypair", 0)} | {(measure, at) for measure in reading for at in (0, 1, 2048)}


def test_no_measure_has_a_length_to_choose(tree: SmallTree, cyclometer: CommandLine) -> None:
    cyclometer("run", "toy", "--length", "64").complains("no measure of crypto_kem depends on a length")
