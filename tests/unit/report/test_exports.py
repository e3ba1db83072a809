# SPDX-License-Identifier: MIT OR Apache-2.0
"""Exports, read back as the documents of their formats specify."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cyclometer.report.exports
from cyclometer.analyse import prepare
from cyclometer.analyse.estimate.rounds import exported
from cyclometer.discover import foreign_operations
from cyclometer.errors import UnknownName
from cyclometer.report.exports import export_names, exporter, summaries
from cyclometer.report.exports.supercop import stq2
from cyclometer.store import connect, select_runs
from support.small_tree import REPOSITORY
from support.synthetic import process, run_info, sample, write_run

FOREIGN = foreign_operations(REPOSITORY)

Write = Callable[..., tuple[str, list[str]]]

# https://go.dev/design/14313-benchmark-format: a name of Benchmark and no lower-case letter, an iteration count,
# pairs of value and unit.
GO_LINE = re.compile(r"^(Benchmark[^a-z\s]\S*)[ \t]+([1-9]\d*)((?:[ \t]+[-+.0-9eE]+[ \t]+\S+)+)$")
GO_KEY = re.compile(r"^[a-z][^\sA-Z]*: \S.*$")
GO_UNIT = re.compile(r"^Unit \S+( \S+=\S+)+$")

# 1000 and 1200 cycles to encrypt, 26 cycles the empty call, 3 GHz.
ROWS = [
    [sample("empty", 0), sample("encrypt", 1000, 576), sample("encrypt", 1500, 576, keys=32)],
    [sample("empty", 0), sample("encrypt", 1200, 576), sample("encrypt", 1500, 576, keys=32)],
]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that exports two rounds of one system with its control."""
    parts = [process("aes-128-gcm", rows, round=number) for number, rows in enumerate(ROWS)]
    parts.append(process("aes-128-gcm", ROWS[0], control=True))
    facts = {"key_bytes": 16, "nonce_bytes": 12, "tag_bytes": 16, "security_bits": 128}
    info = run_info(
        facts={"cpu": "Example CPU", "cores": "2 logical", "microarchitecture": "icelake"},
        primitives={"crypto_aead/aes-128-gcm": facts},
    )
    write_run(tmp_path, info, parts)

    def call(name: str) -> tuple[str, list[str]]:
        data, notes = call_bytes(name)
        return data.decode(), notes

    def call_bytes(name: str) -> tuple[bytes, list[str]]:
        stored = select_runs(tmp_path, everything=True)
        infos = [entry.info for entry in stored if entry.info]
        with connect(stored) as connection:
            prepare(connection, infos)
            stream = io.BytesIO()
            notes = exporter(name)(exported(connection, infos, FOREIGN), stream)
        return stream.getvalue(), notes

    call.bytes = call_bytes  # type: ignore[attr-defined]
    return call


def test_every_file_is_a_format() -> None:
    folder = Path(cyclometer.report.exports.__file__).parent
    files = {file.stem.replace("_", "-") for file in folder.glob("[!_]*.py")}
    assert set(export_names()) == files
    assert set(summaries()) == files
    assert {"csv", "parquet", "benchstat", "google-benchmark", "github-action-benchmark", "supercop"} <= files


def test_an_unknown_format_is_reported_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'benchstat'"):
        exporter("benchstats")


def test_csv_has_every_sample_with_its_series(write: Write) -> None:
    text, notes = write("csv")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert len(lines) == 9
    assert not notes
    [line] = [each for each in lines if each["round"] == "1" and each["measure"] == "encrypt" and each["keys"] == "1"]
    assert line["series"] == " ".join(["1224"] * 15)
    assert float(line["cycles"]) == 1200  # the overhead of 24 is subtracted
    assert line["disturbed"] == "false"
    assert {each["cycles"] for each in lines if each["measure"] == "empty"} == {""}
    assert {each["control"] for each in lines} == {"true", "false"}


def test_parquet_has_the_columns_of_the_store(write: Write) -> None:
    data, _ = write.bytes("parquet")  # type: ignore[attr-defined]
    table = pq.read_table(io.BytesIO(data))
    assert table.num_rows == 9
    assert {"run", "machine", "series", "sequence", "cycles", "disturbed"} <= set(table.column_names)
    assert table.schema.field("series").type == pa.list_(pa.int64())


