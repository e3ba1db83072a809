# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer table` and `cyclometer runs` as a user types them, over stored runs."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cyclometer.cli import main
from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import Size
from cyclometer.records.tuning import Trial
from support.synthetic import process, run_info, sample, subject, write_run

Call = Callable[..., "Done"]

LENGTHS = (0, 40, 402, 576, 1500, 8192)
SYSTEMS = {"salsa20-poly1305": (1200, 4.0), "aes-128-gcm": (300, 1.0), "rc4-poly1305": (9000, 7.0)}
PRIMITIVES = {
    "crypto_aead/salsa20-poly1305": {"security_bits": 256, "attacks": []},
    "crypto_aead/aes-128-gcm": {"security_bits": 128, "attacks": []},
    "crypto_aead/rc4-poly1305": {
        "security_bits": 128,
        "attacks": [{"remaining_bits": 26, "breaks": "keystream"}],
    },
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store a complete quick run of three systems, and an interrupted one after it."""
    folder = tmp_path_factory.mktemp("results")
    info = run_info(primitives=PRIMITIVES)
    processes = []
    for name, (fixed, per_byte) in SYSTEMS.items():
        rows = [sample("empty", 0), sample("expandkey", fixed / 4)]
        for measure in ("encrypt", "decrypt", "reject"):
            rows += [sample(measure, fixed + per_byte * length, length) for length in LENGTHS]
        rows += [sample("encrypt", fixed + per_byte * 576 + keys, 576, keys=keys) for keys in (32, 8192)]
        processes += [process(name, rows, round=number, info=info) for number in range(3)]
    lacking = Failure(
        stage="build", subject=subject("aes-128-gcm", "avx512"), kind=FailureKind.NEEDS_FEATURE, reason="needs avx512f"
    )
    trials = [Trial(subject=subject(name), cycles=1.0, timings=31, chosen=True) for name in SYSTEMS]
    sizes = [Size(subject=subject(name), name="expanded_key_bytes", value=176) for name in SYSTEMS]
    write_run(folder, info, processes, failures=[lacking], trials=trials, sizes=sizes)
    later = run_info(run="2026-11-22T21-00-00-full", profile="full")
    write_run(folder, later, [process("salsa20-poly1305", [sample("expandkey", 300)], info=later)], finish=False)
    return folder


@dataclass(frozen=True)
class Done:
    """The result of a call."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def cyclometer(results: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Return the command line, on the results above unless another folder is given."""
    monkeypatch.setenv("COLUMNS", "160")

    def call(*arguments: str, folder: Path = results) -> Done:
        monkeypatch.setattr(sys, "argv", ["cyclometer", *arguments, "--results", str(folder)])
        with pytest.raises(SystemExit) as ended:
            main()
        result = capsys.readouterr()
        return Done(returncode=int(ended.value.code or 0), stdout=result.out, stderr=result.err)

    return call


def values(output: str) -> dict[tuple[str, str, str], float]:
    """Map (table, primitive, column) to the value in CSV output."""
    lines = csv.DictReader(io.StringIO(output))
    return {(line["table"], line["primitive"], line["column"]): float(line["value"]) for line in lines}


def test_a_system_that_failed_altogether_is_named(tmp_path: Path, cyclometer: Call) -> None:
    info = run_info(primitives=PRIMITIVES)
    untimed = Failure(
        stage="measure",
        subject=subject("rc4-poly1305"),
        kind=FailureKind.WRONG_WHEN_TIMED,
        reason="a timed call does not compute what it should",
    )
    measured = process("aes-128-gcm", [sample("empty", 0), sample("expandkey", 300)], info=info)
    write_run(tmp_path, info, [measured], failures=[untimed])
    expected = "1 implementation could not be used here: rc4-poly1305"
    assert expected in cyclometer("table", folder=tmp_path).stdout
    assert expected not in cyclometer("table", "aes-128-gcm", folder=tmp_path).stdout


def test_the_last_run_is_printed_by_default(cyclometer: Call) -> None:
    done = cyclometer("table")
    assert done.returncode == 0
    for title in (
        "Cycles to encrypt a packet",
        "Cycles to decrypt a packet",
        "Cycles to reject a packet",
        "Cycles to encrypt a 576-byte packet, by the number of active keys",
        "Cycles to expand a key",
        "The chosen tunings",
    ):
        assert title in done.stdout
    assert "by machine" not in done.stdout.replace("The chosen tunings, by machine", "")
    assert (
        "1 implementation could not be used here: aes-128-gcm avx512: needs avx512f; --failures lists all"
        in done.stdout
    )


def test_one_view_in_csv_has_the_numbers_that_were_measured(cyclometer: Call) -> None:
    found = values(cyclometer("table", "--by", "length", "--measure", "encrypt", "--format", "csv").stdout)
    expected = {("length", name, str(n)): a + b * n for name, (a, b) in SYSTEMS.items() for n in LENGTHS}
    assert found == pytest.approx(expected)


def test_keys_with_the_size_of_an_expanded_key(cyclometer: Call) -> None:
    found = values(cyclometer("table", "aes-128-gcm", "--by", "keys", "--format", "csv").stdout)
    columns = {column: value for (_, _, column), value in found.items()}
    assert columns == pytest.approx({"1": 876, "32": 908, "8192": 9068, "expanded key bytes": 176})


def test_requested_lengths_and_units(cyclometer: Call) -> None:
    arguments = [
        "table",
        "aes-128-gcm",
        "--by",
        "length",
        "--measure",
        "encrypt",
        "--format",
        "csv",
        "--length",
        "8192",
    ]
    per_byte = values(cyclometer(*arguments, "--per-byte").stdout)
    assert per_byte == pytest.approx({("length", "aes-128-gcm", "8192"): 8492 / 8192})
    megabytes = values(cyclometer(*arguments, "--mbps").stdout)
    assert megabytes == pytest.approx({("length", "aes-128-gcm", "8192"): 8192 / (8492 / 3000)})


def test_a_length_between_measured_ones_is_interpolated_and_marked(cyclometer: Call) -> None:
    """The costs of this run lie on a line, so the interpolated ones are known."""
    arguments = ["table", "--by", "length", "--measure", "encrypt", "--length", "576,1400"]
    found = values(cyclometer(*arguments, "--format", "csv").stdout)
    expected = {("length", name, str(n)): a + b * n for name, (a, b) in SYSTEMS.items() for n in (576, 1400)}
    assert found == pytest.approx(expected)
    shown = cyclometer(*arguments).stdout
    assert "≈876" not in shown
    assert "≈1700" in shown  # aes-128-gcm: 300 + 1400, and 576 was measured
    assert "straight line between the measured lengths 576 and 1500" in shown


def test_a_length_beyond_the_measured_ones_is_refused(cyclometer: Call) -> None:
    done = cyclometer("table", "--length", "9000")
    assert done.returncode == 2
    assert (
        "'9000' (not measured in the selected runs; the nearest is 8192; `cyclometer run --length 9000`" in done.stderr
    )


def test_a_length_below_those_of_a_measure_is_refused(cyclometer: Call, tmp_path: Path) -> None:
    """Expanding a key has the length 0, which says nothing of encrypting."""
    info = run_info()
    rows = [sample("empty", 0), sample("expandkey", 500), *(sample("encrypt", 900 + n, n) for n in (90, 1300))]
    write_run(tmp_path, info, [process("aes-128-gcm", rows, round=number, info=info) for number in range(3)])
    for arguments in (["--length", "50", "--measure", "encrypt"], ["--length", "50"], ["--length", "1301"]):
        done = cyclometer("table", *arguments, folder=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"`cyclometer run --length {arguments[1]}` measures it" in done.stderr
    assert "≈" in cyclometer("table", "--length", "91", "--measure", "encrypt", folder=tmp_path).stdout


def test_one_row_is_called_one(cyclometer: Call) -> None:
    assert "the first row of at most" in cyclometer("table", "--top", "1").stdout
    assert "the first 2 rows of at most 3" in cyclometer("table", "--top", "2").stdout


def test_many_keys_at_a_length_that_only_one_key_has_are_refused(cyclometer: Call) -> None:
    """With several keys only 576 bytes were measured: there is no line to be on."""
    shown = cyclometer("table", "--by", "keys", "--length", "1400").stdout
    assert "8192" not in shown
    assert "≈1700" in shown


@pytest.mark.parametrize(
    ("wish", "left"),
    [
        (["--unbroken"], {"salsa20-poly1305", "aes-128-gcm"}),
        (["--min-security", "128"], {"salsa20-poly1305", "aes-128-gcm"}),
        (["--min-security", "129"], {"salsa20-poly1305"}),
        (["aes-*", "rc4-poly1305"], {"aes-128-gcm", "rc4-poly1305"}),
        (["crypto_aead/rc4-poly1305"], {"rc4-poly1305"}),
    ],
)
def test_systems_are_chosen_by_name_or_by_security(cyclometer: Call, wish: list[str], left: set[str]) -> None:
    found = values(cyclometer("table", *wish, "--by", "expandkey", "--format", "csv").stdout)
    assert {primitive for _, primitive, _ in found} == left


def test_a_system_without_a_declared_security_is_left_out_with_a_note(tmp_path: Path, cyclometer: Call) -> None:
    info = run_info(primitives={"crypto_aead/known": {"security_bits": 128, "attacks": []}})
    write_run(tmp_path, info, [process(name, cycles={("expandkey", 0): 100}) for name in ("known", "silent")])
    done = cyclometer("table", "--min-security", "100", "--by", "expandkey", folder=tmp_path)
    assert "silent left out: it declares no security level" in done.stdout


@pytest.mark.parametrize("format", ["terminal", "csv", "json", "markdown", "latex"])
def test_every_format_is_written(cyclometer: Call, format: str) -> None:
    done = cyclometer("table", "--format", format, "--quartiles", "--sort", "name", "--failures")
    assert (done.returncode, done.stderr) == (0, "")
    assert "needs avx512f" in done.stdout
    if format == "json":
        assert len(json.loads(done.stdout)["tables"]) == 8


def test_an_interrupted_run_can_be_shown(cyclometer: Call) -> None:
    done = cyclometer("table", "--run", "2026-11-22T21-00-00-full", "--by", "expandkey", "--format", "csv")
    assert {primitive for _, primitive, _ in values(done.stdout)} == {"salsa20-poly1305"}


def test_runs_are_listed_with_their_state(cyclometer: Call) -> None:
    done = cyclometer("runs")
    complete, interrupted = (line for line in done.stdout.splitlines() if "2026-" in line)
    assert "complete" in complete
    assert all(word in complete for word in ("box", "2026-11-21T21-00-00-quick", "quick"))
    assert "--resume" in interrupted


def test_an_unreadable_run_is_listed_and_does_not_hide_the_others(tmp_path: Path, cyclometer: Call) -> None:
    write_run(tmp_path, run_info(), [process("x", cycles={("expandkey", 0): 100})])
    broken = write_run(tmp_path, run_info(run="2026-11-23T21-00-00-quick"))
    (broken / "run.json").write_text("{")
    done = cyclometer("runs", folder=tmp_path)
    assert done.returncode == 0
    assert "unreadable" in done.stdout
    assert "not JSON" in done.stdout
    assert cyclometer("table", folder=tmp_path).returncode == 0


BAD_INPUT = {
    ("table", "salsa20-poly1035"): "unknown system 'salsa20-poly1035'; did you mean 'salsa20-poly1305'?",
    ("table", "--by", "lenght"): "unknown view 'lenght'; did you mean 'length'?",
    ("table", "--measure", "encrpyt"): "unknown measure 'encrpyt'; did you mean 'encrypt'?",
    ("table", "--format", "jason"): "unknown format 'jason'; did you mean 'json'?",
    ("table", "--length", "forty"): "--length 'forty' is not a list of lengths",
    ("table", "--length", "-1"): "--length '-1' is not a list of lengths",
    (
        "table",
        "--length",
        "8193",
    ): "unknown length '8193' (not measured in the selected runs; the nearest is 8192; `cyc",
    ("table", "--run", "2026-11-21T21-00-00-quack"): "unknown run '2026-11-21T21-00-00-quack'; did you mean",
    ("table", "--machine", "boxx"): "unknown machine 'boxx'; did you mean 'box'?",
    ("table", "--sort", "8129"): "unknown column to sort by '8129'; did you mean '8192'?",
    ("table", "--min-security", "300"): "no measured system is secure enough",
}


def test_what_a_ranking_measured_for_itself_is_not_the_last_run(cyclometer: Call, tmp_path: Path) -> None:
    for run, system in (("mine", "hare"), ("workload", "tortoise")):
        command = ("cyclometer", "rank", "imix") if run == "workload" else ("cyclometer", "run")
        info = run_info(run=f"2026-11-2{len(run)}T21-00-00-{run}", command=command)
        write_run(tmp_path, info, [process(system, [sample("encrypt", 300, 40)], info=info)])
    assert "hare" in cyclometer("table", folder=tmp_path).stdout
    assert "tortoise" not in cyclometer("table", folder=tmp_path).stdout
    assert "tortoise" in cyclometer("table", "--all", folder=tmp_path).stdout
    assert "tortoise" in cyclometer("table", "./tortoise", "--run", "*-workload", folder=tmp_path).stdout


@pytest.mark.parametrize("arguments", BAD_INPUT, ids=" ".join)
def test_bad_input_is_one_line_and_exit_status_2(cyclometer: Call, arguments: tuple[str, ...]) -> None:
    done = cyclometer(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"cyclometer: {BAD_INPUT[arguments]}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("subcommand", ["table", "runs"])
def test_without_any_run_the_remedy_is_named(tmp_path: Path, cyclometer: Call, subcommand: str) -> None:
    done = cyclometer(subcommand, folder=tmp_path / "none")
    assert done.returncode == 2
    assert "start one with `cyclometer run`" in done.stderr


def test_a_complete_run_with_a_damaged_file_is_one_line(tmp_path: Path, cyclometer: Call) -> None:
    folder = write_run(tmp_path, run_info(), [process("x", cycles={("encrypt", 576): 100})])
    content = (folder / "samples.parquet").read_bytes()
    (folder / "samples.parquet").write_bytes(content[:200] + bytes(300) + content[500:])
    done = cyclometer("table", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("cyclometer: cannot read ")
    assert done.stderr.count("\n") == 1


def test_top_keeps_the_first_rows_and_says_so(cyclometer: Call) -> None:
    shown = cyclometer("table", "--measure", "encrypt", "--top", "2", "--format", "json")
    content = json.loads(shown.stdout)
    names = [row["primitive"] for row in content["tables"][0]["rows"]]
    assert names == ["aes-128-gcm", "salsa20-poly1305"], "the fastest come first"
    assert "the first 2 rows of at most 3" in " ".join(content["notes"])


def test_on_a_terminal_long_output_goes_through_the_pager(results: Path) -> None:
    """What is no terminal, such as a file, never does."""
    command = [sys.executable, "-m", "cyclometer", "table", "--results", str(results)]
    variables = os.environ | {"PAGER": "sed s/^/paged:/"}
    terminal, inside = pty.openpty()
    subprocess.run(command, env=variables, stdout=inside, check=True)
    os.close(inside)
    assert b"paged:" in os.read(terminal, 65536)
    os.close(terminal)
    piped = subprocess.run(command, env=variables, capture_output=True, check=True).stdout
    assert b"paged:" not in piped
    assert b"aes-128-gcm" in piped
