# SPDX-License-Identifier: MIT OR Apache-2.0
"""Signals, kills and lost folders: one line, nothing complete is lost, and `--resume` goes on."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cyclometer.store import list_runs, open_runs
from support.command_line import CommandLine
from support.small_tree import SmallTree
from support.synthetic import run_info, write_run

ROUNDS = 6
RUN = ("run", "poly1305", "--patience", "0", "--no-tables", "--machine", "box", "--seed", "7", "--rounds", str(ROUNDS))
RESUME = ("run", "--resume", "--no-tables", "--machine", "box")
KILLS = 5
SEED = 18
SECONDS = 300

COMMAND = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs of a script ignore it
from cyclometer import cli
from cyclometer.cli import _application

class Finalized:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)

def run():
    {interrupted}
    time.sleep(60)

_application.run = run
cli.main()
"""
MODULE = """
import os, signal
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    os.abort()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_during_a_run_is_one_line_and_the_run_is_resumed(
    number: signal.Signals, cyclometer: CommandLine
) -> None:
    begun = cyclometer.start(*RUN)
    cyclometer.wait_for_parts(2)
    begun.send_signal(number)
    _, err = begun.communicate(timeout=SECONDS)
    assert begun.returncode == 128 + number
    assert err.splitlines()[-1] == "cyclometer: interrupted; `cyclometer run --resume` completes an interrupted run"
    assert "Traceback" not in err
    assert cyclometer(*RESUME).status == 0


def test_an_interrupted_ladder_is_measured_anew_and_not_taken_for_a_run(cyclometer: CommandLine) -> None:
    """Its rounds are not those of a run: `cyclometer run --resume` takes the run that was interrupted before it."""
    write_run(cyclometer.results, run_info(plan={"protocol": {"study": "ladder"}}), finish=False)
    assert "interrupted: `cyclometer protocol ladder` measures it anew" in cyclometer("runs").stdout
    cyclometer(*RESUME).complains("no interrupted run of box")


def test_the_run_that_was_started_last_is_resumed_unless_another_is_named(cyclometer: CommandLine) -> None:
    for name in ("before", "after"):
        parts = sum(len(run.sample_files) for run in list_runs(cyclometer.results))
        cyclometer.killed_after(parts + 1, *RUN, "--name", name)
    assert cyclometer(*RESUME).status == 0
    states = {run.run: run.state for run in list_runs(cyclometer.results)}
    assert states == {"before": "interrupted", "after": "complete"}
    cyclometer(*RESUME, "--name", "after").complains("no interrupted run called after of box")
    cyclometer(*RUN, "--name", "before").complains("`cyclometer run --resume --name before` completes it")
    assert cyclometer(*RESUME, "--name", "before").status == 0
    assert {run.state for run in list_runs(cyclometer.results)} == {"complete"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_in_the_first_moments_gives_no_traceback(number: signal.Signals, cyclometer: CommandLine) -> None:
    for hundredths in (0, 5, 15, 35):
        begun = cyclometer.start_and_wait("table")
        time.sleep(hundredths / 100)
        begun.send_signal(number)
        _, err = begun.communicate(timeout=SECONDS)
        assert "Traceback" not in err
        assert len(err.splitlines()) <= 1


def test_a_signal_that_arrives_within_a_finalizer_is_not_lost(tmp_path: Path) -> None:
    """Python forgets what is raised in a finalizer or in the callback of a weak reference, as those of imports."""
    assert interrupted_in("Finalized()", tmp_path) == (128 + signal.SIGINT, "cyclometer: interrupted\n")


@pytest.mark.parametrize("errors", ["BaseException", "KeyboardInterrupt", ""])
def test_a_signal_in_code_that_ignores_all_errors_is_not_lost(errors: str, tmp_path: Path) -> None:
    """Such as a bare `except:` of a library, or an extension module that clears what a callback raises."""
    ignored = f"""
    try:
        signal.raise_signal(signal.SIGINT)
    except {errors}:
        pass
    """
    assert interrupted_in(ignored.strip(), tmp_path) == (128 + signal.SIGINT, "cyclometer: interrupted\n")


def test_what_an_interrupt_has_to_clean_up_may_take_long(tmp_path: Path) -> None:
    cleaned = """
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        time.sleep(2.5)
        print("cleaned up", file=sys.stderr)
    """
    assert interrupted_in(cleaned.strip(), tmp_path) == (128 + signal.SIGINT, "cleaned up\ncyclometer: interrupted\n")


def test_a_signal_that_arrives_during_an_import_waits_for_its_end(tmp_path: Path) -> None:
    """An extension module aborts the process at an error, and other modules make another error of it."""
    (tmp_path / "aborts_at_an_interrupt.py").write_text(MODULE, encoding="utf-8")
    assert interrupted_in("import aborts_at_an_interrupt", tmp_path) == (
        128 + signal.SIGINT,
        "cyclometer: interrupted\n",
    )


def interrupted_in(statement: str, folder: Path) -> tuple[int, str]:
    """Run a command that executes the statement in the folder; return its exit status and what it complains of."""
    done = subprocess.run(
        [sys.executable, "-c", COMMAND.format(interrupted=statement)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return done.returncode, done.stderr


def test_kills_at_random_moments_lose_no_complete_sample(cyclometer: CommandLine) -> None:
    dice = random.Random(SEED)
    kept: dict[str, int] = {}
    begun = cyclometer.start(*RUN)
    cyclometer.wait_for_parts(1)
    for _ in range(KILLS):
        time.sleep(dice.uniform(0, 0.4))
        begun.kill()
        begun.communicate()
        [run] = list_runs(cyclometer.results)
        if run.state == "complete":
            break
        now = {path.name: pq.read_metadata(path).num_rows for path in run.sample_files}
        assert {name: now.get(name) for name in kept} == kept
        kept = now
        begun = cyclometer.start(*RESUME)
        time.sleep(dice.uniform(0, 3))
    begun.communicate(timeout=SECONDS)
    if list_runs(cyclometer.results)[0].state != "complete":
        result = cyclometer(*RESUME)
        assert result.status == 0, result.stderr
    [run] = list_runs(cyclometer.results)
    assert run.state == "complete"
    assert pq.read_metadata(run.folder / "samples.parquet").num_rows >= sum(kept.values())
    assert cyclometer("table").status == 0


def test_a_start_that_is_killed_leaves_no_run(cyclometer: CommandLine) -> None:
    """The folder gets the name of a run together with its run.json."""
    begun = cyclometer.start(*RUN)
    until = time.monotonic() + SECONDS
    while not list(cyclometer.results.glob("*/.*")) and time.monotonic() < until:
        time.sleep(0.001)
    begun.kill()
    begun.communicate()
    assert [run.state for run in list_runs(cyclometer.results) if run.state == "unreadable"] == []


def test_results_that_are_removed_during_a_run_are_one_line(cyclometer: CommandLine) -> None:
    begun = cyclometer.start(*RUN)
    cyclometer.wait_for_parts(1)
    while cyclometer.results.exists():
        shutil.rmtree(cyclometer.results, ignore_errors=True)
    _, err = begun.communicate(timeout=SECONDS)
    assert begun.returncode == 2
    assert err.splitlines()[-1].startswith("cyclometer: cannot ")
    assert "Traceback" not in err


def test_the_time_limit_holds_where_an_implementation_hangs_when_it_is_measured(
    tree: SmallTree, cyclometer: CommandLine
) -> None:
    tree.change(
        "operations/crypto_stream/measure.c",
        'if (!strcmp(sample->measure, "xor"))',
        'if (!strcmp(sample->measure, "first")) for (volatile int i = 0;;) (void)i;\n'
        '    if (!strcmp(sample->measure, "xor"))',
    )
    command = ("run", "crypto_stream/salsa20", "--rounds", "2", "--time-limit", "10", "--patience", "0", "--no-tables")
    result = cyclometer(*command, seconds=240)
    assert result.status == 0, result.stderr
    with open_runs(cyclometer.results) as runs:
        assert runs.sql("SELECT stage, kind FROM failures").fetchall() == [("measure", "time_limit")]
