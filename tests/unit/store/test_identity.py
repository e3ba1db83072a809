# SPDX-License-Identifier: MIT OR Apache-2.0
"""A copy of a run counts once, one name may be that of two machines, and runs can be renamed, labelled and removed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from cyclometer.errors import StorageFailed
from cyclometer.store import connect, label_run, list_runs, remove_run, rename_run, select_runs
from support.synthetic import process, run_info, write_run

CYCLES = {("encrypt", 576): 3000.0}


def store(results: Path, day: int, *, finish: bool = True, **changes: Any) -> Path:
    name = f"2026-11-{day}T21-00-00-quick"
    info = run_info(**{"run": name, "id": f"id{day}", "started": run_info().started.replace(day=day), **changes})
    return write_run(results, info, [process("hare", cycles=CYCLES, info=info)], finish=finish)


def counted(results: Path, *machines: str) -> dict[tuple[str, str], int]:
    """Count the samples by machine and run, as views name them."""
    with connect(select_runs(results, (), machines, everything=True)) as connection:
        rows = connection.sql("SELECT machine, run, count(*) FROM samples GROUP BY ALL").fetchall()
    return {(machine, run): number for machine, run, number in rows}


@pytest.mark.parametrize("place", ["box/a-copy", "other/2026-11-21T21-00-00-quick"])
@pytest.mark.parametrize("id", ["random", ""], ids=["format 2", "format 1"])
def test_a_copy_is_not_counted_twice(tmp_path: Path, place: str, id: str) -> None:
    original = store(tmp_path, 21, id=id)
    before = counted(tmp_path)
    shutil.copytree(original, tmp_path / place)
    assert counted(tmp_path) == before
    states = {run.folder: run for run in list_runs(tmp_path)}
    assert states[original].state == "complete"
    assert states[tmp_path / place].state == "copy"
    assert f"is a copy of {original}" in states[tmp_path / place].reason


def test_a_copy_is_still_one_after_the_original_is_renamed(tmp_path: Path) -> None:
    original = store(tmp_path, 21)
    shutil.copytree(original, tmp_path / "box" / "a-copy")
    [run] = [run for run in list_runs(tmp_path) if run.state == "complete"]
    rename_run(tmp_path, run, "baseline")
    assert sorted(run.state for run in list_runs(tmp_path)) == ["complete", "copy"]


def test_one_name_with_two_cpus_is_two_machines(tmp_path: Path) -> None:
    store(tmp_path, 21, machine="vm", facts={"cpu": "Xeon"})
    store(tmp_path, 22, machine="vm", facts={"cpu": "EPYC"})
    said: list[str] = []
    chosen = select_runs(tmp_path, everything=True, say=said.append)
    older, newer = (run.machine for run in chosen)
    assert newer == "vm"
    assert older.startswith("vm@")
    assert counted(tmp_path) == {(older, chosen[0].run): 2, ("vm", chosen[1].run): 2}
    assert len(said) == 1
    assert all(word in said[0] for word in ("2 machines are called vm", "Xeon", "EPYC", "--rename"))
    assert [run.machine for run in select_runs(tmp_path, machines=["vm"])] == [older, "vm"]
    assert [run.run[8:10] for run in select_runs(tmp_path, machines=[older])] == ["21"]


def test_one_name_with_one_cpu_is_one_machine(tmp_path: Path) -> None:
    for day in (21, 22):
        store(tmp_path, day, machine="vm", facts={"cpu": "Xeon"})
    said: list[str] = []
    assert {run.machine for run in select_runs(tmp_path, everything=True, say=said.append)} == {"vm"}
    assert said == []


def test_a_renamed_run_has_its_new_name_everywhere_and_its_data_unchanged(tmp_path: Path) -> None:
    folder = store(tmp_path, 21)
    content = (folder / "samples.parquet").read_bytes()
    [run] = list_runs(tmp_path)
    renamed = rename_run(tmp_path, run, "lab's/before patch")
    assert renamed == tmp_path / "lab's" / "before patch"
    assert (renamed / "samples.parquet").read_bytes() == content
    assert not folder.parent.exists()
    assert counted(tmp_path) == {("lab's", "before patch"): 2}
    [again] = list_runs(tmp_path)
    rename_run(tmp_path, again, "box/2026-11-21T21-00-00-quick")
    assert counted(tmp_path) == {("box", "2026-11-21T21-00-00-quick"): 2}


def test_a_run_is_not_renamed_over_another_one_or_out_of_the_results(tmp_path: Path) -> None:
    store(tmp_path, 21)
    store(tmp_path, 22)
    first, second = list_runs(tmp_path)
    for name in (second.run, "../outside", "a/b/c", ".hidden", ""):
        with pytest.raises(StorageFailed):
            rename_run(tmp_path, first, name)
    assert [run.run for run in list_runs(tmp_path)] == [first.run, second.run]


def test_a_label_selects_a_run(tmp_path: Path) -> None:
    store(tmp_path, 21)
    store(tmp_path, 22)
    with pytest.raises(StorageFailed, match="has bytes that are not UTF-8"):
        label_run(list_runs(tmp_path)[0], "\udcff")
    label_run(list_runs(tmp_path)[0], "no turbo")
    assert [run.run[8:10] for run in select_runs(tmp_path, ["no turbo"])] == ["21"]
    assert [run.run[8:10] for run in select_runs(tmp_path, ["no*"])] == ["21"]


def test_a_run_is_removed_unless_it_is_being_written(tmp_path: Path) -> None:
    store(tmp_path, 21)
    store(tmp_path, 22, finish=False)
    for run in list_runs(tmp_path):
        remove_run(run)
    assert list(tmp_path.iterdir()) == []


def test_only_a_complete_run_is_renamed_or_labelled(tmp_path: Path) -> None:
    store(tmp_path, 22, finish=False)
    [run] = list_runs(tmp_path)
    with pytest.raises(StorageFailed, match="is interrupted"):
        rename_run(tmp_path, run, "new")
    with pytest.raises(StorageFailed, match="is interrupted"):
        label_run(run, "new")


def test_the_samples_keep_the_names_under_which_they_were_recorded(tmp_path: Path) -> None:
    store(tmp_path, 21)
    folder = rename_run(tmp_path, list_runs(tmp_path)[0], "new")
    assert set(pq.read_table(folder / "samples.parquet")["run"].to_pylist()) == {"2026-11-21T21-00-00-quick"}
