# SPDX-License-Identifier: MIT OR Apache-2.0
"""Faulty implementations become failures of the right kind, and correct ones are still measured."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from cyclometer.records.failure import FailureKind
from cyclometer.store import open_runs
from support.command_line import CommandLine, Result
from support.faulty_implementations import (
    BREAK_THE_CALLING_CONVENTION,
    FAULTY_AEADS,
    FAULTY_HASHES,
    FAULTY_MACS,
    FAULTY_STREAMS,
    FaultyHash,
    FaultyImplementation,
)
from support.small_tree import PLANTED, SmallTree

SYSTEMS = ("salsa20", "aes-128-gcm", "sha-256", "poly1305")
ON_X86_64 = BREAK_THE_CALLING_CONVENTION if platform.machine() == "x86_64" else []
EVERY_FAULTY = [*FAULTY_STREAMS, *FAULTY_AEADS, *FAULTY_HASHES, *FAULTY_MACS, *ON_X86_64]


def limit_of(faulty: FaultyImplementation) -> str:
    """Return the time limit in seconds: what does not end costs it; for the others a busy machine may take long."""
    return "3" if faulty.kind is FailureKind.TIME_LIMIT else "60"


def without_forgeries(tree: SmallTree) -> SmallTree:
    """Remove the published forgeries, so that the property tests themselves must find the faults."""
    for name in ("wycheproof", "cavp"):
        (tree / f"primitives/crypto_aead/aes-128-gcm/vectors-{name}.json").unlink()
    return tree


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> dict[str, Result]:
    """Check the faulty implementations at once, each beside the right `ref`; map a time limit to its result."""
    results = {}
    for limit, systems in (("60", SYSTEMS), ("3", ["salsa20"])):  # then what is right is known where 3 seconds are few
        folder = tmp_path_factory.mktemp("faulty")
        tree = without_forgeries(SmallTree.grow(folder / "tree", *PLANTED))
        for faulty in EVERY_FAULTY:
            if limit_of(faulty) == limit:
                faulty.add_to(tree)
        command = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
        results[limit] = command("check", *systems, "--time-limit", limit, "--format", "json")
    return results


@pytest.mark.parametrize("faulty", EVERY_FAULTY, ids=lambda faulty: faulty.name)
def test_check_names_the_fault(faulty: FaultyImplementation, checked: dict[str, Result]) -> None:
    result = checked[limit_of(faulty)]
    assert result.kinds()[faulty.name] == faulty.kind
    assert faulty.reason in result.reason(faulty.name)


def test_check_passes_what_is_right_beside_what_is_wrong(checked: dict[str, Result]) -> None:
    for result in checked.values():
        assert result.status == 1
        assert result.right() == {"ref"}
    wrong = {name for result in checked.values() for name in result.kinds()}
    assert wrong == {faulty.name for faulty in EVERY_FAULTY}


def test_an_implementation_that_was_not_asked_for_decides(tree: SmallTree, cyclometer: CommandLine) -> None:
    """Vectors end at 128 bytes or so; beyond, only another implementation shows what is right."""
    FaultyHash(name="mine", after="if (inlen == 777) out[31] ^= 1;").add_to(tree)
    result = cyclometer("check", "sha-256", "--implementation", "mine", "--format", "json")
    assert result.status == 1
    assert result.kinds() == {"mine": FailureKind.DISAGREEMENT}
    assert result.right() == set()
    assert "length 777" in result.reason("mine")
    result = cyclometer("run", "sha-256", "--implementation", "mine", "--rounds", "1")
    assert result.status == 2
    assert "nothing passes its" in result.stderr
    assert "disagrees with ref" in result.stderr


def test_the_independent_implementation_wins_against_a_majority_that_was_submitted(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    submitted = ("mine", "also-mine", "mine-again")
    for name in submitted:
        FaultyHash(name=name, after="if (inlen == 777) out[31] ^= 1;").add_to(tree)
    result = cyclometer("check", "sha-256", "--format", "json")
    assert result.right() == {"ref"}
    assert set(result.kinds()) == set(submitted)
    named = [word for name in submitted for word in ("--implementation", name)]
    assert set(cyclometer("check", "sha-256", *named, "--format", "json").kinds()) == set(submitted)


def test_of_two_that_disagree_neither_is_believed(tree: SmallTree, cyclometer: CommandLine) -> None:
    for name, length in (("mine", 778), ("yours", 780)):
        FaultyHash(name=name, after=f"if (inlen == {length}) out[31] ^= 1;").add_to(tree)
    (tree / "primitives/crypto_hash/sha-256/ref").rename(tree / "primitives/crypto_hash/sha-256/base")
    for name in ("mine", "yours"):
        tree.change(f"primitives/crypto_hash/sha-256/{name}/hash.c", "../ref/", "../base/")
        tree.change(f"primitives/crypto_hash/sha-256/{name}/crypto_hash_types.h", "../ref/", "../base/")
    result = cyclometer("check", "sha-256", "--implementation", "mine", "--implementation", "yours", "--format", "json")
    assert set(result.kinds()) == {"mine", "yours"}
    assert "disagrees with yours, and nothing decides which is right: length 778: " in result.reason("mine")


def test_run_measures_correct_implementations_and_stores_the_failures_of_the_others(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    """One of each kind of failure; `check` above has them all."""
    without_forgeries(tree)
    of_kind = {faulty.kind: faulty for faulty in (*FAULTY_STREAMS, *FAULTY_AEADS) if limit_of(faulty) == "60"}
    every = list(of_kind.values())
    for faulty in every:
        faulty.add_to(tree)
    result = cyclometer("run", "salsa20", "aes-128-gcm", "--rounds", "1")
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        measured = runs.sql("SELECT DISTINCT primitive, implementation FROM samples").fetchall()
        failures = dict(runs.sql("SELECT implementation, kind FROM failures").fetchall())
    assert set(measured) == {("salsa20", "ref"), ("aes-128-gcm", "ref")}
    assert failures == {faulty.name: faulty.kind for faulty in every}


def test_table_lists_failures(tree: SmallTree, cyclometer: CommandLine) -> None:
    FaultyImplementation(name="crashing", before="volatile int *nothing = 0; *nothing = 1;").add_to(tree)
    assert cyclometer("run", "salsa20", "--rounds", "1", "--no-tables").status == 0
    result = cyclometer("table", "--failures")
    assert "SIGSEGV" in result.stdout
    assert "crashing" in result.stdout


def test_an_implementation_that_needs_an_absent_cpu_feature_is_skipped_with_the_reason(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.write("toolchains/features/x86.toml", 'warp = { cpuinfo = "warp_drive", flags = ["-mwarp"] }\n')
    FaultyImplementation(name="warped").add_to(tree)
    tree.write("primitives/crypto_stream/salsa20/warped/implementation.toml", 'needs = ["warp"]\n')
    result = cyclometer("check", "salsa20")
    assert result.line("without", "salsa20 warped").endswith("needs warp")
    assert result.status == 0


@pytest.mark.parametrize(("macro", "status"), [("__LP64__", "ok"), ("__PDP11__", "without")])
def test_a_macro_of_the_compiler_may_decide_whether_a_feature_is_there(
    macro: str, status: str, tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.write("toolchains/features/any.toml", f'words = {{ macro = "{macro}" }}\n')
    FaultyImplementation(name="target-specific").add_to(tree)
    tree.write("primitives/crypto_stream/salsa20/target-specific/implementation.toml", 'needs = ["words"]\n')
    assert cyclometer("check", "salsa20").line(status, "salsa20 target-specific")


def test_a_faulty_implementation_changes_nothing_on_the_machine(tree: SmallTree, cyclometer: CommandLine) -> None:
    password_file = Path("/etc/passwd").read_bytes()
    for faulty in FAULTY_STREAMS:
        if "file" in faulty.name:
            faulty.add_to(tree)
    assert cyclometer("check", "salsa20").status == 1
    assert Path("/etc/passwd").read_bytes() == password_file
    assert not Path("/tmp/spoils").exists()


@pytest.mark.skipif(not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces")
def test_code_that_runs_before_main_is_in_the_sandbox(tree: SmallTree, cyclometer: CommandLine, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    FaultyImplementation(
        name="starts-early",
        includes=f"""
#include <stdio.h>
__attribute__((constructor)) static void early(void) {{ fopen("{trace}", "w"); }}""",
    ).add_to(tree)
    cyclometer("check", "salsa20")
    assert not trace.exists()


def test_forged_records_are_not_samples(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The implementation may write to standard output; records go elsewhere."""
    FaultyImplementation(
        name="prints-a-sample",
        includes="#include <stdio.h>",
        before='puts("sample\\txor\\t576\\t0\\t1\\t0\\trdtsc\\t0\\t0\\t1\\t1\\t1\\t1\\t1\\t1"); fflush(stdout);',
    ).add_to(tree)
    result = cyclometer("run", "salsa20", "--rounds", "1", "--implementation", "prints-a-sample", "--no-tables")
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        (shortest,) = runs.sql("SELECT min(len(series)) FROM samples").fetchall()[0]
    assert shortest >= 15, "the forged record has one timing"
