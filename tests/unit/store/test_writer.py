# SPDX-License-Identifier: MIT OR Apache-2.0
"""Runs are written part by part; stored parts survive whatever happens later."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pyarrow.parquet as pq
import pytest

from cyclometer.errors import StorageFailed
from cyclometer.records.columns import count_of
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.records.placement import PLACEMENT
from cyclometer.records.run import SAMPLES, Size
from cyclometer.records.tuning import Trial
from cyclometer.store import RunWriter, files, list_runs, results_folder
from cyclometer.store import writer as writing
from cyclometer.store.lock import FolderLock
from support.synthetic import as_format_1, process, run_info, subject, write_run

SALSA = process("salsa20-poly1305", cycles={("encrypt", 576): 3000, ("encrypt", 40): 900})
GCM = process("aes-128-gcm", cycles={("encrypt", 576): 1000, ("encrypt", 40): 700})


def test_a_finished_run_is_one_folder_under_the_machines_name(tmp_path: Path) -> None:
    folder = write_run(tmp_path, run_info(), [SALSA, GCM])
    assert folder == tmp_path / "box" / "2026-11-21T21-00-00-quick"
    assert sorted(path.name for path in folder.iterdir()) == [
        "SHA256SUMS",
        "earlier.parquet",
        "failures.parquet",
        "run.json",
        "samples.parquet",
        "sizes.parquet",
        "trials.parquet",
    ]
    assert json.loads((folder / "run.json").read_text())["finished"] is not None


def test_samples_are_merged_whole_and_sorted(tmp_path: Path) -> None:
    folder = write_run(tmp_path, run_info(), [SALSA, GCM])
    table = pq.read_table(folder / "samples.parquet")
    assert table.schema.names == [*SAMPLES, *PLACEMENT, "sequence"]
    keys = table.select(["primitive", "measure", "length"]).to_pylist()
    assert [tuple(row.values()) for row in keys] == [
        ("aes-128-gcm", "empty", 0),
        ("aes-128-gcm", "encrypt", 40),
        ("aes-128-gcm", "encrypt", 576),
        ("salsa20-poly1305", "empty", 0),
        ("salsa20-poly1305", "encrypt", 40),
        ("salsa20-poly1305", "encrypt", 576),
    ]


def test_samples_that_prove_to_be_untrue_are_removed(tmp_path: Path) -> None:
    with RunWriter.start(tmp_path, run_info()) as writer:
        writer.add_samples("salsa@0", SALSA)
        writer.add_samples("gcm@0", GCM)
        writer.add_samples("salsa@1", SALSA)
        writer.remove_samples(subject("salsa20-poly1305"))
        assert [writer.has(name) for name in ("salsa@0", "gcm@0", "salsa@1")] == [False, True, False]
        folder = writer.finish()
    assert set(pq.read_table(folder / "samples.parquet")["primitive"].to_pylist()) == {"aes-128-gcm"}


def test_another_tool_reads_the_documented_types(tmp_path: Path) -> None:
    """Apache Arrow's reader, which has nothing in common with ours."""
    trial = Trial(subject=subject("salsa20-poly1305"), cycles=3000.5, timings=7, chosen=True)
    folder = write_run(tmp_path, run_info(), [SALSA], trials=[trial])
    samples = pq.read_table(folder / "samples.parquet")
    assert samples.schema.metadata == {b"cyclometer.format": b"2"}
    types = {field.name: str(field.type) for field in samples.schema}
    assert types.pop("series") in {"list<element: int64>", "list<item: int64>"}
    expected = {"control": "bool", "tsc": "int64", **dict.fromkeys(("between", "sequence"), "int32")}
    expected |= dict.fromkeys(("length", "ad_length", "keys"), "int32")
    expected |= {f"{kernel}_{side}": "int32" for kernel in ("chain", "load") for side in ("before", "after")}
    shorts = ("round", "alignment", "context_switches", "retakes", "output_alignment", "key_alignment")
    expected |= dict.fromkeys((*shorts, "call_site", "link", "environment", "trial"), "int16")
    assert types == dict.fromkeys(types, "string") | expected
    [row] = pq.read_table(folder / "trials.parquet").to_pylist()
    values = [row[name] for name in ("primitive", "cycles", "chosen", "quick_ratio")]
    assert values == ["salsa20-poly1305", 3000.5, True, None]
    assert pq.read_table(folder / "failures.parquet").schema.names[0] == "stage"


