# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whatever happens to the files of a run, a command shows the right numbers or names the file in one line.

The mutations come from a kept seed; CYCLOMETER_MUTATIONS sets their number.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from cyclometer.cli import main
from cyclometer.store import RunWriter, list_runs
from support.command_line import CommandLine
from support.small_tree import SmallTree
from support.synthetic import as_format_1, process, run_info, write_run

MUTATIONS = int(os.environ.get("CYCLOMETER_MUTATIONS", "200"))
SEED = 18
SYSTEMS = ("hare", "tortoise")
TABLE, EXPORT, RUNS = ["table"], ["export", "csv"], ["runs"]
COMMANDS = (TABLE, EXPORT, RUNS, TABLE, EXPORT, RUNS, TABLE, TABLE, RUNS, ["compare", "hare", "tortoise"])
LENGTHS = (0, 40, 576)


def store(results: Path, day: int, factor: float = 1.0, *, finish: bool = True) -> Path:
    """Store a run of that day, in which everything takes `factor` times as long."""
    info = run_info(run=f"2026-11-{day}T21-00-00-quick", started=run_info().started.replace(day=day))
    cycles = {("encrypt", length): factor * (1000.0 + length) for length in LENGTHS}
    tables = [process(name, cycles=cycles, round=n, info=info) for name in SYSTEMS for n in (0, 1)]
    return write_run(results, info, tables, finish=finish)


