# SPDX-License-Identifier: MIT OR Apache-2.0
"""Two workers as two machines on one host: whoever is lost at whatever moment, every sample is there and none twice."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine
from support.small_tree import SmallTree

pytest.importorskip("distributed", reason="pip install 'cyclometer[fleet]'")

ROUNDS = 3
SECONDS = 240
RUN = ("crypto_aead", "crypto_stream", "--rounds", str(ROUNDS), "--length", "64,576", "--patience", "0", "--seed", "7")
PARTS = {"crypto_aead": {"aes-128-gcm", "salsa20-poly1305"}, "crypto_stream": {"salsa20"}}


@pytest.fixture
def cyclometer(cyclometer: CommandLine, tree: SmallTree) -> CommandLine:
    """Use a tree with a composed system."""
    tree.plant("crypto_aead/salsa20-poly1305")
    return cyclometer


@pytest.fixture
def unbuilt(cyclometer: CommandLine, tmp_path: Path) -> CommandLine:
    """Use a cache in which nothing is built yet, so that each stage takes its time."""
    return replace(cyclometer, cache=tmp_path / "cache")


@pytest.fixture
def fleet(tmp_path: Path) -> Path:
    """Declare two machines, each with a core of its own if there are two."""
    cores = sorted(os.sched_getaffinity(os.getppid()))  # this process itself may have fewer (conftest.py)
    return roster(tmp_path, f'cores = "{cores[0]}"', f'cores = "{cores[-1]}"')


def roster(folder: Path, *machines: str) -> Path:
    """Write a FLEET.toml with machines m1, m2 ..."""
    tables = [f'[[machine]]\nname = "m{number}"\n{keys}\n' for number, keys in enumerate(machines, 1)]
    file = folder / "FLEET.toml"
    file.write_text("\n".join(tables), encoding="utf-8")
    return file


def lines_of(begun: subprocess.Popen[str]) -> Iterator[str]:
    assert begun.stderr
    for line in begun.stderr:
        print(line, end="")  # shown if the test fails
        yield line


def check_that_every_sample_is_there_once(cyclometer: CommandLine, machines: set[str]) -> None:
    runs = list_runs(cyclometer.results)
    assert {run.state for run in runs} == {"complete"}
    assert Counter(run.machine for run in runs) == dict.fromkeys(machines, len(PARTS))
    with open_runs(cyclometer.results, everything=True) as database:
        rows = database.sql(
            "SELECT machine, operation, primitive, round, control, count(*) FILTER (measure = 'empty'),"
            " count(DISTINCT (measure, length, ad_length, keys)) FROM samples GROUP BY ALL"
        ).fetchall()
        twice = database.sql(
            "SELECT * FROM (SELECT run, machine, primitive, round, control, sequence, count(*) AS often"
            " FROM samples GROUP BY ALL) WHERE often > 1"
        ).fetchall()
    assert not twice
    assert {row[5] for row in rows} == {32}, "each process takes 32 empty samples: no part is stored twice or in half"
    for operation, systems in PARTS.items():
        assert len({row[6] for row in rows if row[1] == operation}) == 1, "the whole grid, everywhere"
        for machine in machines:
            planned = {row[2:4] for row in rows if row[:2] == (machine, operation) and row[3] < ROUNDS and not row[4]}
            assert planned == {(system, number) for system in systems for number in range(ROUNDS)}


def test_a_worker_killed_in_each_stage_costs_only_what_it_was_doing(unbuilt: CommandLine, fleet: Path) -> None:
    """Kill m1's worker while it builds, checks, chooses and measures, and the scheduler while both measure."""
    stages = ["building", "checking", "choosing", "measuring"]
    process, scheduler, killed, first = 0, 0, False, 0
    begun = unbuilt.start("fleet", "run", fleet, *RUN)
    for line in lines_of(begun):
        if ready := re.search(r"m1: ready: .*process (\d+)", line):
            process = int(ready[1])
            first = first or process
        if found := re.search(r"scheduler: process (\d+)", line):
            scheduler = int(found[1])
        if process and stages and re.search(rf"m1: \w+: {stages[0]}", line):
            os.kill(process, signal.SIGKILL)
            process = 0  # what it said before is not to be taken for words of the next one
            stages.pop(0)
        elif not stages and not killed and re.search(r"m1: \w+: measuring", line):
            os.kill(scheduler, signal.SIGKILL)
            killed = True
    assert begun.wait() == 0
    assert not stages, "a stage in which the worker was not killed"
    assert killed
    assert list(Path(tempfile.gettempdir()).glob(f"cyclometer-worker-{first}-*")) == [], "a later one has tidied up"
    check_that_every_sample_is_there_once(unbuilt, {"m1", "m2"})


@pytest.mark.parametrize("stage", ["building", "measuring"])
def test_a_killed_client_leaves_nothing_behind_and_resumes(
    cyclometer: CommandLine, unbuilt: CommandLine, fleet: Path, stage: str
) -> None:
    cyclometer = unbuilt if stage == "building" else cyclometer
    processes: list[psutil.Process] = []  # by number and start, for numbers come again
    begun = cyclometer.start("fleet", "run", fleet, *RUN)
    for line in lines_of(begun):
        processes += [psutil.Process(int(number)) for number in re.findall(r"process (\d+)", line)]
        if re.search(rf"m2: \w+: {stage}", line):
            begun.kill()
            break
    begun.communicate()
    resumed = cyclometer("fleet", "run", fleet, "--resume")
    assert resumed.status == 0, resumed.stderr
    check_that_every_sample_is_there_once(cyclometer, {"m1", "m2"})
    assert len(processes) == 3
    assert psutil.wait_procs(processes, timeout=SECONDS)[1] == []
    cyclometer("fleet", "run", fleet, "--resume").complains("no interrupted campaign")


def test_a_machine_with_another_contract_is_refused_and_the_others_measure(
    cyclometer: CommandLine, tree: SmallTree, tmp_path: Path
) -> None:
    other = SmallTree.grow(tmp_path / "other", "crypto_stream/salsa20/ref")
    other.change("operations/crypto_stream/operation.toml", '[choose]\ngrid = ["', '[choose]\ngrid = ["empty 0", "')
    fleet = roster(tmp_path, "", f'tree = "{other.root}"')
    result = cyclometer("fleet", "run", fleet, "salsa20", "--rounds", "1", "--patience", "0")
    assert result.status == 1, result.stderr
    assert re.search(r"m2: refused: its contract of crypto_stream is \w+, the client's is \w+", result.stderr)
    assert [run.machine for run in list_runs(cyclometer.results)] == ["m1"]


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ('reach = "telepathy"', "unknown way to reach a machine 'telepathy'"),
        ('core = "0"', "unknown key 'core'"),
        ('cores = "3-1"', "a range ends below its start"),
        ('name = "m1"', "not valid TOML"),
        ('cores = "4095"', "has none of the cores"),
    ],
)
def test_a_wrong_fleet_is_one_line(cyclometer: CommandLine, tmp_path: Path, keys: str, complaint: str) -> None:
    result = cyclometer("fleet", "run", roster(tmp_path, keys), "salsa20")
    assert result.status == 2
    assert complaint in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert not (cyclometer.results / ".fleet").exists(), "no machine has joined: nothing that --resume could complete"


def test_two_machines_need_two_names(cyclometer: CommandLine, tmp_path: Path) -> None:
    file = roster(tmp_path, "")
    file.write_text(file.read_text(encoding="utf-8") * 2, encoding="utf-8")
    cyclometer("fleet", "run", file, "salsa20").complains("two machines are called m1")
