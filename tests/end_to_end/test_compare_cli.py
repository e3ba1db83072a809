# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer compare`, `export` and `import` as a user types them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from cyclometer.records.columns import array_of, with_constants
from cyclometer.records.placement import PLACEMENT
from cyclometer.store import open_runs, select_runs
from support.command_line import CommandLine
from support.foreign_tree import GOOD_VERIFY, WHETHER_TIMED, ForeignTree
from support.small_tree import SmallTree
from support.synthetic import process, run_info, sample, write_run

LENGTHS = (0, 40, 402, 576, 1500, 8192)
DATA = """\
20260330 samba amd64 20250102 crypto_aead aes256gcmv1/timingleaks implementation crypto_aead/aes256gcmv1/ref -
20260330 samba amd64 20250102 crypto_aead aes256gcmv1/timingleaks cpucycles_implementation amd64-tsc
20260330 samba amd64 20250102 crypto_aead aes256gcmv1/timingleaks compiler gcc 12.2.0
20260330 samba amd64 20250102 crypto_aead aes256gcmv1/timingleaks encrypt_cycles 576 383 +1-1+0
20260330 samba amd64 20250102 crypto_aead aes256gcmv1/timingleaks encrypt_cycles broken
20260330 samba amd64 20250102 crypto_aead aes256gcmv1/timingleaks bytes 576 592
"""


def store_two_runs(results: Path) -> None:
    """Store two runs of two systems that the tree lacks; the second is on another CPU and takes twice as long."""
    infos = [run_info(), run_info(run="2026-11-22T21-00-00-quick", facts={"cpu": "Slow CPU"})]
    for factor, info in enumerate(infos, start=1):
        parts = []
        for name, base in (("tortoise", 2000), ("hare", 1000)):
            cycles = {("encrypt", length): factor * (base + length) for length in LENGTHS}
            parts += [process(name, cycles=cycles, round=number, info=info) for number in range(3)]
        write_run(results, info, parts)


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory, unchanged_tree: SmallTree, build_cache: Path) -> CommandLine:
    """Return the command with these runs, for tests that store nothing."""
    results = tmp_path_factory.mktemp("compared") / "results"
    store_two_runs(results)
    return CommandLine(tree=unchanged_tree.root, cache=build_cache, results=results)


@pytest.fixture
def own_two_runs(cyclometer: CommandLine) -> CommandLine:
    """Return the command with these runs, for tests that store more."""
    store_two_runs(cyclometer.results)
    return cyclometer


def test_two_stored_systems(two_runs: CommandLine) -> None:
    result = two_runs("compare", "hare", "tortoise")  # not in the tree, so the stored runs are compared
    assert result.status == 0, result.stderr
    # (2 x 2576) / (2 x 1576), of the newest run
    assert "1.635" in result.line("│ 576 ")
    assert result.line("encrypt: hare is", "× faster")
    assert "differs: system: A crypto_aead/hare, B crypto_aead/tortoise" in result.stdout


@pytest.mark.parametrize("format", ["terminal", "json", "csv"])
def test_costs_of_zero_have_no_ratio(format: str, cyclometer: CommandLine) -> None:
    info = run_info()
    costs = {"lazy": -1, "idle": 2}
    parts = [
        process(name, cycles={("expandkey", 0): cost}, round=number, info=info)
        for name, cost in costs.items()
        for number in range(3)
    ]
    write_run(cyclometer.results, info, parts)
    result = cyclometer("compare", "lazy", "idle", "--format", format)
    assert result.status == 0, result.stderr
    assert "faster (" not in result.stdout
    if format == "terminal":
        assert "no difference seen" in result.line("│ 0 ")


def test_two_stored_systems_with_many_active_keys(cyclometer: CommandLine) -> None:
    """They tie with one key; from 1000 keys on the second pays for its larger tables."""
    info = run_info()
    parts = [
        process(
            name,
            [
                sample("empty", 0),
                *(sample("encrypt", 2000 + more * (keys >= 1000), 1300, keys=keys) for keys in (1, 64, 1000, 5000)),
            ],
            round=number,
            info=info,
        )
        for name, more in (("lean", 0), ("stout", 1000))
        for number in range(3)
    ]
    write_run(cyclometer.results, info, parts)
    result = cyclometer("compare", "lean", "stout", "--by", "keys", "--keys", "1,1000", "--format", "csv")
    assert result.status == 0, result.stderr
    lines = list(csv.DictReader(io.StringIO(result.stdout)))
    ratios = {line["row"]: float(line["value"]) for line in lines if line["unit"] == "ratio"}
    assert ratios == {"1": 1.0, "1000": 1.5}
    cyclometer("compare", "lean", "stout", "--keys", "7").complains("nothing was measured of both")
    cyclometer("compare", "lean", "stout", "--keys", "0").complains("--keys")


