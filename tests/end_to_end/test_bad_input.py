# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bad input gives exit status 2 and one line with the thing and the remedy; earlier results stay whole."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cyclometer.store import list_runs, open_runs
from cyclometer.store.runfile import write_run_info
from support.command_line import PROGRAM, CommandLine
from support.small_tree import SmallTree

RUN = ("run", "salsa20", "--rounds", "1", "--patience", "0", "--no-tables")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Path:
    """Measure once; return a results folder with one complete run."""
    folder = tmp_path_factory.mktemp("measured")
    tree = SmallTree.grow(folder / "tree", "crypto_stream/salsa20/ref")
    command = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
    assert command(*RUN).status == 0
    return command.results


@pytest.fixture
def stored(cyclometer: CommandLine, measured: Path) -> CommandLine:
    """Return the command with that run in its results folder."""
    shutil.copytree(measured, cyclometer.results)
    return cyclometer


def samples(results: Path) -> int:
    """Count the samples of all complete runs by reading them."""
    with open_runs(results, everything=True) as runs:
        return int(runs.sql("SELECT count(*) FROM samples WHERE list_sum(series) > 0").fetchall()[0][0])


# ---- names and numbers on the command line


def test_an_unknown_system_is_reported_with_the_nearest_one(cyclometer: CommandLine) -> None:
    cyclometer("check", "salsa2o").complains("unknown system 'salsa2o'", "did you mean 'salsa20'?")
    cyclometer("run", "aes-128-gmc").complains("unknown system 'aes-128-gmc'", "did you mean 'aes-128-gcm'?")
    assert not cyclometer.results.exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("run", "salsa20", "--profile", "quik"), "did you mean 'quick'?"),
        (("run", "salsa20", "--implementation", "raf"), "did you mean 'ref'?"),
        (("run", "salsa20", "--compiler", "gcc-O9"), "did you mean 'gcc-O2'?"),
        (("run", "salsa20", "--machine", "../elsewhere"), "machine name '../elsewhere'"),
        (("run", "salsa20", "--rounds", "many"), "--rounds"),
        (("run", "salsa20", "--rounds", "-1"), "--rounds"),
        (("run", "salsa20", "--length", "sixty"), "--length 'sixty' is not a list of lengths"),
        (("run", "salsa20", "--length", "99999999999"), "99999999999 is not within 0 to "),
        (("run", "salsa20", "--keys", "0"), "0 is not within 1 to "),
        (("run", "salsa20", "--keys", "100"), "no measure of crypto_stream depends on the number of active keys"),
        (("queue", "work", "nowhere"), "nowhere is not a queue; `cyclometer queue add nowhere FILE` makes one"),
        (("check", "salsa20", "--toolchain", "gc"), "did you mean 'gcc'?"),
        (("check", "salsa20", "--time-limit", "0"), "--time-limit"),
        (("frobnicate",), "frobnicate"),
        (("table", "--frobnicate"), "--frobnicate"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_wrong_argument_is_named(arguments: tuple[str, ...], complaint: str, cyclometer: CommandLine) -> None:
    cyclometer(*arguments).complains(complaint)


@pytest.mark.parametrize("length", ["forty", "-40", "40,", "4.5", "", " ", "40-80", "９"])
def test_a_length_that_is_not_a_number_is_refused(length: str, stored: CommandLine) -> None:
    result = stored("table", f"--length={length}")
    if length.strip():
        result.complains("--length", "give numbers")
    else:
        assert result.status in (0, 2)


def test_a_length_that_was_not_measured_is_reported_with_the_nearest(stored: CommandLine) -> None:
    stored("table", "--length", "99999").complains("99999", "the nearest is", "`cyclometer run --length 99999`")


# ---- the results folder


@pytest.mark.parametrize("folder", ["/proc/results", "/etc/passwd/results", "/dev/null"])
def test_a_results_folder_that_cannot_be_written(folder: str, cyclometer: CommandLine) -> None:
    cyclometer(*RUN, "--results", folder).complains(f"cannot write {folder}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_results_folder_without_permission(cyclometer: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    cyclometer(*RUN, "--results", folder).complains("not permitted", "--results")


def in_namespace(script: str, command: CommandLine, disk: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script in a namespace where it may mount; $DISK is a folder for that."""
    unshare = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.geteuid() else [])]
    if subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this machine lets us make no mount namespace")
    disk.mkdir()
    return subprocess.run(
        [*unshare, "sh", "-c", script],
        env={**command.variables(), "DISK": str(disk), "CYCLOMETER": str(PROGRAM)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_read_only_results_folder(cyclometer: CommandLine, tmp_path: Path) -> None:
    script = 'mount -t tmpfs -o ro none "$DISK" && exec "$CYCLOMETER" run salsa20 --results "$DISK"'
    ended = in_namespace(script, cyclometer, tmp_path / "disk")
    assert ended.returncode == 2
    assert "the file system is read-only; choose another folder (--results, or -o)" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_full_disk_leaves_earlier_results_whole_and_the_run_resumable(
    cyclometer: CommandLine, tmp_path: Path
) -> None:
    script = f"""
        mount -t tmpfs -o size=400k none "$DISK" || exit 77
        run="{" ".join(RUN)} --machine box --results $DISK"
        "$CYCLOMETER" $run || exit 11
        head -c 400k /dev/zero >"$DISK/filler" 2>/dev/null
        truncate -s -16k "$DISK/filler"   # a run can begin, but not end
        "$CYCLOMETER" $run && exit 12
        echo "status $?" >&2
        "$CYCLOMETER" table --results "$DISK" --length 576 || exit 13
        rm "$DISK/filler"
        "$CYCLOMETER" run --resume --machine box --results "$DISK" || exit 14
        "$CYCLOMETER" runs --results "$DISK"
    """
    ended = in_namespace(script, cyclometer, tmp_path / "disk")
    if ended.returncode == 77:
        pytest.skip("this machine lets us mount nothing")
    assert ended.returncode == 0, ended.stderr
    complaints = [line for line in ended.stderr.splitlines() if line.startswith("cyclometer: ")]
    assert len(complaints) == 1
    assert "the disk is full; free some space" in complaints[0]
    assert "status 2" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout.count("complete") == 2


def test_a_disk_that_is_already_full(cyclometer: CommandLine, tmp_path: Path) -> None:
    script = f"""
        mount -t tmpfs -o size=64k none "$DISK" || exit 77
        head -c 64k /dev/zero >"$DISK/filler" 2>/dev/null
        "$CYCLOMETER" {" ".join(RUN)} --results "$DISK"
    """
    ended = in_namespace(script, cyclometer, tmp_path / "disk")
    if ended.returncode == 77:
        pytest.skip("this machine lets us mount nothing")
    assert ended.returncode == 2
    assert "the disk is full" in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_a_full_disk_under_the_build_cache(cyclometer: CommandLine, tmp_path: Path) -> None:
    script = """
        mount -t tmpfs -o size=64k none "$DISK" || exit 77
        CYCLOMETER_CACHE="$DISK" "$CYCLOMETER" check salsa20
    """
    ended = in_namespace(script, cyclometer, tmp_path / "disk")
    if ended.returncode == 77:
        pytest.skip("this machine lets us mount nothing")
    assert ended.returncode == 2, ended.stderr
    assert "build cache" in ended.stderr.splitlines()[-1]
    assert "Traceback" not in ended.stderr


# ---- the machine


@pytest.fixture
def path_without_compilers(tmp_path: Path) -> str:
    """Make a PATH with the system's tools but no compiler."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in ("prlimit", "bwrap", "true", "size", "pkg-config", "sh", "env"):
        if found := shutil.which(tool):
            (folder / tool).symlink_to(found)
    return str(folder)


def test_no_compiler(stored: CommandLine, path_without_compilers: str) -> None:
    before = samples(stored.results)
    result = stored(*RUN, PATH=path_without_compilers)
    result.complains("no compiler works here", "gcc is not installed", "apt install gcc")
    assert samples(stored.results) == before
    stored("check", "salsa20", PATH=path_without_compilers).complains("no compiler works here")


def test_a_compiler_that_miscompiles_is_left_out_with_the_reason(
    tree: SmallTree, cyclometer: CommandLine, tmp_path: Path
) -> None:
    """Its test program prints the wrong output."""
    crooked = tmp_path / "crooked-cc"
    crooked.write_text('#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && cp "$(command -v true)" "$2"; shift; done\n')
    crooked.chmod(0o755)
    tree.write(
        "toolchains/crooked.toml",
        f"""
        description = "makes programs that do nothing"
        command = "{crooked}"
        cxx = "{crooked}"
        debian = "none"
        [[variant]]
        name = "crooked-O2"
        flags = ["-O2"]
        reason = "a test"
        """,
    )
    result = cyclometer(*RUN)
    assert result.status == 0
    assert "compiler crooked-O2 not used: miscompiles a sanity program" in result.stderr


def test_with_no_counter_but_the_clock_times_are_nanoseconds(tree: SmallTree, cyclometer: CommandLine) -> None:
    for counter in (tree / "harness/counters").glob("*.h"):
        if counter.stem != "clock_gettime":
            counter.unlink()
    result = cyclometer("run", "salsa20", "--rounds", "1", "--patience", "0")
    assert result.status == 0, result.stderr
    assert "core cycles converted from ns;" in result.stdout
    with open_runs(cyclometer.results) as runs:
        assert runs.sql("SELECT DISTINCT counter FROM samples").fetchall() == [("clock_gettime",)]
    [run] = list_runs(cyclometer.results)
    assert run.info
    assert run.info.counter["unit"] == "ns"


def test_no_counter_at_all(tree: SmallTree, cyclometer: CommandLine) -> None:
    for counter in (tree / "harness/counters").glob("*.h"):
        counter.unlink()
    tree.write(
        "harness/counters/sundial.h",
        """
        #define COUNTER_NAME "sundial"
        #define COUNTER_UNIT "ns"
        #define COUNTER_ABSENT "the sun is down"
        """,
    )
    cyclometer(*RUN).complains("no counter works here", "sundial: the sun is down")


# ---- runs that are damaged


def damaged_copy(results: Path) -> Path:
    """Copy the run under another name, as one to be damaged."""
    [run] = list_runs(results)
    assert run.info
    copy = run.folder.with_name("2100-01-01T00-00-00-quick")
    shutil.copytree(run.folder, copy)
    write_run_info(copy / "run.json", replace(run.info, id="", run=copy.name))
    return copy


@pytest.mark.parametrize("damage", ["truncated", "empty", "no samples", "no description", "no JSON"])
def test_a_corrupt_run_is_reported_and_the_others_are_still_read(damage: str, stored: CommandLine) -> None:
    before = samples(stored.results)
    copy = damaged_copy(stored.results)
    parquet, description = copy / "samples.parquet", copy / "run.json"
    if damage == "truncated":
        parquet.write_bytes(parquet.read_bytes()[:-100])
    elif damage == "empty":
        parquet.write_bytes(b"")
    elif damage == "no samples":
        parquet.unlink()
    elif damage == "no description":
        description.unlink()
    else:
        description.write_text('{"format": 1,')
    stored("table", "--run", copy.name).complains(copy.name)
    assert "unreadable" in stored("runs").line(copy.name)
    assert stored("table").status == 0, "the last complete run is printed as if nothing had happened"
    assert samples(stored.results) == before


def test_a_run_of_a_later_format_is_refused(stored: CommandLine) -> None:
    copy = damaged_copy(stored.results)
    content = json.loads((copy / "run.json").read_text())
    (copy / "run.json").write_text(json.dumps({**content, "format": 99}))
    stored("table", "--run", copy.name).complains("format 99", "newer")


def test_a_half_written_run_is_not_read(stored: CommandLine) -> None:
    copy = damaged_copy(stored.results)
    (copy / "samples.parquet").unlink()
    copy.rename(copy.with_name(f".{copy.name}.partial"))
    assert "interrupted" in stored("runs").line(copy.name)
    assert copy.name not in stored("table").stdout


def test_tables_without_a_run(cyclometer: CommandLine) -> None:
    cyclometer("table").complains("no run in", "start one with `cyclometer run`")
    cyclometer("runs").complains("no run in")


@pytest.mark.parametrize("wrong", [("--compiler", "gcc-O9"), ("--implementation", "raf")])
def test_a_run_with_nothing_to_do_cannot_be_resumed(wrong: tuple[str, str], stored: CommandLine) -> None:
    stored("run", "salsa20", *wrong).complains(f"unknown {wrong[0][2:]}")
    stored("run", "--resume").complains("no interrupted run")
    stored("run", "salsa20", "--resume").complains("--resume completes the interrupted run")


def test_a_run_without_a_correct_implementation_cannot_be_resumed(tree: SmallTree, stored: CommandLine) -> None:
    tree.write("primitives/crypto_stream/salsa20/ref/more.c", "int more(")
    result = stored(*RUN)
    assert result.status == 2
    reason = result.stderr.splitlines()[-1]
    assert reason.startswith("cyclometer: nothing passes its checks: crypto_stream salsa20 ref")
    assert "does not compile: more.c:1:" in reason
    stored("run", "--resume").complains("no interrupted run")
    assert [run.state for run in list_runs(stored.results)] == ["complete"]


def test_list_shows_the_systems_of_the_tree(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.plant("crypto_aead/salsa20-poly1305")
    result = cyclometer("run", "--list")
    assert result.status == 0, result.stderr
    assert result.line("crypto_stream salsa20: ref")
    assert result.line("crypto_aead salsa20-poly1305: (of salsa20, poly1305)")
    assert "crypto_aead" not in cyclometer("run", "--list", "salsa20").stdout
    cyclometer("run", "--list", "salsa2o").complains("did you mean 'salsa20'?")
    assert cyclometer("--version").stdout.startswith("cyclometer ")


def test_nothing_to_resume(stored: CommandLine) -> None:
    stored("run", "--resume").complains("no interrupted run")
    replace(stored, results=stored.results / "none")("run", "--resume").complains("no interrupted run")


# ---- the tree's declarations


def test_an_unknown_key_is_reported_with_its_file_and_the_nearest_key(tree: SmallTree, stored: CommandLine) -> None:
    file = "primitives/crypto_stream/salsa20/primitive.toml"
    tree.change(file, "security_bits", "security_bit")
    for arguments in (("check", "salsa20"), RUN):
        stored(*arguments).complains(file, "unknown key 'security_bit'", "did you mean 'security_bits'?")
    assert stored("table").status == 0, "stored runs do not need the declarations"


@pytest.mark.parametrize(
    ("file", "text", "complaint"),
    [
        ("primitives/crypto_stream/salsa20/primitive.toml", "key_bytes = [", "not valid TOML"),
        ("primitives/crypto_stream/salsa20/primitive.toml", 'description = "no sizes"', "'key_bytes'"),
        ("primitives/crypto_stream/salsa20/ref/implementation.toml", 'need = ["avx2"]', "'needs'"),
        ("primitives/crypto_stream/salsa20/ref/implementation.toml", 'needs = ["avx22"]', "'avx2'"),
        ("primitives/crypto_stream/salsa20/ref/implementation.toml", 'constant_time = "yes"', "boolean"),
        ("operations/crypto_stream/operation.toml", "titel = 'x'", "'title'"),
        ("toolchains/gcc.toml", "comand = 'gcc'", "'command'"),
        ("toolchains/features/x86.toml", 'avx2 = { cpuinfo = "avx2", flag = [] }', "'flags'"),
    ],
)
def test_a_wrong_declaration_names_its_file(
    file: str, text: str, complaint: str, tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.write(file, text)
    cyclometer("check", "salsa20").complains(str(tree / file), complaint)


def test_an_unknown_part_is_reported(tree: SmallTree, cyclometer: CommandLine) -> None:
    tree.plant("crypto_aead/salsa20-poly1305")
    tree.change("primitives/crypto_aead/salsa20-poly1305/primitive.toml", '"salsa20"', '"salsa21"')
    cyclometer("check").complains("salsa20-poly1305/primitive.toml", "'salsa21'", "did you mean 'salsa20'?")


# ---- vector files


def gcm_vectors(**changes: Any) -> dict[str, Any]:
    """Write a vector file of one vector (test case 2 of the GCM specification) with these fields replaced."""
    vector = {
        "id": "one",
        "key": "00" * 16,
        "nonce": "00" * 12,
        "plaintext": "00" * 16,
        "ciphertext": "0388dace60b6a392f328c2b971b2fe78",
        "tag": "ab6e47d42cec13bdf53a67b21257bddf",
    }
    return {
        "format": "cyclometer-vectors/1",
        "operation": "crypto_aead",
        "system": "aes-128-gcm",
        "vectors": [{**vector, **changes}],
    }


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("this is no JSON", "not JSON"),
        ("[]", "format"),
        ("{}", "format"),
        (json.dumps({**gcm_vectors(), "format": "cyclometer-vectors/2"}), '"cyclometer-vectors/1"'),
        (json.dumps({**gcm_vectors(), "vectors": []}), '"vectors"'),
        (json.dumps({**gcm_vectors(), "vectors": ["00"]}), '"vectors"'),
        (json.dumps({**gcm_vectors(), "operation": 7}), '"operation"'),
        (json.dumps({**gcm_vectors(), "operation": "crypto_aed"}), "did you mean"),
        (json.dumps(gcm_vectors(key="0" * 31)), "vector one: key is not lower-case hex"),
        (json.dumps(gcm_vectors(key="xy" * 16)), "vector one: key is not lower-case hex"),
        (json.dumps(gcm_vectors(tag="abc")), "vector one: tag is not lower-case hex"),
        (json.dumps(gcm_vectors(key="00" * 15)), "vector one: key has 15 bytes instead of 16"),
        (json.dumps(gcm_vectors(nonce="")), "vector one: nonce has 0 bytes instead of 12"),
        (json.dumps(gcm_vectors(tag="00" * 12)), "vector one: tag has 12 bytes instead of 16"),
        (json.dumps(gcm_vectors(plaintext=None)), "vector one: plaintext"),
        (json.dumps(gcm_vectors(plaintext_zero_bytes=-1)), "vector one: plaintext_zero_bytes is -1"),
        (json.dumps(gcm_vectors(chunks={"zero": "00"})), "vector one: chunks"),
    ],
)
def test_an_invalid_vector_file_is_reported(
    content: str, complaint: str, cyclometer: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "mine.json"
    file.write_text(content)
    cyclometer("check", "aes-128-gcm", "--vectors", file).complains(complaint)


def test_missing_vectors_and_vectors_of_another_system(cyclometer: CommandLine, tmp_path: Path) -> None:
    cyclometer("check", "--vectors", tmp_path / "none.json").complains("none.json", "No such file")
    cyclometer("check", "--vectors", tmp_path).complains(str(tmp_path))
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(gcm_vectors()))
    cyclometer("check", "salsa20", "aes-128-gcm", "--vectors", file).complains("holds vectors of one system")
    cyclometer("check", "salsa20", "--vectors", file).complains("'crypto_aead/salsa20'")


def test_an_invalid_vector_file_of_the_tree_is_reported(tree: SmallTree, cyclometer: CommandLine) -> None:
    file = "primitives/crypto_aead/aes-128-gcm/vectors.json"
    tree.write(file, json.dumps(gcm_vectors(nonce="00" * 8)))
    result = cyclometer("check", "aes-128-gcm")
    assert result.status == 2
    assert file in result.stderr.splitlines()[-1]
    assert "nonce has 8 bytes instead of 12" in result.stderr
    assert "Traceback" not in result.stderr