def test_benchstat_lines_follow_the_go_format(write: Write) -> None:
    text, _ = write("benchstat")
    results = [found for line in text.splitlines() if (found := GO_LINE.match(line))]
    others = [line for line in text.splitlines() if line and not GO_LINE.match(line)]
    assert all(GO_KEY.match(line) or GO_UNIT.match(line) for line in others), others
    one_key = [found for found in results if "keys=1/" in found[1]]
    assert [found[3].split() for found in one_key] == [["1000", "core-cycles/op"], ["1200", "core-cycles/op"]]
    assert [found[2] for found in one_key] == ["15", "15"]
    assert len({found[1] for found in one_key}) == 1  # rounds of one function share its name
    assert len(results) == 4  # two functions, two rounds; no control
    assert not any(re.search(r"-\d+$", found[1]) for found in results)  # would be read as a number of processors
    assert "machine: box" in others


def test_google_benchmark_json(write: Write) -> None:
    text, notes = write("google-benchmark")
    content: dict[str, Any] = json.loads(text)
    assert not notes
    assert {"date", "host_name", "executable", "num_cpus", "mhz_per_cpu", "caches", "load_avg"} <= set(
        content["context"]
    )
    assert content["context"]["num_cpus"] == 2
    assert content["context"]["mhz_per_cpu"] == 3000
    for each in content["benchmarks"]:
        assert {"name", "run_name", "run_type", "repetitions", "threads", "iterations", "real_time", "cpu_time",
                "time_unit", "family_index", "per_family_instance_index"} <= set(each)  # fmt: skip
    name = "crypto_aead/aes-128-gcm/encrypt/576"  # without the tuning, which is the label
    here = [each for each in content["benchmarks"] if each["run_name"] == name]
    assert {each["label"] for each in here} == {"ref gcc-O3"}
    repetitions = [each for each in here if each["run_type"] == "iteration"]
    assert [each["repetition_index"] for each in repetitions] == [0, 1]
    assert [each["cycles"] for each in repetitions] == [1000, 1200]
    assert repetitions[0]["real_time"] == pytest.approx(1000 / 3)  # ns at 3 GHz
    assert repetitions[0]["bytes_per_second"] == pytest.approx(576 * 3e9 / 1000)
    aggregates = {each["aggregate_name"]: each for each in here if each["run_type"] == "aggregate"}
    assert set(aggregates) == {"mean", "median", "stddev", "cv"}
    assert aggregates["median"]["cycles"] == 1100
    assert aggregates["stddev"]["cycles"] == pytest.approx(141.42, abs=0.01)
    assert aggregates["cv"]["real_time"] == pytest.approx(0.12856, abs=1e-4)


def test_google_benchmark_needs_a_clock(write: Write, tmp_path: Path) -> None:
    counter = {"name": "odd", "unit": "core cycles", "chain_cycles": 0}
    silent = run_info(run="2026-11-22T21-00-00-quick", counter=counter)
    write_run(tmp_path, silent, [process("rc4-poly1305", cycles={("encrypt", 576): 1}, info=silent)])
    text, notes = write("google-benchmark")
    assert "rc4" not in text
    assert notes == ["box 2026-11-22T21-00-00-quick left out: the clock rate of its counter is not recorded"]


def test_github_action_benchmark_json(write: Write) -> None:
    text, _ = write("github-action-benchmark")
    entries = {each["name"]: each for each in json.loads(text)}
    assert list(entries) == ["crypto_aead/aes-128-gcm/encrypt/576", "crypto_aead/aes-128-gcm/encrypt/576/keys:32"]
    one = entries["crypto_aead/aes-128-gcm/encrypt/576"]
    assert (one["value"], one["unit"], one["range"]) == (1100, "core cycles", "± 100.0")
    assert "2026-11-21T21-00-00-quick" in one["extra"]


def test_bencher_metric_format(write: Write) -> None:
    text, _ = write("bencher")
    content = json.loads(text)
    assert list(content) == ["crypto_aead/aes-128-gcm/encrypt/576", "crypto_aead/aes-128-gcm/encrypt/576/keys:32"]
    metric = {"value": 1100, "lower_value": 1000, "upper_value": 1200}
    assert content["crypto_aead/aes-128-gcm/encrypt/576"] == {"core-cycles": metric}


@pytest.mark.parametrize("name", ["google-benchmark", "github-action-benchmark", "bencher", "benchstat"])
def test_names_match_between_runs_that_chose_different_tunings(name: str, tmp_path: Path) -> None:
    """Another tool matches two runs by these names; that is checked with those tools' own matching rule, equality."""
    found = [_names_in(name, file.read_text(encoding="utf-8")) for file in _before_and_after(name, tmp_path)]
    assert found[0] == found[1] != set()


