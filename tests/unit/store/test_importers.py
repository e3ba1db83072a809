# SPDX-License-Identifier: MIT OR Apache-2.0
"""Imports of SUPERCOP's data: correct lines and damaged ones."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import cyclometer.store.importers
from cyclometer.analyse import prepare
from cyclometer.analyse.estimate.rounds import exported, roundwise
from cyclometer.discover import foreign_operations
from cyclometer.errors import NothingToDo, RefusedFile, StorageFailed
from cyclometer.report.exports import exporter
from cyclometer.store import RunWriter, connect, list_runs, select_runs
from cyclometer.store.importers import ImportResult, import_files, importer_names
from cyclometer.store.importers._session import RunBuffer
from support.small_tree import REPOSITORY
from support.synthetic import process, run_info, sample, write_run

FOREIGN = foreign_operations(REPOSITORY)

START = "20260330 vm amd64 20261121 crypto_aead aes128gcmv1/timingleaks"
GCC = "gcc_-march=native_-O3"
SHORT = f"crypto_aead/aes128gcmv1/ref {GCC}"

# Lines of a real run, with shorter series, checksums and compilers.
REAL = f"""\
{START} try 42/c4 ok 5857 167104395 2249998000 crypto_aead/aes128gcmv1/dolbeau/aesenc-int {GCC} +150-29-7
{START} objsize crypto_aead/aes128gcmv1/dolbeau/aesenc-int {GCC} 48583 1200 1664 try
{START} objsize crypto_aead/aes128gcmv1/dolbeau/aesenc-int {GCC} 15348 0 0 aesenc-int.o
{START} fromcompiler {SHORT} encrypt.c encrypt.c:1:2:_warning:_\u2018x\u2019
{START} tryfails {SHORT} error 139
{START} tryfails {SHORT} Segmentation fault
{START} implementation crypto_aead/aes128gcmv1/dolbeau/aesenc-int -
{START} keybytes 16
{START} npubbytes 12
{START} abytes 16
{START} cpuid AuthenticAMD-00a00f11-178bfbff_
{START} cpucycles_persecond 2249998000
{START} cpucycles_implementation amd64-tsc
{START} compiler {GCC} 12.2.0
{START} encrypt_cycles 1 383 +1912-23+22+0+22-1+22+0-1+0+22-1+0+22-1+0
{START} decrypt_cycles 1 360 +1327+0+0-22+22-22+0-23+0-22+0+0+0-23+0+0
{START} forgery_decrypt_cycles 2048000064 360 +67-22+0+0+0-23+0+0-22+0-23+0+0+0-22+0
{START} encrypt_cycles 1 384
{START} bytes 1 17
"""


@pytest.fixture
def bring(tmp_path: Path) -> Callable[..., ImportResult]:
    """Return a function that imports a text as a file."""

    def call(text: str, name: str = "x.data", machine: str = "") -> ImportResult:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return import_files([file], tmp_path / "results", FOREIGN, machine)

    return call


def rows_of(folder: Path) -> list[dict]:
    return pq.read_table(folder / "samples.parquet").to_pylist()


def test_every_file_is_a_format() -> None:
    folder = Path(cyclometer.store.importers.__file__).parent
    assert set(importer_names()) == {file.stem for file in folder.glob("[!_]*.py")}


def test_real_lines_become_a_run(bring: Callable[..., ImportResult]) -> None:
    result = bring(REAL)
    assert not result.odd
    assert result.left_out == {"bytes": 1}
    [folder] = result.stored
    assert (folder.parent.name, folder.name) == ("vm", "2026-11-21-supercop-20260330-amd64")
    rows = {(row["measure"], row["round"]): row for row in rows_of(folder)}
    assert set(rows) == {("encrypt", 0), ("decrypt", 0), ("reject", 0), ("encrypt", 1)}
    first = rows["encrypt", 0]
    assert first["series"] == [2295, 360, 405, 383, 405, 382, 405, 383, 382, 383, 405, 382, 383, 405, 382, 383]
    assert (first["primitive"], first["implementation"]) == ("aes128gcmv1", "dolbeau/aesenc-int")
    assert first["compiler"] == "gcc -march=native -O3"
    assert (first["length"], first["ad_length"], first["keys"], first["counter"]) == (1, 0, 1, "amd64-tsc")
    assert (rows["reject", 0]["length"], rows["reject", 0]["ad_length"]) == (64, 2048)
    assert rows["encrypt", 1]["series"] == [384]  # one value, and the second time the same was measured
    info = select_runs(folder.parents[1])[0].info
    assert info is not None
    assert info.contracts == {"crypto_aead": "supercop-20260330"}
    assert info.counter == {"name": "amd64-tsc", "unit": "TSC ticks", "per_second": 2249998000, "chain_cycles": 0}
    assert info.facts == {"abi": "amd64", "cpu": "AuthenticAMD-00a00f11-178bfbff"}
    assert info.compilers == {"gcc -march=native -O3": "gcc -march=native -O3 (12.2.0)"}
    facts = info.primitives["crypto_aead/aes128gcmv1"]
    assert (facts["key_bytes"], facts["nonce_bytes"], facts["tag_bytes"]) == (16, 12, 16)


def test_trials_failures_and_sizes_are_kept(bring: Callable[..., ImportResult]) -> None:
    [folder] = bring(REAL).stored
    [trial] = pq.read_table(folder / "trials.parquet").to_pylist()
    assert (trial["implementation"], trial["cycles"], trial["timings"], trial["chosen"]) == (
        "dolbeau/aesenc-int", 5857, 3, True,
    )  # fmt: skip
    [failure] = pq.read_table(folder / "failures.parquet").to_pylist()
    assert (failure["implementation"], failure["reason"], failure["detail"]) == (
        "ref",
        "error 139",
        "Segmentation fault",
    )
    sizes = {row["name"]: row["value"] for row in pq.read_table(folder / "sizes.parquet").to_pylist()}
    assert sizes == {"code_bytes": 15348, "packet_overhead_bytes": 16}


@pytest.mark.parametrize(
    ("operation", "size", "measure"),
    [
        ("crypto_sign", "bytes", "sign"),
        ("crypto_kem", "shared_bytes", "kem"),
        ("crypto_onetimeauth", "tag_bytes", "authenticate"),
        ("crypto_unheard", "bytes", "unheard"),
    ],
)
def test_names_are_those_of_the_operation(
    operation: str, size: str, measure: str, bring: Callable[..., ImportResult]
) -> None:
    start = START.replace("crypto_aead", operation)
    preamble = f"{start} implementation {operation}/x/ref -\n{start} compiler {GCC} 12.2.0\n{start} bytes 16\n"
    [folder] = bring(f"{preamble}{start} cycles 2000064 500 +1-1\n").stored
    [row] = rows_of(folder)
    assert (row["measure"], row["length"], row["ad_length"]) == (measure, 2000064, 0)
    info = select_runs(folder.parents[1])[0].info
    assert info is not None
    assert info.primitives[f"{operation}/aes128gcmv1"][size] == 16


def test_headlines_are_supercop_s(bring: Callable[..., ImportResult]) -> None:
    [folder] = bring(REAL).stored
    stored = select_runs(folder.parents[1])
    with connect(stored) as connection:
        prepare(connection, [entry.info for entry in stored if entry.info])
        found = {point.measure: point.headlines for point in roundwise(connection)}
    assert int(found["encrypt"][0]) == 383
    assert found["encrypt"][1] == 384
    assert int(found["decrypt"][0]) == 360


def test_older_lines_have_the_median_and_raw_values(bring: Callable[..., ImportResult]) -> None:
    old = START.replace("20260330", "20240425").replace("/timingleaks", "")
    [folder] = bring(f"{old} encrypt_cycles 64 500 620 500 498 501\n").stored
    [row] = rows_of(folder)
    assert (row["series"], row["primitive"], row["length"]) == ([620, 500, 498, 501], "aes128gcmv1", 64)


@pytest.mark.parametrize(
    ("operation", "kind", "measure"),
    [
        ("crypto_stream", "xor_cycles", "xor"),
        ("crypto_stream", "cycles", "keystream"),
        ("crypto_onetimeauth", "cycles", "authenticate"),
        ("crypto_onetimeauth", "verify_cycles", "verify"),
        ("crypto_hash", "cycles", "hash"),
        ("crypto_kem", "keypair_cycles", "keypair"),
    ],
)
def test_kinds_and_measures(bring: Callable[..., ImportResult], operation: str, kind: str, measure: str) -> None:
    [folder] = bring(f"20260330 vm amd64 20261121 {operation} p/constbranch {kind} - 500 +0+0\n").stored
    assert [(row["measure"], row["length"]) for row in rows_of(folder)] == [(measure, 0)]


BROKEN = [
    ("", "nothing"),
    ("rubbish", "seven fields"),
    (f"{START}", "seven fields"),
    (f"{START} encrypt_cycles", "fewer fields"),
    (f"{START} encrypt_cycles 1", "fewer fields"),
    (f"{START} encrypt_cycles one 383", "must be a number"),
    (f"{START} encrypt_cycles 1 383 +1+x", "must be a number"),
    (f"{START} encrypt_cycles 1 {10**30}", "must be a number"),
    (f"{START} encrypt_cycles -5 383", "out of range"),
    (f"{START} encrypt_cycles 1_0 383", "must be a number"),
    (f"{START} cpucycles_persecond fast", "must be a number"),
    (f"{START} cpucycles_implementation other", "counted with another counter than the run, amd64-tsc"),
    (f"{START} try 42 ok 1", "fewer fields"),
    (f"{START} implementation", "fewer fields"),
    (START.replace("20261121", "20261399") + " encrypt_cycles 1 383", "not a date"),
    (START.replace("vm", "../etc") + " encrypt_cycles 1 383", "not a machine"),
    (START.replace("aes128gcmv1", "<script>") + " encrypt_cycles 1 383", "not a primitive"),
    (START.replace("crypto_aead", "aead") + " encrypt_cycles 1 383", "not an operation"),
    (START.replace("20260330", "latest") + " encrypt_cycles 1 383", "not a version"),
    ("\x00\xff" * 50, "seven fields"),
]


@pytest.mark.parametrize(("line", "reason"), BROKEN)
def test_a_line_that_cannot_be_read_costs_itself_alone(
    bring: Callable[..., ImportResult], line: str, reason: str
) -> None:
    result = bring(REAL + line + "\n" + f"{START} encrypt_cycles 7 383 +0+0+0\n")
    assert sum(result.samples.values()) == 5
    if line:
        [skipped] = result.odd
        assert reason in skipped.reason
        assert (skipped.count, skipped.first, skipped.read) == (1, len(REAL.splitlines()) + 1, False)


def test_a_headline_that_contradicts_its_series_is_reported_and_kept(bring: Callable[..., ImportResult]) -> None:
    # The example of a series in the format's description: its StQ2 would be 416.
    result = bring(f"{START} encrypt_cycles 1 405 +270+22-22+0\n")
    [skipped] = result.odd
    assert skipped.read
    assert "StQ2" in skipped.reason
    assert rows_of(result.stored[0])[0]["series"] == [675, 427, 383, 405]


def test_an_endless_line_does_not_fill_the_memory(bring: Callable[..., ImportResult]) -> None:
    result = bring("x" * 5_000_000 + "\n" + REAL)
    assert sum(result.samples.values()) == 4


@pytest.mark.parametrize(("ending", "pack"), [("xz", lzma.compress), ("gz", gzip.compress), ("bz2", bz2.compress)])
def test_compressed_files(tmp_path: Path, ending: str, pack: Callable[[bytes], bytes]) -> None:
    file, cut = tmp_path / f"x.{ending}", tmp_path / f"cut.{ending}"
    packed = pack(REAL.encode() * 50)
    file.write_bytes(packed)
    cut.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(StorageFailed, match=r"compression is damaged|cannot read"):
        import_files([cut], tmp_path / "results", FOREIGN)
    assert not list_runs(tmp_path / "results")
    assert sum(import_files([file], tmp_path / "results", FOREIGN).samples.values()) == 200


def test_runs_are_distinguished_by_machine_date_and_abi(bring: Callable[..., ImportResult]) -> None:
    changes = [("vm", "samba"), ("20261121", "20261122"), ("amd64", "x86"), ("vm", "vm")]
    result = bring("".join(REAL.replace(old, new) for old, new in changes))
    assert len(result.stored) == 4
    assert {run.machine for run in list_runs(result.stored[0].parents[1])} == {"vm", "samba"}


def test_one_primitive_under_two_goals_is_two_tunings_or_more_rounds(bring: Callable[..., ImportResult]) -> None:
    other = REAL.replace("timingleaks", "constbranch")
    [folder] = bring(
        REAL + other + other.replace("dolbeau/aesenc-int", "ref").replace("constbranch", "constbranchindex")
    ).stored
    rounds = {(row["implementation"], row["round"]) for row in rows_of(folder) if row["measure"] == "encrypt"}
    assert rounds == {("dolbeau/aesenc-int", number) for number in range(4)} | {("ref", 0), ("ref", 1)}


def test_the_same_file_is_not_imported_twice_and_another_of_the_day_is(bring: Callable[..., ImportResult]) -> None:
    bring(REAL)
    with pytest.raises(StorageFailed, match="was imported already"):
        bring(REAL, name="renamed.data")
    [folder] = bring(REAL.replace("aes128gcmv1", "aes256gcmv1"), name="more.data").stored
    assert folder.name == "2026-11-21-supercop-20260330-amd64-2"


def test_a_machine_can_be_given_another_name(bring: Callable[..., ImportResult]) -> None:
    assert bring(REAL, machine="zen3").stored[0].parent.name == "zen3"


def test_a_file_without_data_is_refused_and_leaves_nothing(bring: Callable[..., ImportResult], tmp_path: Path) -> None:
    with pytest.raises(NothingToDo, match=r"x\.data: unknown format; known are supercop"):
        bring("not\na\ndata file\n")
    with pytest.raises(NothingToDo, match="no measurement in these files"):
        bring(f"{START} keybytes 16\n")
    with pytest.raises(StorageFailed, match="does not exist"):
        import_files([tmp_path / "none.data"], tmp_path / "results", FOREIGN)
    assert not list_runs(tmp_path / "results")


def test_leftovers_of_a_killed_import_do_no_harm(bring: Callable[..., ImportResult], tmp_path: Path) -> None:
    leftover = tmp_path / "results" / "vm" / ".2026-11-21-supercop-20260330-amd64.partial"
    (leftover / "parts").mkdir(parents=True)
    assert bring(REAL).stored[0].name == "2026-11-21-supercop-20260330-amd64"
    assert not leftover.exists()


def test_an_import_that_was_killed_while_it_stored_its_runs_is_completed(
    bring: Callable[..., ImportResult], tmp_path: Path
) -> None:
    """It had stored one of two: the other is added, the first is neither stored twice nor a reason to refuse."""
    text = REAL + REAL.replace(" vm ", " wm ")
    first, second = bring(text).stored
    with pytest.raises(StorageFailed, match="was imported already"):
        bring(text)
    content = (second / "samples.parquet").read_bytes()
    second.rename(second.with_name(f".{second.name}.partial"))
    assert bring(text).stored == (second,)
    assert (second / "samples.parquet").stat().st_size == len(content)
    assert sorted(tmp_path.glob("results/*/*")) == [first, second]
    with pytest.raises(StorageFailed, match="was imported already"):
        bring(text)


def test_an_import_that_is_interrupted_while_it_stores_its_runs_leaves_none(
    bring: Callable[..., ImportResult], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = REAL + REAL.replace(" vm ", " wm ")
    finish, done = RunWriter.finish, []

    def interrupted(writer: RunWriter, *arguments: object) -> Path:
        if done:
            raise KeyboardInterrupt
        done.append(finish(writer, *arguments))
        return done[0]

    monkeypatch.setattr(RunWriter, "finish", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bring(text)
    assert done
    assert not list(tmp_path.glob("results/*/*"))
    monkeypatch.undo()
    assert len(bring(text).stored) == 2


def exported_lines(results: Path, machine: str) -> str:
    stored = select_runs(results, machines=[machine], everything=True)
    infos = [entry.info for entry in stored if entry.info]
    with connect(stored) as connection:
        prepare(connection, infos)
        stream = io.BytesIO()
        exporter("supercop")(exported(connection, infos, FOREIGN), stream)
    return stream.getvalue().decode()


def numbers(results: Path, machine: str) -> list[tuple]:
    with connect(select_runs(results, machines=[machine], everything=True)) as connection:
        return connection.sql(
            "SELECT operation, primitive, implementation, compiler, measure, length, ad_length, keys, round, series "
            "FROM samples WHERE NOT control AND keys = 1 ORDER BY ALL"
        ).fetchall()


def test_own_numbers_survive_export_and_import(bring: Callable[..., ImportResult], tmp_path: Path) -> None:
    results = tmp_path / "results"
    rows = [sample("empty", 0), sample("expandkey", 70), sample("encrypt", 1000, 576), sample("encrypt", 9, 40, keys=8)]
    rows += [sample("reject", 200, 576, ad_length=13), sample("decrypt", 990, 576, series=[2000, 1100, 1000, 990])]
    own = run_info(machine="own")
    write_run(results, own, [process(name, rows, round=n, info=own) for name in ("a", "b") for n in range(3)])
    text = exported_lines(results, "own")
    bring(text, machine="back")
    assert numbers(results, "back") == numbers(results, "own")
    stored = select_runs(results, machines=["back"])[0]
    assert stored.info is not None
    assert stored.info.contracts == {"crypto_aead": "cyclometer-0.1.0"}
    assert (stored.info.counter["name"], stored.info.counter["unit"]) == ("perf-rdpmc", "core cycles")


def test_processes_of_ours_are_rounds_however_often_they_measure_the_empty_call(
    bring: Callable[..., ImportResult], tmp_path: Path
) -> None:
    rows = [sample("empty", 0), sample("encrypt", 1000, 576), sample("empty", 1), sample("empty", 0)]
    own = run_info(machine="own")
    write_run(tmp_path / "results", own, [process("a", rows, round=n, info=own) for n in range(3)])
    bring(exported_lines(tmp_path / "results", "own"), machine="back")
    assert numbers(tmp_path / "results", "back") == numbers(tmp_path / "results", "own")


def test_a_machine_in_a_mode_survives_export_and_import(bring: Callable[..., ImportResult], tmp_path: Path) -> None:
    mode = run_info(machine="own [without aes, pclmulqdq]")
    write_run(tmp_path / "results", mode, [process("a", cycles={("encrypt", 576): 1000}, info=mode)])
    text = exported_lines(tmp_path / "results", mode.machine)
    [folder] = bring(text).stored
    assert folder.parent.name == "own_without_aes_pclmulqdq"
    assert exported_lines(tmp_path / "results", folder.parent.name) == text


def test_names_that_no_line_can_hold_are_left_out_of_an_export(tmp_path: Path) -> None:
    info = run_info(machine="own", contracts={"crypto_aead": "c", "protocol": "c"})
    odd = [("crypto_aead", "two words"), ("crypto_aead", "a\nb"), ("crypto_aead", "a/b"), ("protocol", "queue")]
    tables = [process(name, cycles={("encrypt", 40): 9}, operation=of, info=info) for of, name in odd]
    write_run(tmp_path / "results", info, [*tables, process("good", cycles={("encrypt", 40): 9}, info=info)])
    lines = exported_lines(tmp_path / "results", "own").splitlines()
    assert {line.split(" ")[5] for line in lines} == {"good/timingleaks"}


def test_supercop_s_numbers_survive_import_and_export(bring: Callable[..., ImportResult]) -> None:
    [folder] = bring(REAL).stored

    def measured(text: str) -> list[str]:
        lines = [line.replace(GCC, "C") for line in text.splitlines() if "_cycles " in line]
        return sorted(line for line in lines if "aesenc" not in line)

    again = exported_lines(folder.parents[1], "vm")
    # A series of one value comes back with its offset.
    assert measured(again) == measured(REAL.replace("encrypt_cycles 1 384", "encrypt_cycles 1 384 +0"))


def test_endless_messages_about_one_tuning_are_cut_off(bring: Callable[..., ImportResult], tmp_path: Path) -> None:
    """Each is compared with those before it, which would take hours for a file of them."""
    bring(REAL + "".join(f"{START} tryfails {SHORT} {number:01000}\n" for number in range(200)))
    [run] = list_runs(tmp_path / "results")
    details = pq.read_table(run.folder / "failures.parquet")["detail"].to_pylist()
    assert max(map(len, details)) <= (1 << 16) + 1001


def test_a_file_with_too_many_runs_is_refused_where_it_begins_one_too_many(
    bring: Callable[..., ImportResult], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Each run of an import has files open, of which a process may not have any number."""
    monkeypatch.setattr(cyclometer.store.importers._session, "MAX_RUNS", 3)
    days = "".join(REAL.replace("20261121", f"2026112{day}") for day in range(5))
    lines = len(REAL.splitlines())
    with pytest.raises(RefusedFile, match=f"line {3 * lines + 1}: it begins more than 3 runs"):
        bring(days)
    assert not [path for path in tmp_path.rglob("*") if path.is_dir() and path.name == "vm"], "nothing is left of three"


def test_names_that_would_fill_the_memory_are_refused(
    bring: Callable[..., ImportResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = cyclometer.store.importers._session
    grown = iter(range(0, 10 << 30, session.MAX_MEMORY // 2 + 1))
    monkeypatch.setattr(session, "_memory", lambda: next(grown))
    monkeypatch.setattr(session, "_LOOK_EVERY", 1000)
    with pytest.raises(RefusedFile, match="so many names that more than"):
        bring(REAL)


def test_long_series_are_written_before_they_fill_the_memory(
    bring: Callable[..., ImportResult], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cyclometer.store.importers._session, "FLUSH_TIMINGS", 40)
    held: list[int] = []
    flush = RunBuffer.flush
    monkeypatch.setattr(RunBuffer, "flush", lambda buffer: (held.append(buffer._timings), flush(buffer)))
    result = bring(REAL)
    assert max(held) < 40 + 15, "a series of 15 timings is the last that is added"
    assert sum(result.samples.values()) == 4