def flip(content: bytes, dice: random.Random) -> bytes:
    """Flip one bit."""
    changed = bytearray(content)
    changed[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def overwrite(content: bytes, dice: random.Random) -> bytes:
    """Overwrite a stretch with random bytes."""
    begin = dice.randrange(len(content))
    return content[:begin] + dice.randbytes(dice.randint(1, 64)) + content[begin + 64 :]


DAMAGES: list[Callable[[bytes, random.Random], bytes]] = [
    *(flip, flip, flip),
    overwrite,
    lambda content, dice: content[: dice.randrange(len(content))],
    lambda content, dice: content + dice.randbytes(dice.randint(1, 64)),
    lambda content, dice: b"",
]


@pytest.fixture
def call(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tree: SmallTree
) -> Callable[..., tuple[int, str, str]]:
    """Return a function that calls the command in this process, which saves the time of its imports."""
    monkeypatch.setenv("CYCLOMETER_TREE", str(tree.root))

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["cyclometer", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        output = capsys.readouterr()
        return int(ended.value.code or 0), output.out, output.err

    return run


def test_a_mutated_file_is_named_or_harmless(tmp_path: Path, call: Callable[..., tuple[int, str, str]]) -> None:
    dice, results = random.Random(SEED), tmp_path / "results"
    store(results, 21, factor=2.0)
    newest = store(results, 22)
    expected = {tuple(command): call(*command, "--results", results) for command in COMMANDS}
    files = sorted(newest.iterdir())
    for number in range(MUTATIONS):
        path, damage = dice.choice(files), dice.choice(DAMAGES)
        command = COMMANDS[number % len(COMMANDS)]
        content, times = path.read_bytes(), path.stat()
        path.write_bytes(damage(content, dice))
        if number % 2:
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        got = status, out, err = call(*command, "--results", results)
        changed = path.read_bytes() != content
        path.write_bytes(content)
        case = f"mutation {number} of {path.name}: {command}: {got}"
        assert "Traceback" not in out + err, case
        if command == RUNS:
            assert not changed or path.name == "SHA256SUMS" or "unreadable" in out, case
        elif got != expected[tuple(command)]:
            assert changed, case
            assert status in (0, 2), case
            assert newest.name in err, case
            assert len(err.splitlines()) == 1, case


def test_a_mutated_run_of_format_1_never_gives_a_traceback(
    tmp_path: Path, call: Callable[..., tuple[int, str, str]]
) -> None:
    dice, results = random.Random(SEED), tmp_path / "results"
    store(results, 21, factor=2.0)
    folder = store(results, 22)
    as_format_1(folder)
    files = sorted(folder.iterdir())
    for number in range(MUTATIONS // 4):
        path, command = dice.choice(files), COMMANDS[number % len(COMMANDS)]
        content = path.read_bytes()
        path.write_bytes(dice.choice(DAMAGES)(content, dice))
        status, out, err = call(*command, "--results", results)
        path.write_bytes(content)
        assert status in (0, 2), f"mutation {number} of {path.name}: {command}: {err}"
        assert "Traceback" not in out + err


@pytest.mark.parametrize(
    ("column", "value", "complaint"),
    [
        ("length", "'576'", "the column 'length' has VARCHAR, not INTEGER"),
        ("primitive", "7", "the column 'primitive' has INTEGER, not VARCHAR"),
        ("series", "[0.5]", "the column 'series' has"),
        ("keys", "CAST(NULL AS INTEGER)", "values of the column 'keys' are missing"),
        ("run", "'another'", "has samples of the run another"),
        ("machine", "CASE length WHEN 40 THEN machine ELSE 'a' END", "has samples of the machine a;"),
    ],
)
def test_a_column_of_another_type_is_named(column: str, value: str, complaint: str, cyclometer: CommandLine) -> None:
    folder = store(cyclometer.results, 22)
    as_format_1(folder)
    samples, changed = folder / "samples.parquet", folder / "changed"
    query = f"SELECT * REPLACE ({value} AS {column}) FROM read_parquet('{samples}')"
    duckdb.connect().execute(f"COPY ({query}) TO '{changed}' (FORMAT parquet)")
    changed.replace(samples)
    for command in ("table", "export csv"):
        cyclometer(*command.split()).complains(str(samples), complaint)


@pytest.mark.parametrize("value", [[1], 10**400])
def test_a_counter_without_numbers_is_named(value: object, cyclometer: CommandLine) -> None:
    folder = store(cyclometer.results, 22)
    as_format_1(folder)
    described = json.loads((folder / "run.json").read_text())
    described["counter"]["per_second"] = value
    (folder / "run.json").write_text(json.dumps(described))
    cyclometer("table").complains("run.json", "counter.per_second is not a number")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    """Make a file of 100 gigabytes that takes no room on the disk."""
    with path.open("wb") as file:
        file.truncate(10**11)


@pytest.mark.parametrize("name", ["run.json", "samples.parquet", "sizes.parquet", "SHA256SUMS"])
@pytest.mark.parametrize("make", [pipe, endless, sparse])
def test_what_never_ends_in_the_place_of_a_file_is_named_at_once(
    name: str, make: Callable[[Path], None], cyclometer: CommandLine
) -> None:
    path = store(cyclometer.results, 22) / name
    path.unlink()
    make(path)
    cyclometer("table", "--run", "2026-11-22T21-00-00-quick").complains(str(path), "or remove the run")


@pytest.mark.parametrize("command", [["table"], ["report", "-o", "site"], ["plot", "overview"], ["export", "csv"]])
def test_a_damaged_newest_run_is_named_by_what_shows_an_older_one(command: list[str], cyclometer: CommandLine) -> None:
    store(cyclometer.results, 21)
    samples = store(cyclometer.results, 22) / "samples.parquet"
    samples.write_bytes(flip(samples.read_bytes(), random.Random(SEED)))
    result = cyclometer(*command)
    assert result.status == 0, result.stderr
    assert f"cyclometer: left out box 2026-11-22T21-00-00-quick: cannot read {samples}" in result.stderr
    cyclometer(*command, "--run", "2026-11-22T21-00-00-quick").complains(str(samples), "restore it from a copy")


def test_of_many_runs_that_are_left_out_the_first_are_named(cyclometer: CommandLine) -> None:
    newest = store(cyclometer.results, 22)
    for number in range(8):
        shutil.copytree(newest, newest.with_name(f"copy-{number}"))
    result = cyclometer("table")
    assert result.status == 0, result.stderr
    lines = result.stderr.splitlines()
    assert [line.startswith("cyclometer: left out box ") for line in lines] == [True] * 5 + [False]
    assert lines[5] == "cyclometer: left out 3 more runs; `cyclometer runs` says why"
    assert cyclometer("runs").stdout.count("is a copy of") == 8


def test_a_large_file_is_hashed_again_when_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Callable[..., tuple[int, str, str]]
) -> None:
    """Damage on the disk itself changes no time: only what is read can show it."""
    from cyclometer.store import digests  # noqa: PLC0415

    monkeypatch.setattr(digests, "LARGE", 0)
    monkeypatch.setenv("CYCLOMETER_CACHE", str(tmp_path / "cache"))
    folder = store(tmp_path / "results", 22)
    assert call("runs", "--results", tmp_path / "results")[0] == 0
    digests._seen.clear()
    monkeypatch.setattr(digests, "digest_of", lambda path: "0" * 64)  # as if every file had changed unseen
    assert "complete" in call("runs", "--results", tmp_path / "results")[1]
    status, _, err = call("export", "csv", "--results", tmp_path / "results")
    assert status == 2
    assert str(folder / "samples.parquet") in err


def test_parts_deleted_during_a_run_are_named_and_measured_again(tmp_path: Path) -> None:
    folder = store(tmp_path, 22, finish=False)
    gone = folder / "parts" / "part-1.parquet"
    with RunWriter.resume(folder) as writer:
        gone.unlink()
        with pytest.raises(Exception, match=r"part-1\.parquet was deleted .*--resume"):
            writer.finish()
    with RunWriter.resume(folder) as writer:
        assert not writer.has("part-1")
        assert writer.has("part-0")


def test_deleted_parts_of_an_interrupted_run_are_named(cyclometer: CommandLine) -> None:
    folder = store(cyclometer.results, 22, finish=False)
    (folder / "parts" / "part-1.parquet").unlink()
    cyclometer("table", "--run", "2026-11-22T21-00-00-quick").complains("part-1.parquet was deleted", "--resume")


def test_a_run_stored_before_there_were_digests_is_read(cyclometer: CommandLine) -> None:
    folder = store(cyclometer.results, 22)
    before = cyclometer("table").stdout
    as_format_1(folder)
    result = cyclometer("table")
    assert (result.status, result.stdout) == (0, before)
    (folder / "SHA256SUMS").write_text("")
    cyclometer("table").complains("run.json is not listed in SHA256SUMS")


def test_the_digests_are_those_of_sha256sum(cyclometer: CommandLine) -> None:
    folder = store(cyclometer.results, 22)
    assert shutil.which("sha256sum")
    assert os.system(f"cd {folder} && sha256sum --check --strict --quiet SHA256SUMS") == 0
    assert [run.state for run in list_runs(cyclometer.results)] == ["complete"]


def test_a_missing_name_in_a_small_table_is_named(cyclometer: CommandLine) -> None:
    folder = store(cyclometer.results, 22)
    as_format_1(folder)
    failures, changed = folder / "failures.parquet", folder / "changed"
    row = "'check' AS stage, NULL::VARCHAR AS operation, '' AS primitive, '' AS implementation, '' AS compiler"
    more = "'' AS reason, '' AS detail, 'unknown' AS kind, 'error' AS severity"
    duckdb.connect().execute(f"COPY (SELECT {row}, {more}) TO '{changed}' (FORMAT parquet)")
    changed.replace(failures)
    cyclometer("table").complains(str(failures), "values of the column 'operation' are missing")