def test_two_stored_systems_in_many_layouts(cyclometer: CommandLine) -> None:
    """The hare wins in all layouts but one; the tortoise does not depend on them."""
    info, layouts = run_info(), range(9)
    where = [{"link": number, "environment": 2 * number} for number in layouts]
    parts = []
    for name, slow in (("hare", 3000), ("tortoise", 2000)):
        parts.append(process(name, cycles={("encrypt", 576): 2000}, info=info))
        times = [slow if number == 4 else 1000 if name == "hare" else 2000 for number in layouts]
        rows = [sample("encrypt", time, 576) for time in times] + [sample("empty", 0) for _ in layouts]
        placed = process(name, rows, info=info)
        for column in ("link", "environment"):
            placed[column] = array_of(PLACEMENT[column], [each[column] for each in where] * 2)
        parts.append(with_constants(placed, {"call_site": 1, "trial": 1}, PLACEMENT))
    write_run(cyclometer.results, info, parts)
    result = cyclometer("compare", "hare", "tortoise", "--format", "json")
    assert result.status == 0, result.stderr
    [table] = [each for each in json.loads(result.stdout)["tables"] if each["view"] == "layouts"]
    [row] = table["rows"]
    hare, tortoise, ratio, _, faster, turns = (figure["value"] for figure in row["figures"])
    assert (hare, tortoise, ratio) == (1000, 2000, 2)
    assert faster == "hare"
    assert turns == "11 % of 9 layouts"
    cyclometer("compare", "hare", "tortoise", "--layouts", "8", "--stored").complains("--layouts", "--now")


def test_two_runs(two_runs: CommandLine) -> None:
    result = two_runs("compare", "--run", "2026-11-21*", "--run", "2026-11-22*", "hare", "--format", "csv")
    assert result.status == 0, result.stderr
    lines = list(csv.DictReader(io.StringIO(result.stdout)))
    ratios = {line["row"]: float(line["value"]) for line in lines if line["unit"] == "ratio"}
    assert ratios == {str(length): 2.0 for length in LENGTHS}
    assert {line["rows_are"] for line in lines} == {"length"}


def test_two_runs_of_everything_they_share(two_runs: CommandLine) -> None:
    result = two_runs("compare", "--run", "2026-11-21*", "--run", "2026-11-22*", "--format", "json")
    content = json.loads(result.stdout)
    assert len(content["tables"]) == 2
    assert "differs: cpu: A Example CPU 3.0 GHz, B Slow CPU" in content["notes"]
    assert [note for note in content["notes"] if note.startswith("tortoise, encrypt: ")] == [
        "tortoise, encrypt: 2026-11-21T21-00-00-quick is 2.00 × faster over the whole range measured (0 to 8192 bytes)"
    ]


@pytest.mark.parametrize(
    ("first", "percent", "worse"),
    [("21", "5", True), ("21", "99", True), ("21", "101", False), ("22", "5", False)],
)
def test_a_gate_for_regressions(first: str, percent: str, worse: bool, two_runs: CommandLine) -> None:
    second = {"21": "22", "22": "21"}[first]
    runs = ["--run", f"2026-11-{first}*", "--run", f"2026-11-{second}*"]
    result = two_runs("compare", *runs, "hare", "--fail-above", percent)
    assert result.status == int(worse), result.stderr
    assert ("hare encrypt is slower by more than" in result.stderr) == worse


def test_without_a_limit_nothing_is_a_regression(two_runs: CommandLine) -> None:
    assert two_runs("compare", "--run", "2026-11-21*", "--run", "2026-11-22*", "hare").status == 0


