# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign from tree to table: the whole grid is stored, nothing is built twice, nothing is lost."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from textwrap import dedent

import pytest

from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine, Result
from support.requirements import is_missing
from support.small_tree import ONE_COMPILER, SELDOM_FASTEST, SmallTree

ROUNDS, ROUNDS_TO_INTERRUPT = 2, 4
RUN = ("run", "--patience", "0", "--no-tables", "--machine", "box", "--seed", "7")

# The quick profile of operations/crypto_aead/operation.toml.
LENGTHS = [0, 40, 402, 576, 1500, 8192]
KEYS = [2**exponent for exponent in range(1, 14)]
AEAD_SAMPLES = Counter(
    {
        **{(measure, length, 1): 3 for measure in ("encrypt", "decrypt", "reject") for length in LENGTHS},
        **{("encrypt", 576, keys): 3 for keys in KEYS},
        **{(measure, 576, keys): 3 for measure in ("decrypt", "reject") for keys in (32, 512, 8192)},
        ("expandkey", 0, 1): 3,
        ("empty", 0, 1): 16,  # eight at the start of a process, eight at its end
    }
)
# Likewise, of short chains, which show the overhead; with a counter of long steps some are longer.
SHORT_CHAINS, SOME_LONGER = range(16, 24), (*range(16, 20), *range(200, 204))


@pytest.fixture
def tree(tree: SmallTree) -> SmallTree:
    """Add a composed system beside AES-128-GCM."""
    tree.plant("crypto_aead/salsa20-poly1305")
    return tree


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> tuple[CommandLine, Result]:
    """Measure both systems once, with the tables at the end."""
    folder = tmp_path_factory.mktemp("measured")
    systems = ("crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref", "crypto_aead/aes-128-gcm/ref")
    tree = SmallTree.grow(folder / "tree", *systems, "crypto_aead/salsa20-poly1305")
    command = CommandLine(tree=tree.root, cache=build_cache, results=folder / "results")
    return command, command(*(word for word in RUN if word != "--no-tables"), "--rounds", str(ROUNDS))


def test_a_run_holds_every_sample_of_the_grid_in_every_round(measured: tuple[CommandLine, Result]) -> None:
    cyclometer, result = measured
    assert result.status == 0, result.stderr
    [run] = list_runs(cyclometer.results)
    assert (run.state, run.machine) == ("complete", "box")
    with open_runs(cyclometer.results) as runs:
        rows = runs.sql("SELECT primitive, round, control, measure, length, keys FROM samples").fetchall()
        [(series,)] = runs.sql("SELECT median(len(series)) FROM samples").fetchall()
        sizes = runs.sql("SELECT name, value FROM sizes WHERE primitive = 'salsa20-poly1305'").fetchall()
        chosen = runs.sql("SELECT primitive, implementation, compiler FROM trials WHERE chosen").fetchall()
    assert run.info
    chains = SOME_LONGER if run.info.counter["dither_cycles"] >= 10 else SHORT_CHAINS
    expected = AEAD_SAMPLES + Counter({("empty", cycles, 0): 2 for cycles in chains})
    for primitive in ("aes-128-gcm", "salsa20-poly1305"):
        for number in range(ROUNDS):
            taken = Counter(row[3:] for row in rows if row[:3] == (primitive, number, False))
            assert taken >= expected, "a disturbed series of long calls is several samples"
            assert taken.keys() == expected.keys()
    twins = {(row[0], row[1]) for row in rows if row[2]}
    assert len({primitive for primitive, _ in twins}) == 1, "an A/A twin, always of the same executable"
    assert {number for _, number in twins} >= set(range(ROUNDS)), "in every round, and in extra rounds"
    assert 15 <= series <= 120, "timings per series: 15, as in the paper; more of short calls with a coarse counter"
    assert dict(sizes)["packet_overhead_bytes"] == 16
    published = json.loads((cyclometer.tree / "primitives/crypto_aead/salsa20-poly1305/vectors.json").read_text())
    assert dict(sizes)["vectors_passed"] == len(published["vectors"]) > 0
    assert sorted(chosen) == [
        ("aes-128-gcm", "ref", "gcc-O2"),
        ("poly1305", "ref", "gcc-O2"),
        ("salsa20-poly1305", "ref", "gcc-O2"),
    ]


