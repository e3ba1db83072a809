# SPDX-License-Identifier: MIT OR Apache-2.0
"""A machine within a machine, as a user asks for it: without some features, with 32 bits, all in one table."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cyclometer import host
from cyclometer.store import open_runs
from support.command_line import CommandLine, Result
from support.foreign_tree import GOOD_VERIFY, ForeignTree
from support.requirements import is_missing
from support.small_tree import SmallTree

DOCUMENTS = """
    [documents]
    T = "A talk"
    [[match]]
    document = "T"
    tables = ["speeds"]
    operation = "crypto_aead"
    measures = { encrypt = "encrypt" }
    systems = { aes-gcm = "aes-128-gcm" }
    """
FIGURES = """
    document,table,machine,system,measure,length,keys,value,unit
    T,speeds,Old machine 64-bit,aes-gcm,encrypt,64,1,123.5,cycles/byte
    T,speeds,Other machine,aes-gcm,encrypt,64,1,77.0,cycles/byte
    """


@pytest.fixture(scope="module")
def cyclometer(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> CommandLine:
    """AES-GCM in portable code and with AES instructions, and one compiler for each word size."""
    if "aes" not in host.cpu_flags() or "pclmulqdq" not in host.cpu_flags():
        is_missing("this CPU has no AES instructions")
    base = tmp_path_factory.mktemp("modes")
    tree = SmallTree.grow(base / "tree", "crypto_aead/aes-128-gcm/ref", "crypto_aead/aes-128-gcm/aesni")
    tree.copy("toolchains/m32.toml")
    tree.copy("toolchains/musl.toml")
    tree.write("published/documents.toml", DOCUMENTS)
    tree.write("published/figures.csv", FIGURES)
    tree.write("published/machines.csv", "document,machine,cpu,mode,MHz\n")
    return CommandLine(tree=tree.root, cache=build_cache, results=base / "results")


def can_compile_for_32_bits(folder: Path) -> bool:
    source = folder / "x.c"
    source.write_text("#include <stdio.h>\nint main(void) { return sizeof(void *) != 4; }\n")
    built = subprocess.run(["gcc", "-m32", "-o", folder / "x", source], capture_output=True, check=False)
    return built.returncode == 0 and subprocess.run([folder / "x"], check=False).returncode == 0


def rows(result: Result) -> dict[str, dict[str, Any]]:
    assert result.status == 0, result.stderr
    [table] = json.loads(result.stdout)["tables"]
    labels = [column["label"] for column in table["columns"]]
    found = {}
    for row in table["rows"]:
        values = [figure and figure["value"] for figure in row["figures"]]
        found[row["label"]] = dict(zip(labels, values, strict=True))
    return found


def test_without_a_feature_another_implementation_is_chosen(cyclometer: CommandLine) -> None:
    run = cyclometer("run", "aes-128-gcm", "--length", "64", "--without", "aes,pclmulqdq", "--rounds", "1")
    assert run.status == 0, run.stderr
    machine = f"{socket.gethostname()} [without aes, pclmulqdq]"
    with open_runs(cyclometer.results, machines=[machine]) as connection:
        chosen = connection.sql("SELECT DISTINCT machine, implementation FROM samples WHERE NOT control").fetchall()
        reasons = connection.sql("SELECT reason FROM failures WHERE implementation = 'aesni'").fetchall()
    assert chosen == [(machine, "ref")]
    assert reasons == [("needs aes, pclmulqdq",)]
    assert cyclometer("table", "--machine", machine).status == 0


def test_the_modes_are_one_table_beside_published_figures(cyclometer: CommandLine, tmp_path: Path) -> None:
    command = ("modes", "aes-128-gcm", "--length", "64", "--rounds", "1", "--format", "json")
    found = rows(cyclometer(*command))
    assert found["native"]["tuning"] == "aesni gcc-O2"
    assert found["without AES instructions"]["tuning"] == "ref gcc-O2"
    assert (found["native"]["published"], found["native"]["published of"]) == (123.5, "Old machine")
    assert found["Other machine"]["published"] == 77.0
    assert found["Other machine"]["this machine"] is None
    if can_compile_for_32_bits(tmp_path):
        assert found["32-bit mode"]["tuning"] in {"ref gcc-m32-O2", "ref gcc-m32-O3"}
    else:
        assert found["32-bit mode"]["this machine"] is None
    assert rows(cyclometer(*command, "--stored")) == found  # nothing is measured a second time


def test_another_libc_is_a_machine_of_its_own(cyclometer: CommandLine, tmp_path: Path) -> None:
    if not shutil.which("musl-gcc"):
        pytest.skip("musl-gcc is not installed (Debian: apt install musl-tools)")
    command = ("aes-128-gcm", "--toolchain", "musl", "--implementation", "ref")
    run = cyclometer("run", *command, "--length", "64", "--rounds", "1", "--no-tables")
    assert run.status == 0, run.stderr
    machine = f"{socket.gethostname()} [musl]"
    with open_runs(cyclometer.results, machines=[machine]) as connection:
        chosen = connection.sql("SELECT DISTINCT compiler FROM samples WHERE primitive = 'aes-128-gcm'").fetchall()
    assert chosen in ([("gcc-musl-O2",)], [("gcc-musl-O3",)])
    tree = ForeignTree(tmp_path / "theirs")
    tree.write("crypto_verify/16/mine/verify.c", GOOD_VERIFY)
    theirs = ("check", "--toolchain", "musl", "--tree", tree.root)
    cyclometer(*theirs).complains("--toolchain musl is for code that you trust")
    assert "ok" in cyclometer(*theirs, "--unsafe").stdout


def test_a_run_of_one_implementation_is_no_baseline(cyclometer: CommandLine) -> None:
    run = cyclometer("run", "aes-128-gcm", "--length", "48", "--implementation", "ref", "--rounds", "1")
    assert run.status == 0, run.stderr
    stored = cyclometer("modes", "aes-128-gcm", "--length", "48", "--mode", "native", "--stored")
    assert (stored.status, "not measured" in stored.stderr) == (2, True)
    found = rows(cyclometer("modes", "--length", "48", "--mode", "native", "--rounds", "1", "--format", "json"))
    with open_runs(cyclometer.results, everything=True) as connection:
        failures = connection.sql("SELECT * FROM failures WHERE implementation = 'aesni'").fetchall()
    assert found["native"]["tuning"] == "aesni gcc-O2", failures


def test_an_implementation_that_a_mode_cannot_run_is_named_as_the_reason(cyclometer: CommandLine) -> None:
    asked = ("modes", "aes-128-gcm", "--implementation", "aesni", "--mode", "without-aes", "--length", "48")
    result = cyclometer(*asked)
    assert result.status == 2
    [error] = [line for line in result.stderr.splitlines() if line.startswith("cyclometer: ")]
    assert "aes-128-gcm aesni" in error
    assert "needs aes" in error
    assert "--stored" not in error


def test_bad_modes_are_refused(cyclometer: CommandLine) -> None:
    for words, message in {
        ("run", "aes-128-gcm", "--without", "ase"): "unknown CPU feature 'ase'; did you mean 'aes'?",
        ("run", "aes-128-gcm", "--toolchain", "m31"): "unknown toolchain 'm31'; did you mean 'm32'?",
        ("run", "aes-128-gcm", "--machine", "x [32-bit]"): "'x [32-bit]' names a mode of x: measure it with",
        ("modes", "--mode", "31-bit"): "unknown mode '31-bit'",
        ("modes", "--measure", "sing"): "--measure sing: crypto_aead has decrypt, encrypt, reject",
        ("modes", "--length", "65", "--stored"): "aes-128-gcm: not measured",
    }.items():
        result = cyclometer(*words)
        assert result.status == 2, words
        assert message in result.stderr
        assert "Traceback" not in result.stderr