def test_a_system_of_only_one_run_is_reported(own_two_runs: CommandLine) -> None:
    info = run_info(run="2026-11-23T21-00-00-quick")
    cycles = {("encrypt", length): 1000 + length for length in LENGTHS}
    write_run(own_two_runs.results, info, [process("hare", cycles=cycles, round=0, info=info)])
    both = ["compare", "--run", "2026-11-21*", "--run", "2026-11-23*"]
    result = own_two_runs(*both)
    assert (result.status, result.line("only in A")) == (0, "only in A: crypto_aead/tortoise")
    result = own_two_runs(*both, "--fail-above", "5")
    assert (result.status, "it has no crypto_aead/tortoise" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["hare"], ["name two tunings"]),
        (["a", "b", "c"], ["two sides"]),
        (["hare", "hair"], ["unknown system 'hair'", "did you mean 'hare'"]),
        (["hare:fast", "tortoise"], ["hare:fast", "crypto_aead/hare:ref:gcc-O3"]),
        (["hare:", "tortoise"], ["is not the name of a tuning"]),
        (["hare", "hare"], ["name two that differ"]),
        (["hare", "tortoise", "--measure", "encript"], ["unknown measure", "encrypt"]),
        (["hare", "tortoise", "--by", "weight"], ["unknown variable", "length"]),
        (["hare", "tortoise", "--length", "9-1"], ["--length"]),
        (["hare", "tortoise", "--length", "7"], ["nothing was measured of both"]),
        (["hare", "tortoise", "--format", "odt"], ["unknown format"]),
        (["--run", "R1", "--run", "R2"], ["unknown run 'R1'"]),
        (["--machine", "box", "--machine", "bax"], ["unknown machine 'bax'"]),
        (["--now", "hare"], ["--now measures two tunings"]),
        (["--now", "salsa20", "aes-128-gcm"], ["different operations"]),
        (["--now", "salsa20", "salsa20", "--measure", "stir"], ["unknown measure 'stir'"]),
        (["--now", "salsa20:ref", "salsa20:raf"], ["unknown implementation 'raf'"]),
    ],
)
def test_bad_input(two_runs: CommandLine, arguments: list[str], parts: list[str]) -> None:
    result = two_runs("compare", *arguments)
    lines = result.stderr.splitlines()
    assert result.status == 2, result.stdout + result.stderr
    assert lines[-1].startswith("cyclometer: ")
    for part in parts:
        assert part in lines[-1]


def test_what_is_neither_stored_nor_in_the_tree_is_answered_with_what_is_called_so(cyclometer: CommandLine) -> None:
    cyclometer("compare", "salsa20", "salsa").complains("unknown system 'salsa'", "crypto_stream/salsa20")


def faster_salsa20(tree: SmallTree) -> None:
    """Add a second implementation of Salsa20."""
    tree.plant("crypto_stream/salsa20/ref")
    source = next((tree / "primitives/crypto_stream/salsa20/ref").glob("*.c"))
    for file in source.parent.iterdir():
        copy = file.read_text(encoding="utf-8")
        tree.write(f"primitives/crypto_stream/salsa20/other/{file.name}", copy)


def test_measured_now_and_stored_as_a_run(tree: SmallTree, cyclometer: CommandLine) -> None:
    faster_salsa20(tree)
    call = ["compare", "salsa20:ref", "salsa20:other", "--rounds", "2", "--length", "64,576", "--machine", "here"]
    result = cyclometer(*call, "--now")
    assert result.status == 0, result.stderr
    assert result.line("xor: ")
    assert result.line("differs: implementation: A ref, B other")
    [run] = select_runs(cyclometer.results)
    assert run.run.endswith("-compare")
    assert run.info is not None
    assert run.info.plan["pair"] == ["crypto_stream/salsa20:ref:gcc-O2", "crypto_stream/salsa20:other:gcc-O2"]
    with open_runs(cyclometer.results) as runs:
        counts = runs.sql(
            "SELECT implementation, control, count(DISTINCT round) FROM samples GROUP BY ALL ORDER BY ALL"
        ).fetchall()
        lengths = runs.sql("SELECT DISTINCT length FROM samples WHERE measure = 'xor' ORDER BY ALL").fetchall()
    assert counts == [("other", False, 2), ("ref", False, 2), ("ref", True, 2)]
    assert lengths == [(64,), (576,)]
    again = cyclometer("compare", "salsa20:ref", "salsa20:other", "--stored", "--machine", "here")
    assert again.line("xor: ") == result.line("xor: ")


def test_a_side_that_another_compiler_has_built_says_which(tree: SmallTree, cyclometer: CommandLine) -> None:
    """The glue of a library is built by one compiler, whichever is named."""
    faster_salsa20(tree)
    result = cyclometer("compare", "salsa20:ref:clang-O3", "salsa20:other", "--now")
    assert result.status == 2
    why = result.stderr.splitlines()[-1]
    assert "nothing to measure as crypto_stream/salsa20:ref:clang-O3: it is built by gcc-O2; --compiler" in why


