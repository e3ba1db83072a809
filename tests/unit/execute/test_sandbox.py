# SPDX-License-Identifier: MIT OR Apache-2.0
"""The sandbox returns an Outcome within the limits, whatever a program does."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from cyclometer.execute.bubblewrap import bubblewrap
from cyclometer.execute.sandbox import MEGABYTE, Limits, Outcome, run, run_tool, start
from cyclometer.execute.seccomp import Policy
from support.processes import wait_until_none_has

PYTHON = [Path(sys.prefix), Path(sys.base_prefix)]

needs_sandbox = pytest.mark.skipif(not bubblewrap(), reason="bubblewrap is not installed, or may make no namespaces")


def shell(script: str, **limits: float) -> Outcome:
    return run(["sh", "-c", script], limits=Limits(**limits), policy=Policy.BUILD)  # type: ignore[arg-type]


def test_a_program_that_succeeds() -> None:
    outcome = shell("echo out; echo err >&2")
    assert outcome == Outcome(status=0, stdout=b"out\n", stderr=b"err\n", problem="")


def test_the_ways_to_end() -> None:
    assert shell("exit 3").problem == "exit status 3"
    assert shell("kill -SEGV $$").problem == "killed by SIGSEGV"
    assert shell("kill -SYS $$").problem == "makes a forbidden system call (SIGSYS)"
    assert run(["/no/such/program"]).problem
    assert "cannot be started" in run_tool(["/no/such/program"]).problem


def test_the_last_words_of_a_program_are_kept() -> None:
    assert shell("seq 1000 >&2").last_words(9) == "999\n1000"


def test_the_words_of_a_compiler_are_kept_from_its_first_error_on() -> None:
    talk = "seq 1000; echo 'a.c:3: warning: odd'; echo 'a.c:7:1: error: wrong'; echo note; seq 1000"
    assert shell(f"{{ {talk}; }} >&2").first_error(26) == "a.c:7:1: error: wrong\nnote"
    talk = "ld: hash.o: relocation R_X86_64_32S cannot be used; collect2: error: ld returned 1"
    assert shell(f"echo '{talk}' | tr ';' '\n' >&2").first_error(14) == "ld: hash.o: re"
    assert shell("seq 1000 >&2").first_error(9) == "999\n1000"


def test_a_program_is_started_before_its_turn_and_moved_to_its_core_when_that_comes() -> None:
    core = max(os.sched_getaffinity(0))
    script = "read word; echo $word; grep Cpus_allowed_list: /proc/self/status"
    program = start(["sh", "-c", script], limits=Limits(), policy=Policy.BUILD)
    program.begin(b"go\n", core)
    assert program.outcome().stdout.split() == [b"go", b"Cpus_allowed_list:", str(core).encode()]


def test_a_program_that_waits_can_be_ended() -> None:
    start(["sh", "-c", "read word; sleep 27182"], limits=Limits(), policy=Policy.BUILD).end()
    wait_until_none_has("27182")


def test_the_time_limit() -> None:
    assert shell("sleep 10000", seconds=0.5).problem == "still running after 0 s"
    assert shell("while :; do :; done", seconds=1).problem == "still running after 1 s"


def test_the_output_limit_and_that_a_program_that_never_stops_printing_is_stopped() -> None:
    outcome = shell("yes", output=MEGABYTE, seconds=60)
    assert outcome.problem == "prints more than 1 megabytes"
    assert MEGABYTE <= len(outcome.stdout) < 2 * MEGABYTE


def test_the_address_space_limit() -> None:
    eater = [sys.executable, "-c", "x = bytearray(3 << 30)"]
    assert "MemoryError" in run(eater, visible=PYTHON, policy=Policy.BUILD).last_words()


def test_input_of_any_size_is_fed_while_output_is_drained() -> None:
    data = os.urandom(3 * MEGABYTE)
    assert run(["cat"], stdin=data).stdout == data


def test_a_program_may_ignore_its_input() -> None:
    assert run(["true"], stdin=bytes(MEGABYTE)).problem == ""


def test_children_do_not_survive() -> None:
    mark = f"31{os.getpid()}"
    shell(f"sleep {mark} >/dev/null 2>&1 & echo started")
    wait_until_none_has(f"sleep\0{mark}\0")  # the sleeper itself takes years


def test_no_file_grows_and_no_core_is_dumped(tmp_path: Path) -> None:
    target = tmp_path / "file"
    run(["sh", "-c", f"echo words > {target}"])
    assert not target.exists() or target.stat().st_size == 0


def test_the_environment_is_not_the_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD_OF_MINE", "x")
    words = run(["env"], environment={"ASAN_OPTIONS": "y"}).stdout.decode().splitlines()
    names = {word.partition("=")[0] for word in words}
    assert "LD_PRELOAD_OF_MINE" not in names
    assert {"ASAN_OPTIONS", "LC_ALL", "PATH"} <= names


def test_it_is_pinned_to_the_requested_core() -> None:
    core = max(os.sched_getaffinity(0))
    script = "import os; print(*os.sched_getaffinity(0))"
    assert (
        run([sys.executable, "-c", script], cpu=core, visible=PYTHON, policy=Policy.BUILD).stdout
        == f"{core}\n".encode()
    )


@needs_sandbox
def test_the_sandbox_has_no_network() -> None:
    interfaces = run(["tail", "-n", "+3", "/proc/net/dev"]).stdout.decode()
    assert [line.split(":")[0].strip() for line in interfaces.splitlines()] in ([], ["lo"])


@needs_sandbox
def test_the_sandbox_shows_an_empty_tmp_and_the_visible_folders(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("words")
    assert run(["ls", "-A", "/tmp"]).stdout == b""
    assert run(["cat", str(tmp_path / "file")], visible=[tmp_path]).stdout == b"words"


@needs_sandbox
def test_the_sandbox_cannot_write_to_the_machine() -> None:
    assert run(["touch", "/etc/cyclometer-was-here"]).problem
    assert not Path("/etc/cyclometer-was-here").exists()


@needs_sandbox
def test_the_sandbox_sees_no_other_process() -> None:
    assert run(["sh", "-c", f"kill -0 {os.getpid()}"]).problem or os.getpid() < 5


def test_a_system_tool_runs_in_a_folder_under_a_time_limit(tmp_path: Path) -> None:
    assert run_tool(["pwd"], cwd=tmp_path).stdout.decode().strip() == str(tmp_path)
    assert run_tool(["sleep", "10000"], seconds=0.3).status == -signal.SIGKILL


def build(script: str, folder: Path, **limits: int) -> Outcome:
    """Run a shell script as builds are run, with small limits for all its processes together."""
    small = {"processes": 20, "memory_together": 64 * MEGABYTE, "disk": 16 * MEGABYTE, "files": 8 * MEGABYTE}
    all_limits = Limits(**(small | limits))  # type: ignore[arg-type]
    return start(["sh", "-c", script], limits=all_limits, policy=Policy.BUILD, writable=folder).outcome()


@needs_sandbox
def test_the_processes_of_a_build_have_limits_together(tmp_path: Path) -> None:
    bomb = build("for i in $(seq 100); do sleep 60 & done; wait", tmp_path)
    assert bomb.problem == "makes more than 20 processes"
    hold = 'words=$(head -c 40M /dev/zero | tr "\\0" x); sleep 60; :'  # the last command would replace the shell
    eaters = build(f"for i in 1 2 3; do {{ {hold}; }} & done; wait", tmp_path)
    assert eaters.problem == "uses more than 64 megabytes of memory"
    writer = build("for i in $(seq 5); do head -c 8M /dev/zero > $i; done; sleep 60", tmp_path)
    assert writer.problem.startswith("writes more than 16 megabytes")


@needs_sandbox
def test_nobody_in_the_sandbox_has_a_capability_or_another_filter() -> None:
    status = run(["cat", "/proc/self/status"]).stdout.decode()
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {fields[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2", "a filter is installed"
    assert "65534" in fields["Uid"] or os.getuid()


@needs_sandbox
def test_the_sandbox_shows_nothing_of_the_machine_but_its_programs() -> None:
    for path in ("/etc/passwd", "/etc/shadow", str(Path.home()), "/sys/kernel", "/run"):
        assert run(["ls", path]).problem, path
    changes = "echo x > /proc/sys/kernel/core_pattern; touch /x /dev/x /usr/x /dev/shm/x; ls -A /tmp"
    assert run(["sh", "-c", changes], policy=Policy.BUILD).stdout == b""
    assert not any(Path(name).exists() for name in ("/x", "/usr/x"))
