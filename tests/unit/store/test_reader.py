# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stored runs are listed in any state, selected by name, and read in place through one database."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cyclometer.errors import NothingToDo, StorageFailed, UnknownName
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import RunInfo, Size
from cyclometer.records.tuning import Trial
from cyclometer.store import list_runs, open_runs, select_runs
from support.synthetic import as_format_1, process, run_info, subject, write_run


def on_day(day: int, machine: str = "box", profile: str = "quick") -> RunInfo:
    """Describe the run of that day."""
    started = datetime.datetime(2026, 11, day, 21, tzinfo=datetime.UTC)
    name = f"2026-11-{day:02}T21-00-00-{profile}"
    return run_info(run=name, machine=machine, started=started, profile=profile)


def store(results: Path, info: RunInfo, finish: bool = True) -> Path:
    table = process("salsa20-poly1305", cycles={("encrypt", 576): 3000}, info=info)
    return write_run(results, info, [table], finish=finish)


def names(results: Path, *patterns: str, machines: tuple[str, ...] = (), everything: bool = False) -> list[str]:
    return [f"{r.machine} {r.run[8:10]}" for r in select_runs(results, patterns, machines, everything=everything)]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Store complete runs on `box` (days 1 and 3) and `pi` (day 2), and an interrupted one on `box` (day 4)."""
    store(tmp_path, on_day(1))
    store(tmp_path, on_day(2, machine="pi"))
    store(tmp_path, on_day(3, profile="full"))
    store(tmp_path, on_day(4), finish=False)
    return tmp_path


def test_runs_are_listed_oldest_first_with_their_state(results: Path) -> None:
    assert [(run.machine, run.state) for run in list_runs(results)] == [
        ("box", "complete"),
        ("pi", "complete"),
        ("box", "complete"),
        ("box", "interrupted"),
    ]


def test_an_empty_or_missing_results_folder_lists_nothing(tmp_path: Path) -> None:
    assert list_runs(tmp_path) == []
    assert list_runs(tmp_path / "missing") == []


def test_by_default_the_last_complete_run_is_selected(results: Path) -> None:
    assert names(results) == ["box 03"]


def test_runs_are_chosen_by_pattern_machine_or_all(results: Path) -> None:
    assert names(results, "*-quick") == ["box 01", "pi 02"]
    assert names(results, machines=("pi",)) == ["pi 02"]
    assert names(results, machines=("*",)) == ["box 03", "pi 02"]
    assert names(results, everything=True) == ["box 01", "pi 02", "box 03"]
    assert names(results, "*-quick", machines=("box",)) == ["box 01"]


def test_an_interrupted_run_is_read_when_named_in_full(results: Path) -> None:
    connection = open_runs(results, ["2026-11-04T21-00-00-quick"])
    assert connection.sql("SELECT count(*) FROM samples").fetchall() == [(2,)]


def test_an_unknown_run_or_machine_suggests_the_nearest(results: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean '2026-11-01T21-00-00-quick'"):
        select_runs(results, ["2026-11-01T21-00-00-quikc"])
    with pytest.raises(UnknownName, match="unknown machine 'bux'; did you mean 'box'"):
        select_runs(results, machines=["bux"])


def test_no_run_at_all_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NothingToDo, match="cyclometer run"):
        select_runs(tmp_path)


def test_only_interrupted_runs_say_so(tmp_path: Path) -> None:
    store(tmp_path, on_day(1), finish=False)
    with pytest.raises(NothingToDo, match="interrupted"):
        select_runs(tmp_path)


def test_every_view_names_run_and_machine(tmp_path: Path) -> None:
    for info in (on_day(1), on_day(2, machine="pi")):
        write_run(
            tmp_path,
            info,
            [process("salsa20-poly1305", cycles={("encrypt", 576): 3000}, info=info)],
            failures=[
                Failure(
                    stage="build",
                    subject=subject("x", "avx512"),
                    kind=FailureKind.NEEDS_FEATURE,
                    reason="needs avx512f",
                )
            ],
            trials=[Trial(subject=subject("x"), cycles=1.5, timings=7, chosen=True)],
            sizes=[Size(subject=subject("x"), name="code_bytes", value=4096)],
        )
    connection = open_runs(tmp_path, everything=True)
    for view in ("samples", "failures", "trials", "sizes", "runs"):
        rows = connection.sql(f"SELECT DISTINCT machine, run[9:10] FROM {view} ORDER BY ALL").fetchall()
        assert rows == [("box", "01"), ("pi", "02")], view
    sizes = connection.sql("SELECT primitive, name, value FROM sizes WHERE machine = 'pi'").fetchall()
    assert sizes == [("x", "code_bytes", 4096)]


def test_failures_stored_without_kinds_are_read_beside_those_with_kinds(tmp_path: Path) -> None:
    failures = [
        Failure(stage=stage, subject=subject("x", stage), kind=FailureKind.CRASH, reason="any words")
        for stage in ("build", "warning")
    ]
    for number in (1, 2):
        write_run(tmp_path, on_day(number), failures=failures[:number])
    new, old = (tmp_path / "box" / on_day(number).run / "failures.parquet" for number in (1, 2))
    as_format_1(old.parent)
    pq.write_table(pq.read_table(old).drop_columns(["kind", "severity"]), old)
    for name in ("*", "2026-11-02*"):
        rows = (
            open_runs(tmp_path, [name])
            .sql("SELECT implementation, stage, kind, severity FROM failures WHERE run[9:10] = '02' ORDER BY 1")
            .fetchall()
        )
        assert rows == [("build", "build", "unknown", "error"), ("warning", "check", "unknown", "warning")]
    assert pq.read_table(new).column("kind").to_pylist() == ["crash"]


def test_a_run_without_samples_or_records_still_opens(tmp_path: Path) -> None:
    write_run(tmp_path, on_day(1))
    connection = open_runs(tmp_path)
    for view in ("samples", "failures", "trials", "sizes"):
        assert connection.sql(f"SELECT count(*) FROM {view}").fetchall() == [(0,)]


DAMAGES = {
    "not JSON": lambda text: text[: len(text) // 2],
    "unknown key 'machina'; the nearest valid one is 'machine'": lambda text: text.replace('"machine"', '"machina"'),
    "missing key 'plan'": lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != "plan"}),
    "format 99": lambda text: json.dumps(json.loads(text) | {"format": 99}),
    "started": lambda text: json.dumps(json.loads(text) | {"started": "yesterday"}),
}


@pytest.mark.parametrize("reason", DAMAGES)
def test_an_invalid_run_json_is_listed_with_the_reason(tmp_path: Path, reason: str) -> None:
    store(tmp_path, on_day(1))
    path = store(tmp_path, on_day(2)) / "run.json"
    path.write_text(DAMAGES[reason](path.read_text()))
    damaged = next(run for run in list_runs(tmp_path) if run.state == "unreadable")
    assert reason in damaged.reason
    assert str(path) in damaged.reason
    assert names(tmp_path) == ["box 01"]
    with pytest.raises(StorageFailed, match=r"run\.json"):
        select_runs(tmp_path, [damaged.run])


@pytest.mark.parametrize("name", ["samples.parquet", "sizes.parquet"])
def test_a_damaged_or_missing_table_is_listed_with_the_reason(tmp_path: Path, name: str) -> None:
    (store(tmp_path, on_day(1)) / name).write_bytes(b"PAR1 truncated")
    (store(tmp_path, on_day(2)) / name).unlink()
    runs = list_runs(tmp_path)
    assert [run.state for run in runs] == ["unreadable", "unreadable"]
    assert all(name in run.reason for run in runs)


def test_a_run_without_run_json_is_unreadable(tmp_path: Path) -> None:
    (tmp_path / "box" / ".2026-11-21-quick.partial" / "parts").mkdir(parents=True)
    assert [(run.run, run.state) for run in list_runs(tmp_path)] == [("2026-11-21-quick", "unreadable")]