GOOGLE_COMPARE = Path("/usr/share/benchmark/compare.py")
"""google-benchmark's tool, as Debian's libbenchmark-tools installs it."""


@pytest.mark.skipif(not shutil.which("benchstat"), reason="benchstat is not installed")
def test_benchstat_itself_compares_every_benchmark(tmp_path: Path) -> None:
    before, after = _before_and_after("benchstat", tmp_path)
    command = ["benchstat", "-ignore", "machine,cpu,kernel,counter,run", "-format", "csv", before, after]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    compared = [line for line in done.stdout.splitlines() if "system=a" in line]
    assert len(compared) == 2
    assert all("+10.00%" in line for line in compared)


@pytest.mark.skipif(not GOOGLE_COMPARE.exists() or not find_spec("scipy"), reason="compare.py needs scipy")
def test_the_compare_py_of_google_benchmark_compares_every_benchmark(tmp_path: Path) -> None:
    before, after = _before_and_after("google-benchmark", tmp_path)
    command = [sys.executable, GOOGLE_COMPARE, "--no-color", "benchmarks", before, after]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    medians = [line for line in done.stdout.splitlines() if "_median" in line]
    assert [line.split()[0] for line in medians] == [f"crypto_aead/a/{m}/64_median" for m in ("decrypt", "encrypt")]
    assert all("+0.1000" in line for line in medians)


def _before_and_after(name: str, folder: Path) -> list[Path]:
    """Export two runs, the second of which chose another compiler and takes 10 % longer."""
    files = []
    for run, compiler, cycles in (("before", "gcc-O3", 1000.0), ("after", "clang-O2", 1100.0)):
        info, taken = run_info(run=run), {(measure, 64): cycles for measure in ("encrypt", "decrypt")}
        parts = [process("a", cycles=taken, compiler=compiler, info=info, round=n) for n in range(6)]
        write_run(folder / run, info, parts)
        stored = select_runs(folder / run)
        infos = [entry.info for entry in stored if entry.info]
        files.append(folder / f"{run}.{name}")
        with connect(stored) as connection, files[-1].open("wb") as stream:
            prepare(connection, infos)
            exporter(name)(exported(connection, infos, FOREIGN), stream)
    return files


def _names_in(name: str, text: str) -> set[str]:
    if name == "benchstat":
        return {line.split()[0] for line in text.splitlines() if line.startswith("Benchmark")}
    content = json.loads(text)
    entries = content["benchmarks"] if name == "google-benchmark" else content
    return set(entries) if name == "bencher" else {entry["name"] for entry in entries}


def test_supercop_lines(write: Write) -> None:
    text, notes = write("supercop")
    lines = [line.split(" ") for line in text.splitlines()]
    assert {tuple(line[:6]) for line in lines} == {
        ("cyclometer-0.1.0", "box", "amd64", "20261121", "crypto_aead", "aes-128-gcm/timingleaks")
    }
    result = {tuple(line[6:8]) for line in lines}
    assert {("keybytes", "16"), ("npubbytes", "12"), ("abytes", "16")} <= result
    assert not any("security" in kind for kind, _ in result)
    measured = [line[7:] for line in lines if line[6] == "encrypt_cycles"]
    assert measured == [["576", "1024", "+0" * 15], ["576", "1224", "+0" * 15]]  # raw: it includes the overhead
    assert sum(line[6] == "implementation" for line in lines) == 2  # one per process
    assert notes == ["2 samples left out: several active keys, or an alignment", "3 samples left out: the A/A control"]


def test_stq2_of_the_format_sheet() -> None:
    assert stq2([675, 427, 383, 405]) == 416  # positions 12 to 19 of 32: four times 405, four times 427
    assert stq2([7]) == 7


@pytest.mark.parametrize("name", export_names())
def test_an_empty_selection_is_an_empty_file_of_the_format(name: str, tmp_path: Path) -> None:
    write_run(tmp_path, run_info(), [process("a", cycles={("encrypt", 1): 1})])
    stored = select_runs(tmp_path)
    infos = [entry.info for entry in stored if entry.info]
    with connect(stored) as connection:
        prepare(connection, infos)
        stream = io.BytesIO()
        exporter(name)(exported(connection, infos, FOREIGN, "primitive = 'none'"), stream)
    if name in {"google-benchmark", "github-action-benchmark", "bencher"}:
        json.loads(stream.getvalue())
    if name == "parquet":
        assert pq.read_table(io.BytesIO(stream.getvalue())).num_rows == 0
