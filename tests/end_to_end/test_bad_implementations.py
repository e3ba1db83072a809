# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whatever an implementation does, it is a record that names the deed; what is right is measured all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from cyclometer.execute import sandbox
from cyclometer.store import open_runs
from support.command_line import CommandLine
from support.faulty_implementations import AEAD_MISDEEDS, STREAM_MISDEEDS, Misdeed
from support.small_tree import SmallTree


@pytest.mark.parametrize("misdeed", STREAM_MISDEEDS, ids=lambda misdeed: misdeed.name)
def test_check_names_the_misdeed_of_a_stream(misdeed: Misdeed, tree: SmallTree, cyclometer: CommandLine) -> None:
    misdeed.commit(tree)
    said = cyclometer("check", "salsa20", "--time-limit", "3", "--format", "json")
    assert said.status == 1
    assert said.kinds() == {misdeed.name: misdeed.kind}
    assert said.right() == {"ref"}


@pytest.fixture
def no_forgeries(tree: SmallTree) -> None:
    """Published forgeries would tell some misdeeds before the laws do; the laws must, too."""
    (tree / "primitives/crypto_aead/aes-128-gcm/vectors-wycheproof.json").unlink()


@pytest.mark.usefixtures("no_forgeries")
@pytest.mark.parametrize("misdeed", AEAD_MISDEEDS, ids=lambda misdeed: misdeed.name)
def test_check_names_the_misdeed_of_an_aead(misdeed: Misdeed, tree: SmallTree, cyclometer: CommandLine) -> None:
    misdeed.commit(tree)
    said = cyclometer("check", "aes-128-gcm", "--format", "json")
    assert said.status == 1
    assert said.kinds() == {misdeed.name: misdeed.kind}
    assert said.right() == {"ref"}


@pytest.mark.usefixtures("no_forgeries")
def test_run_measures_the_right_ones_and_stores_what_was_wrong_with_the_others(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    misdeeds = [*STREAM_MISDEEDS, *AEAD_MISDEEDS]
    for misdeed in misdeeds:
        misdeed.commit(tree)
    said = cyclometer("run", "salsa20", "aes-128-gcm", "--rounds", "1", "--time-limit", "3")
    assert said.status == 0, said.stderr
    with open_runs(cyclometer.results) as runs:
        measured = runs.sql("SELECT DISTINCT primitive, implementation FROM samples").fetchall()
        failures = dict(runs.sql("SELECT implementation, kind FROM failures").fetchall())
    assert set(measured) == {("salsa20", "ref"), ("aes-128-gcm", "ref")}
    assert failures == {misdeed.name: misdeed.kind for misdeed in misdeeds}


def test_table_tells_what_could_not_run(tree: SmallTree, cyclometer: CommandLine) -> None:
    Misdeed(name="crooked", deed="volatile int *nothing = 0; *nothing = 1;").commit(tree)
    assert cyclometer("run", "salsa20", "--rounds", "1", "--no-tables").status == 0
    said = cyclometer("table", "--failures")
    assert "SIGSEGV" in said.stdout
    assert "crooked" in said.stdout


def test_a_cpu_feature_that_is_absent_is_a_reason_and_no_error(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.write("toolchains/features/x86.toml", 'warp = { cpuinfo = "warp_drive", flags = ["-mwarp"] }\n')
    Misdeed(name="warped").commit(tree)
    tree.write("primitives/crypto_stream/salsa20/warped/implementation.toml", 'needs = ["warp"]\n')
    said = cyclometer("check", "salsa20")
    assert said.line("without", "salsa20 warped").endswith("needs warp")
    assert said.status == 0


@pytest.mark.parametrize(("macro", "status"), [("__LP64__", "ok"), ("__PDP11__", "without")])
def test_what_the_compiler_must_say_of_its_target_decides_too(
    macro: str, status: str, tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.write("toolchains/features/any.toml", f'words = {{ macro = "{macro}" }}\n')
    Misdeed(name="wordy").commit(tree)
    tree.write("primitives/crypto_stream/salsa20/wordy/implementation.toml", 'needs = ["words"]\n')
    assert cyclometer("check", "salsa20").line(status, "salsa20 wordy")


def test_a_misdeed_changes_nothing_on_the_machine(tree: SmallTree, cyclometer: CommandLine) -> None:
    password_file = Path("/etc/passwd").read_bytes()
    for misdeed in STREAM_MISDEEDS:
        if "file" in misdeed.name:
            misdeed.commit(tree)
    assert cyclometer("check", "salsa20").status == 1
    assert Path("/etc/passwd").read_bytes() == password_file
    assert not Path("/tmp/spoils").exists()


@pytest.mark.skipif(not sandbox.bubblewrap(), reason="bubblewrap is not installed, or may not make namespaces")
def test_what_runs_before_main_is_still_in_the_sandbox(
    tree: SmallTree, cyclometer: CommandLine, tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    Misdeed(
        name="starts-early",
        includes=f"""
#include <stdio.h>
__attribute__((constructor)) static void early(void) {{ fopen("{trace}", "w"); }}""",
    ).commit(tree)
    cyclometer("check", "salsa20")
    assert not trace.exists()


def test_forged_records_are_no_samples(tree: SmallTree, cyclometer: CommandLine) -> None:
    """Standard output is the implementation's to fill; records go another way."""
    Misdeed(
        name="boasts",
        includes="#include <stdio.h>",
        deed='puts("sample\\txor\\t576\\t0\\t1\\t0\\trdtsc\\t0\\t0\\t1\\t1\\t1\\t1\\t1\\t1"); fflush(stdout);',
    ).commit(tree)
    said = cyclometer("run", "salsa20", "--rounds", "1", "--implementation", "boasts", "--no-tables")
    assert said.status == 0, said.stderr
    with open_runs(cyclometer.results) as runs:
        lengths = runs.sql("SELECT DISTINCT len(series) FROM samples").fetchall()
    assert lengths == [(15,)]