def test_a_run_whose_name_another_takes_meanwhile_is_numbered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def late(starting: Path, folder: Path) -> None:
        monkeypatch.undo()
        folder.mkdir()  # another command that started in the same second
        files.rename_folder(starting, folder)

    monkeypatch.setattr(writing, "rename_folder", late)
    with RunWriter.start_numbered(tmp_path, run_info()) as writer:
        assert writer.info.run == f"{run_info().run}-2"
    assert sorted(path.name for path in (tmp_path / "box").iterdir()) == [
        ".2026-11-21T21-00-00-quick-2.partial",
        ".2026-11-21T21-00-00-quick.partial",
    ]


def test_a_folder_that_cannot_be_written_is_no_reason_to_try_another_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageFailed, match="cannot write"):
        RunWriter.start_numbered(tmp_path / "file", run_info())


def test_an_interrupted_run_resumes_with_what_it_has(tmp_path: Path) -> None:
    with RunWriter.start(tmp_path, run_info()) as first:
        first.add_samples("salsa", SALSA)
        first.add_trials([Trial(subject=subject("salsa20-poly1305"), cycles=3000.5, timings=7, chosen=True)])
    with RunWriter.resume(first.folder) as second:
        assert second.has("salsa")
        assert not second.has("gcm")
        assert second.info == run_info()
        assert [trial.cycles for trial in second.trials()] == [3000.5]
        second.add_samples("gcm", GCM)
        folder = second.finish()
    assert pq.read_table(folder / "samples.parquet").num_rows == count_of(SALSA) + count_of(GCM)


def test_half_written_parts_of_a_killed_writer_are_removed_on_resume(tmp_path: Path) -> None:
    partial = write_run(tmp_path, run_info(), [SALSA], finish=False)
    (partial / "parts" / ".gcm.parquet.tmp").write_bytes(b"PAR1 half")
    with RunWriter.resume(partial) as writer:
        assert not writer.has("gcm")
        writer.finish()
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_run_begun_before_failures_had_kinds_is_resumed(tmp_path: Path) -> None:
    warning = Failure(stage="warning", subject=subject("x"), kind=FailureKind.CRASH, reason="any words")
    with RunWriter.start(tmp_path, run_info()) as writer:
        writer.add_failures([warning])
        path = writer.folder / "failures.parquet"
    as_format_1(path.parent)
    pq.write_table(pq.read_table(path).drop_columns(["kind", "severity"]), path)
    with RunWriter.resume(path.parent) as writer:
        [read] = writer.failures()
        writer.add_failures([])
        assert writer.failures() == [read]
    assert (read.stage, read.kind, read.severity) == ("check", FailureKind.UNKNOWN, Severity.WARNING)


def test_records_found_again_by_a_resumed_run_are_stored_once(tmp_path: Path) -> None:
    failure = Failure(
        stage="build", subject=subject("aes-128-gcm", "avx512"), kind=FailureKind.NEEDS_FEATURE, reason="needs avx512f"
    )
    size = Size(subject=subject("aes-128-gcm"), name="code_bytes", value=4096)
    with RunWriter.start(tmp_path, run_info()) as writer:
        writer.add_failures([failure])
        writer.add_failures([failure])
        writer.add_sizes([size])
        writer.add_sizes([size])
        assert writer.failures() == [failure]
        assert writer.sizes() == [size]


def test_a_run_has_one_writer(tmp_path: Path) -> None:
    with RunWriter.start(tmp_path, run_info()) as writer:
        with pytest.raises(StorageFailed, match="being written by another process"):
            RunWriter.resume(writer.folder)
        with pytest.raises(StorageFailed, match="being written by another process; choose another name"):
            RunWriter.start(tmp_path, run_info())
        assert list_runs(tmp_path)[0].state == "under way"
    assert list_runs(tmp_path)[0].state == "interrupted"