def test_a_measure_that_crashes_is_recorded_and_the_others_are_measured(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.change(
        "operations/crypto_stream/measure.c",
        'if (!strcmp(sample->measure, "xor"))',
        'if (!strcmp(sample->measure, "first")) __builtin_trap();\n    if (!strcmp(sample->measure, "xor"))',
    )
    assert cyclometer(*RUN, "crypto_stream/salsa20", "--rounds", "2").status == 0
    with open_runs(cyclometer.results) as runs:
        rounds = runs.sql(
            "SELECT measure, count(DISTINCT round) FROM samples WHERE measure <> 'empty' AND round < 2 "
            "GROUP BY measure ORDER BY measure"
        ).fetchall()
        kinds = runs.sql("SELECT stage, kind, severity FROM failures").fetchall()
    assert rounds == [("expandkey", 2), ("xor", 2)]
    assert [stage for stage, *_ in kinds] == ["measure"]
    assert kinds[0][1:] in [("illegal_instruction", "error"), ("aborted", "error")], "depending on the machine"


def test_run_prints_the_tables_of_what_it_measured(measured: tuple[CommandLine, Result]) -> None:
    cyclometer, result = measured
    assert "salsa20-poly1305" in result.stdout
    assert "aes-128-gcm" in result.stdout
    assert result.stdout == cyclometer("table").stdout


def test_requested_lengths_and_numbers_of_keys(cyclometer: CommandLine) -> None:
    """Every length is measured with every number of keys; those of the profile are not."""
    result = cyclometer("run", "aes-128-gcm", "--rounds", "1", "--length", "64,1300,8192", "--keys", "1,10000")
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        taken = runs.sql("SELECT DISTINCT length, keys FROM samples WHERE measure = 'encrypt'").fetchall()
    assert set(taken) == set(product((64, 1300, 8192), (1, 10000)))
    assert "Cycles to encrypt a 1300-byte packet, by the number of active keys" in " ".join(result.stdout.split())


def test_a_second_run_builds_nothing_and_only_a_changed_source_is_compiled_again(
    tree: SmallTree, cyclometer: CommandLine, tmp_path: Path
) -> None:
    cyclometer = replace(cyclometer, cache=tmp_path / "cache")

    def built() -> dict[Path, int]:
        files = [path for path in cyclometer.cache.rglob("*") if path.is_file() and "choices" not in path.parts]
        return {path: path.stat().st_mtime_ns for path in files}

    run = (*RUN, "crypto_aead/salsa20-poly1305", "--rounds", "1", "--length", "64", "--keys", "1")
    assert cyclometer(*run).status == 0
    before = built()
    assert before
    assert cyclometer(*run).status == 0
    assert built() == before

    assert cyclometer("check", "salsa20").status == 0
    objects = set(cyclometer.cache.rglob("*.o"))
    tree.change("primitives/crypto_stream/_salsa20/ref.h", "#define SALSA20_AHEAD 1", "#define SALSA20_AHEAD (1)")
    assert cyclometer("check", "salsa20").status == 0
    assert len(set(cyclometer.cache.rglob("*.o")) - objects) == 1


def test_a_killed_run_is_resumed_and_has_each_part_once(cyclometer: CommandLine) -> None:
    """Kill it before its first part; kill the resumed run in its first round, and that one in its last."""
    resume = ("run", "--resume", "--machine", "box", "--no-tables")
    command: tuple[str, ...] = (*RUN, "--rounds", str(ROUNDS_TO_INTERRUPT))
    kept: dict[str, int] = {}
    for parts in (0, 3, 12):
        cyclometer.killed_after(parts, *command)
        [interrupted] = list_runs(cyclometer.results)
        assert interrupted.state == "interrupted"
        found = {path.name: path.stat().st_mtime_ns for path in interrupted.sample_files}
        assert found.items() >= kept.items(), "what is there is left as it is"
        assert len(found) >= parts
        command, kept = resume, found

    result = cyclometer(*resume)
    assert result.status == 0, result.stderr
    jobs = ROUNDS_TO_INTERRUPT * 4  # two systems, the A/A twin and the calibration
    missing = {jobs - len(kept), jobs - len(kept) - 1}  # one part may have been whole, and only lacked its name
    assert any(f"measuring: {n} of {n}" in result.stderr for n in missing), "only what was missing"
    [finished] = list_runs(cyclometer.results)
    assert (finished.state, finished.run) == ("complete", interrupted.run)
    assert finished.info
    assert interrupted.info
    assert finished.info.plan == interrupted.info.plan
    with open_runs(cyclometer.results) as runs:
        counts = runs.sql(
            "SELECT primitive, round, control, count(*) FILTER (measure = 'empty'),"
            " count(DISTINCT (measure, length, keys)) FROM samples GROUP BY ALL ORDER BY ALL"
        ).fetchall()
    points = len(AEAD_SAMPLES) + len(SHORT_CHAINS)
    assert {row[3:] for row in counts} == {(32, points)}, "no part is stored twice or in half"
    planned = [row for row in counts if row[1] < ROUNDS_TO_INTERRUPT]  # a noisy machine may have had extra rounds
    assert len([row for row in planned if not row[2]]) == 2 * ROUNDS_TO_INTERRUPT
    assert len([row for row in planned if row[2]]) == ROUNDS_TO_INTERRUPT


def test_a_run_under_way_is_not_resumed_by_another(cyclometer: CommandLine) -> None:
    begun = cyclometer.start(*RUN, "--rounds", "100")
    try:
        cyclometer.wait_for_parts(1)
        cyclometer("run", "--resume", "--machine", "box").complains("no interrupted run")
        assert "under way" in cyclometer("runs").stdout
    finally:
        begun.kill()
        begun.communicate()


def test_interrupting_from_the_keyboard_names_the_command_to_resume(cyclometer: CommandLine) -> None:
    begun = cyclometer.start(*RUN, "--rounds", "100")
    cyclometer.wait_for_parts(1)
    begun.send_signal(signal.SIGINT)
    _, words = begun.communicate(timeout=300)
    assert begun.returncode == 130
    assert "Traceback" not in words
    assert "--resume" in words.splitlines()[-1]


def flipped(digits: str) -> str:
    """Flip the lowest bit of hex digits."""
    return digits[:-1] + format(int(digits[-1], 16) ^ 1, "x")


def test_a_users_own_vectors_go_through_every_tuning(tree: SmallTree, cyclometer: CommandLine, tmp_path: Path) -> None:
    published = json.loads((tree / "primitives/crypto_aead/salsa20-poly1305/vectors.json").read_text())
    mine = tmp_path / "mine.json"
    vector = next(v for v in published["vectors"] if len(v["ciphertext"]) == 2 * 40)
    mine.write_text(json.dumps({**published, "vectors": [vector]}))
    result = cyclometer("check", "salsa20-poly1305", "--vectors", mine)
    assert result.status == 0
    assert result.line("1 vectors of mine.json through 1 tunings")

    for field, complaint in (
        ("tag", "tag differs at byte 15"),
        ("ciphertext", "ciphertext differs at byte 39"),
        ("plaintext", "tag differs at byte 0"),
    ):
        wrong = {**vector, "id": "mine", field: flipped(vector[field])}
        mine.write_text(json.dumps({**published, "vectors": [vector, wrong]}))
        result = cyclometer("check", "salsa20-poly1305", "--vectors", mine)
        assert result.status == 1
        line = result.line("WRONG", "salsa20-poly1305 ref", "vector mine of mine.json")
        assert f"encrypt: {complaint}" in line


def test_options_that_are_seldom_the_fastest_are_tried_on_request(
    tree: SmallTree, cyclometer: CommandLine, tmp_path: Path
) -> None:
    tree.write("toolchains/gcc.toml", dedent(ONE_COMPILER) + dedent(SELDOM_FASTEST))

    def tried(*options: str) -> set[str]:
        results = tmp_path / "-".join(("tried", *options))
        short = ("--rounds", "1", "--length", "64", "--results", str(results))
        assert cyclometer(*RUN, "salsa20", *short, *options).status == 0
        with open_runs(results) as runs:
            return {compiler for (compiler,) in runs.sql("SELECT compiler FROM trials").fetchall()}

    assert tried() == {"gcc-O2"}
    assert tried("--all-compilers") == {"gcc-O2", "gcc-Os"}
    assert tried("--compiler", "gcc-Os") == {"gcc-Os"}
    assert "(2 compilers)" in cyclometer("check", "salsa20").line("ok", "salsa20 ref")


def test_only_the_requested_implementation_is_checked(tree: SmallTree, cyclometer: CommandLine) -> None:
    shutil.copytree(tree / "primitives/crypto_stream/salsa20/ref", tree / "primitives/crypto_stream/salsa20/twin")
    result = cyclometer("check", "salsa20", "--implementation", "twin")
    assert result.line("ok", "salsa20 twin")
    assert "salsa20 ref" not in result.stdout


def test_a_run_stores_the_versions_of_its_libraries(tree: SmallTree, cyclometer: CommandLine) -> None:
    version = subprocess.run(["pkg-config", "--modversion", "libsodium"], capture_output=True, text=True, check=False)
    if version.returncode:
        is_missing("libsodium")
    tree.copy("providers/libsodium/crypto_stream")
    tree.write(
        "providers/libsodium/provider.toml",
        'name = "libsodium"\npackages = ["libsodium"]\ndebian = "libsodium-dev"\n'
        '[operations.crypto_stream]\nsalsa20 = { PROVIDER = "salsa20", PROVIDER_COUNTER = "xor_ic" }\n',
    )
    result = cyclometer(*RUN, "salsa20", "--implementation", "libsodium", "--rounds", "1")
    assert result.status == 0, result.stderr
    [run] = list_runs(cyclometer.results)
    assert run.info
    assert run.info.facts["libraries"] == f"libsodium {version.stdout.strip()}"
