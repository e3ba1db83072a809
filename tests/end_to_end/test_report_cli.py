# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer report` and `cyclometer serve` as a user types them, over stored runs."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cyclometer.store import RunWriter
from support.command_line import CommandLine
from support.live_site import SECONDS, get, served
from support.synthetic import process, run_info, sample, write_run

LENGTHS = (0, 40, 402, 576, 1500, 8192)
SYSTEMS = {"salsa20-poly1305": 4.03, "aes-128-gcm": 1.07, "rc4-poly1305": 7.1}


@pytest.fixture
def report(cyclometer: CommandLine) -> CommandLine:
    """Return the command with one run in its results folder."""
    info = run_info()
    for_each = [
        process(
            name,
            [
                sample("empty", 0),
                *(
                    sample(measure, 900 + number + per_byte * length, length)
                    for measure in ("encrypt", "decrypt", "reject")
                    for length in LENGTHS
                ),
                *(sample("encrypt", 4000 + keys, 576, keys=keys) for keys in (32, 2048)),
            ],
            round=number,
            info=info,
        )
        for name, per_byte in SYSTEMS.items()
        for number in range(3)
    ]
    write_run(cyclometer.results, info, for_each)
    return cyclometer


def wait_for(happened: Callable[[], bool]) -> None:
    for _ in range(SECONDS * 5):
        if happened():
            return
        time.sleep(0.2)
    raise AssertionError("it never happened")


def test_the_report_has_the_numbers_that_table_prints(report: CommandLine, tmp_path: Path) -> None:
    result = report("report", "-o", tmp_path / "site")
    assert result.status == 0, result.stderr
    assert str(tmp_path / "site" / "index.html") in result.stdout
    tables = json.loads(report("table", "--format", "json").stdout)["tables"]
    page = (tmp_path / "site" / "tables.html").read_text()
    on_page = re.findall(r'<td class="number[^"]*" data-value="([^"]+)">', page)
    figures = [figure["value"] for table in tables for row in table["rows"] for figure in row["figures"] if figure]
    for value in figures:
        assert isinstance(value, str) or f"{value:.6g}" in on_page
    assert len(figures) >= len(SYSTEMS) * len(LENGTHS)


def test_a_machine_and_runs_can_be_chosen_as_for_table(report: CommandLine, tmp_path: Path) -> None:
    other = run_info(machine="other", run="2026-11-22T21-00-00-quick")
    write_run(report.results, other, [process("hc-128-poly1305", cycles={("encrypt", 576): 3000}, info=other)])
    assert report("report", "-o", tmp_path / "one", "--machine", "box").status == 0
    assert report("report", "-o", tmp_path / "both", "--all").status == 0
    machines = {name: {path.stem for path in (tmp_path / name / "machines").iterdir()} for name in ("one", "both")}
    assert machines == {"one": {"box"}, "both": {"box", "other"}}


def test_only_secure_systems_are_in_report_and_plots(cyclometer: CommandLine, tmp_path: Path) -> None:
    attack = {"year": 2013, "breaks": "keystream", "cost": "2^26", "remaining_bits": 26, "citation": "AlFardan"}
    levels = {
        "salsa20-poly1305": {"security_bits": 256},
        "rc4-poly1305": {"security_bits": 128, "attacks": [attack]},
        "home-made": {},
    }
    info = run_info(primitives={f"crypto_aead/{name}": level for name, level in levels.items()})
    points = {("encrypt", length): 1000.0 + length for length in LENGTHS}
    write_run(cyclometer.results, info, [process(name, cycles=points, info=info) for name in levels])
    assert cyclometer("report", "-o", tmp_path / "site", "--min-security", "100").status == 0
    assert {path.stem for path in (tmp_path / "site/systems/crypto_aead").iterdir()} == {"salsa20-poly1305"}
    assert cyclometer("report", "-o", tmp_path / "site", "--unbroken").status == 0
    unbroken = {"salsa20-poly1305", "home-made"}
    assert {path.stem for path in (tmp_path / "site/systems/crypto_aead").iterdir()} == unbroken
    picture = tmp_path / "few.svg"
    assert cyclometer("plot", "overview", "-o", picture, "--min-security", "100").status == 0
    assert "salsa20-poly1305" in picture.read_text()
    assert "rc4-poly1305" not in picture.read_text()
    for command in (["report", "-o", tmp_path / "none"], ["plot", "overview"], ["table"]):
        cyclometer(*command, "--min-security", "500").complains("secure", "--min-security")
    assert not (tmp_path / "none").exists()


def test_bad_input_is_one_line(report: CommandLine, tmp_path: Path) -> None:
    report("report", "--machine", "bax").complains("unknown machine 'bax'", "did you mean 'box'")
    report("report", "--run", "1999*").complains("unknown run '1999*'")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("x")
    report("report", "-o", tmp_path / "full").complains("not empty", "-o")
    report("report", "-o", tmp_path / "full" / "thesis.txt").complains("is a file")
    report("report", "-o", tmp_path / "full" / "thesis.txt" / "site").complains("cannot write")
    report("report", "--results", tmp_path / "nowhere").complains("no run in", "cyclometer run")


def test_a_damaged_run_is_one_line_and_leaves_the_old_report(report: CommandLine, tmp_path: Path) -> None:
    assert report("report", "-o", tmp_path / "site").status == 0
    before = (tmp_path / "site" / "tables.html").read_text()
    samples = next(report.results.glob("*/*/samples.parquet"))
    content = samples.read_bytes()
    middle = len(content) // 3
    samples.write_bytes(content[:middle] + bytes(middle) + content[2 * middle :])
    report("report", "-o", tmp_path / "site", "--run", run_info().run).complains(str(samples.parent.name))
    assert (tmp_path / "site" / "tables.html").read_text() == before
    assert not list(tmp_path.glob(".site*"))


def test_a_run_of_a_newer_format_is_reported(report: CommandLine, tmp_path: Path) -> None:
    file = next(report.results.glob("*/*/run.json"))
    file.write_text(json.dumps({**json.loads(file.read_text()), "format": 99}))
    report("report", "-o", tmp_path / "site", "--run", run_info().run).complains("format 99", "newer")


def test_the_report_is_served_and_follows_the_results(cyclometer: CommandLine) -> None:
    """Before there is anything, during a run and after it; an earlier report would be followed by a rest."""
    with served(cyclometer) as (address, _):
        assert "Nothing measured yet" in get(address)
        info = run_info()
        with RunWriter.start(cyclometer.results, info) as writer:
            writer.add_samples("a", process("trivium-poly1305", cycles={("encrypt", 576): 1234}, info=info))
            wait_for(lambda: "trivium-poly1305" in get(address))
            assert "is under way" in get(address)
            writer.finish()
        wait_for(lambda: "is under way" not in get(address))
        assert "trivium-poly1305" in get(address)
        assert json.loads(get(address + "live.json"))["version"] >= 2


def test_a_port_in_use_is_one_line(report: CommandLine) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        report("serve", "--port", str(port)).complains(f"cannot serve on port {port}", "--port")