def test_a_writer_does_not_mind_who_just_looks_whether_there_is_one(tmp_path: Path) -> None:
    lock = tmp_path / "lock"
    looking = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(looking, fcntl.LOCK_SH)
    Timer(0.03, os.close, [looking]).start()
    FolderLock(lock).release()


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    write_run(tmp_path, run_info(), [SALSA])
    with pytest.raises(StorageFailed, match="already exists"):
        RunWriter.start(tmp_path, run_info())


def test_a_complete_run_cannot_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="not an interrupted run"):
        RunWriter.resume(write_run(tmp_path, run_info(), [SALSA]))


def test_run_json_can_be_completed_while_the_run_is_under_way(tmp_path: Path) -> None:
    with RunWriter.start(tmp_path, run_info()) as writer:
        writer.update(facts={"cpu": "found later"})
    with RunWriter.resume(writer.folder) as again:
        assert again.info.facts == {"cpu": "found later"}


def test_a_results_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(StorageFailed, match=r"cannot write .*--results") as caught:
        RunWriter.start(tmp_path / "file", run_info())
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "..", "a/b", ".hidden"])
def test_a_machine_name_that_cannot_be_a_folder_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageFailed, match="machine name"):
        RunWriter.start(tmp_path, run_info(machine=name))


def test_a_damaged_part_is_named_and_the_run_stays(tmp_path: Path) -> None:
    partial = write_run(tmp_path, run_info(), [SALSA, GCM], finish=False)
    (partial / "parts" / "part-1.parquet").write_bytes(b"PAR1 damaged PAR1")
    with pytest.raises(StorageFailed, match=r"part-1\.parquet.*remove this file"):
        RunWriter.resume(partial)
    (partial / "parts" / "part-1.parquet").unlink()
    with RunWriter.resume(partial) as writer:
        assert pq.read_table(writer.finish() / "samples.parquet").num_rows == count_of(SALSA)


FILL_THE_DISK = """
import resource, signal, sys
from pathlib import Path
from support.synthetic import process, sample
from cyclometer.errors import StorageFailed
from cyclometer.store import RunWriter

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
table = process("salsa20-poly1305", [sample("encrypt", i * 7919 % 10007, i) for i in range(4000)])
try:
    with RunWriter.resume(Path(sys.argv[1])) as writer:
        writer.finish() if sys.argv[2] == "finish" else writer.add_samples("big", table)
except StorageFailed as error:
    print(error)
"""


def noise(seed: int) -> dict[tuple[str, int], float]:
    """Make cycles that do not compress well."""
    return {("encrypt", i): (i + 7) * 7919 * (seed + 3) % 100_003 for i in range(200)}


@pytest.mark.parametrize("step", ["add", "finish"])
def test_a_disk_that_fills_up_costs_only_what_was_being_written(tmp_path: Path, step: str) -> None:
    """A limit on the size of files replaces the full disk: the write fails in the middle."""
    parts = [process("salsa20-poly1305", round=number, cycles=noise(number)) for number in range(20)]
    partial = write_run(tmp_path, run_info(), parts, finish=False)
    limit = max(path.stat().st_size for path in partial.rglob("*.parquet"))
    before = sorted(path.name for path in partial.rglob("*"))
    script = subprocess.run(
        [sys.executable, "-c", FILL_THE_DISK, str(partial), step, str(limit)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert script.stdout.startswith("cannot write ")
    assert "raise the limit and repeat" in script.stdout
    assert script.stdout.count("\n") == 1
    assert sorted(path.name for path in partial.rglob("*")) == before
    with RunWriter.resume(partial) as writer:
        assert pq.read_table(writer.finish() / "samples.parquet").num_rows == sum(map(count_of, parts))


def test_the_results_folder_is_argument_then_environment_then_results(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CYCLOMETER_RESULTS", raising=False)
    assert results_folder() == Path("results")
    monkeypatch.setenv("CYCLOMETER_RESULTS", "/somewhere")
    assert results_folder() == Path("/somewhere")
    assert results_folder(Path("here")) == Path("here")