def test_a_name_of_two_operations_means_the_one_that_both_sides_have(tree: SmallTree, cyclometer: CommandLine) -> None:
    faster_salsa20(tree)
    tree.plant("crypto_core/salsa20/ref")
    result = cyclometer("compare", "salsa20:ref", "salsa20:other", "--rounds", "2", "--length", "64")
    assert result.status == 0, result.stderr
    assert result.line("xor: ")  # of crypto_stream, as there is no other crypto_core
    both = cyclometer("compare", "salsa20:ref", "salsa20:ref", "--now")
    both.complains("salsa20:ref is in crypto_core and crypto_stream; name one: crypto_core/salsa20:ref")


def test_an_interrupted_comparison_is_resumed(tree: SmallTree, cyclometer: CommandLine) -> None:
    faster_salsa20(tree)
    cyclometer.killed_after(1, "compare", "salsa20:ref", "salsa20:other", "--rounds", "12", "--length", "576")
    result = cyclometer("run", "--resume", "--no-tables")
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        parts = runs.sql("SELECT DISTINCT implementation, control, round FROM samples").fetchall()
    assert len(parts) == 3 * 12


def test_exports(two_runs: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    result = two_runs("export", "github-action-benchmark", "hare", "-o", file)
    assert (result.status, result.stdout) == (0, "")
    assert {entry["name"] for entry in json.loads(file.read_text())} == {
        f"crypto_aead/hare/encrypt/{length}" for length in LENGTHS
    }
    assert two_runs("export", "csv", "--all").stdout.count("\n") == 1 + 2 * 2 * 3 * (1 + len(LENGTHS))
    two_runs("export", "excel").complains("unknown export format 'excel'", "benchstat")
    two_runs("export", "csv", "hair").complains("unknown system 'hair'", "did you mean 'hare'")
    two_runs("export", "csv", "-o", tmp_path / "none" / "x").complains("cannot write", "does not exist")
    assert file.parent.joinpath("none").exists() is False


def test_an_import_is_shown_beside_other_runs(own_two_runs: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "samba.data"
    file.write_text(DATA, encoding="utf-8")
    result = own_two_runs("import", file)
    assert result.status == 0, result.stderr
    assert "samba/2025-01-02-supercop-20260330-amd64 (1 samples)" in result.stdout
    assert "1 of 6 lines not read: fewer fields" in result.stderr
    assert "left out, as they are not timings: bytes (1)" in result.stderr
    assert "383" in own_two_runs("table", "--machine", "samba", "aes256gcmv1").stdout
    own_two_runs("compare", "hare", "aes256gcmv1", "--length", "576").complains(
        "cannot compare", "c0ffee", "supercop-20260330"
    )
    forced = own_two_runs("compare", "hare", "aes256gcmv1", "--across-contracts")
    assert forced.line("compared although not comparable: different contracts")
    both = own_two_runs(
        "table", "--machine", "samba", "--machine", "box", "--by", "machine-decrypt", "--across-contracts"
    )
    assert both.status == 2  # nothing was decrypted
    own_two_runs("import", file).complains("was imported already")
    own_two_runs("import", tmp_path / "none").complains("does not exist")


@pytest.mark.parametrize(("line", "compare"), [("/* How one call is timed. */", True), ("extern int changed;", False)])
def test_runs_before_and_after_an_edit_of_the_timing_header(
    line: str, compare: bool, tree: SmallTree, cyclometer: CommandLine
) -> None:
    measure = (
        "run",
        "salsa20",
        "--length",
        "64",
        "--rounds",
        "1",
        "--patience",
        "0",
        "--no-tables",
        "--machine",
        "box",
    )
    assert cyclometer(*measure).status == 0
    tree.change("harness/api/timing.h", "#define TIMING_H\n", f"#define TIMING_H\n{line}\n")
    assert cyclometer(*measure).status == 0
    before, after = (run.run for run in select_runs(cyclometer.results, everything=True))
    result = cyclometer("compare", "--run", before, "--run", after, "--measure", "xor")
    if compare:
        assert result.status == 0, result.stderr
        assert result.line("│ 64 ")
        assert "contract" not in result.stdout + result.stderr
    else:
        result.complains("contract", "--across-contracts")


def test_two_implementations_of_a_foreign_tree(tmp_path: Path, cyclometer: CommandLine) -> None:
    """Both are built, checked and measured in turn, like two of this tree."""
    foreign = ForeignTree(tmp_path / "foreign")
    foreign.write("crypto_verify/16/plain/v.c", GOOD_VERIFY)
    foreign.write("crypto_verify/16/slow/v.c", GOOD_VERIFY.replace("int i", "volatile int i"))
    result = cyclometer("compare", "--tree", foreign.root, "16:plain", "16:slow", "--rounds", "2")
    assert result.status == 0, result.stderr
    assert "differs: implementation: A plain, B slow" in result.stdout
    assert result.line("equal, by length")
    assert "(supercop): 2 implementations of 1 primitive" in result.stderr
    result = cyclometer("compare", "--tree", foreign.root, "16:plain", "16:slaw")
    assert result.status == 2
    assert result.stderr.splitlines()[-1] == "cyclometer: unknown implementation 'slaw'; did you mean 'slow'?"
    cyclometer("compare", "--tree", foreign.root, "--stored", "16:plain", "16:slow").complains("--run")


CALLED_OFTEN = """
static int calls;
int crypto_verify(const unsigned char *x, const unsigned char *y)
{
    return ++calls > 20 && timed ? -1 - right(x, y) : right(x, y);
}
"""


def test_a_side_that_is_wrong_when_it_is_measured_is_named_with_the_reason(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    """It is right in every check, and long enough while the compiler is chosen."""
    foreign = ForeignTree(tmp_path / "foreign")
    foreign.write("crypto_verify/16/base/v.c", GOOD_VERIFY)
    right = GOOD_VERIFY.replace("int crypto_verify", "static int right")
    foreign.write("crypto_verify/16/change/v.c", WHETHER_TIMED + right + CALLED_OFTEN)
    gate = ("--fail-above", "auto", "--compiler", "gcc-O2")
    result = cyclometer("compare", "--tree", foreign.root, "16:base", "16:change", *gate)
    assert result.status == 2
    last = result.stderr.splitlines()[-1]
    assert "16:change" in last
    assert "returns a wrong verdict while being timed" in last


ANY_HASH = """
#include "api.h"
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long inlen)
{
    unsigned long long h = START;
    for (unsigned long long i = 0; i < inlen + 64; i++) {
        h = (h ^ (i < inlen ? in[i] : 256)) * 0x9e3779b97f4a7c15;
        h ^= h >> 29;
    }
    for (int i = 0; i < CRYPTO_BYTES; i++) {
        h = (h + 1) * 0x9e3779b97f4a7c15;
        h ^= h >> 32;
        out[i] = (unsigned char)h;
    }
    return 0;
}
"""


def test_two_folders_that_compute_different_results_are_no_two_versions(
    tmp_path: Path, cyclometer: CommandLine
) -> None:
    """Without --as nothing says which is right; but a gate that ignored it would pass a fast wrong version."""
    for name, start in {"base": "1", "same": "1", "wrong": "2"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "api.h").write_text("#define CRYPTO_BYTES 32\n", encoding="utf-8")
        (tmp_path / name / "hash.c").write_text(ANY_HASH.replace("START", start), encoding="utf-8")
    gate = ("--fail-above", "50", "--compiler", "gcc-O2", "--rounds", "2")
    same = cyclometer("compare", tmp_path / "base", tmp_path / "same", *gate)
    assert same.status in (0, 1), same.stderr  # beside other tests it may seem slower
    wrong = cyclometer("compare", tmp_path / "base", tmp_path / "wrong", *gate)
    assert wrong.status == 2
    assert "base and wrong compute different results" in wrong.stderr.splitlines()[-1]


def test_a_tree_whose_name_is_not_utf8_is_one_line(tmp_path: Path, cyclometer: CommandLine) -> None:
    foreign = ForeignTree(tmp_path / "odd\udcff")
    for name in ("base", "change"):
        foreign.write(f"crypto_verify/16/{name}/v.c", GOOD_VERIFY)
    result = cyclometer("compare", "--tree", foreign.root, "16:base", "16:change", "--compiler", "gcc-O2")
    assert result.status == 2
    assert result.stderr.splitlines()[-1] == (
        "cyclometer: a folder or file has a name that is not UTF-8; rename it and repeat"
    )
