# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer plot` as a user types it, over stored runs."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cyclometer.cli import main
from cyclometer.records.run import Size
from support.synthetic import process, run_info, sample, subject, write_run

Call = Callable[..., "Done"]

LENGTHS = (0, 40, 402, 576, 1500, 8192)
SYSTEMS = {"salsa20-poly1305": (1200, 1.0), "aes-128-gcm": (300, 3.0)}


def quick(machine: str, slower: float) -> tuple[object, list[object]]:
    """Make a quick run of two systems."""
    info = run_info(machine=machine)
    processes = []
    for name, (fixed, per_byte) in SYSTEMS.items():
        rows = [sample("empty", 0), sample("expandkey", slower * fixed)]
        for measure in ("encrypt", "decrypt", "reject"):
            rows += [sample(measure, slower * (fixed + per_byte * length), length) for length in LENGTHS]
        rows += [sample("encrypt", slower * (fixed + per_byte * 576 + keys), 576, keys=keys) for keys in (32, 8192)]
        processes += [process(name, rows, round=number, info=info) for number in range(3)]
    return info, processes


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store the same quick run on two machines, one of them half as fast."""
    folder = tmp_path_factory.mktemp("results")
    sizes = [Size(subject=subject(name), name="expanded_key_bytes", value=176) for name in SYSTEMS]
    for machine, slower in (("box", 1), ("snail", 2)):
        info, processes = quick(machine, slower)
        write_run(folder, info, processes, sizes=sizes)  # type: ignore[arg-type]
    return folder


@dataclass(frozen=True)
class Done:
    """The result of a call."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def cyclometer(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Call:
    """Return the command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str, folder: Path = results) -> Done:
        monkeypatch.setattr(sys, "argv", ["cyclometer", *arguments, "--results", str(folder)])
        with pytest.raises(SystemExit) as ended:
            main()
        result = capsys.readouterr()
        return Done(returncode=int(ended.value.code or 0), stdout=result.out, stderr=result.err)

    return call


def size(path: Path) -> tuple[int, int]:
    """Return width and height of a PNG file in pixels."""
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    across, down = struct.unpack(">II", content[16:24])
    return across, down


def test_a_sheet_is_as_wide_as_a_page_of_print(cyclometer: Call, tmp_path: Path) -> None:
    done = cyclometer("plot", "sheet", "--machine", "box")
    assert (done.returncode, done.stdout, done.stderr) == (0, "sheet.png\n", "")
    assert size(tmp_path / "sheet.png")[0] == 2130  # 7.1 inches of 300 dots


def test_one_system_is_one_file_as_wide_as_a_column(cyclometer: Call, tmp_path: Path) -> None:
    done = cyclometer("plot", "system", "aes-128-gcm", "--machine", "box", "-o", "aes.png")
    assert (done.returncode, done.stdout) == (0, "aes.png\n")
    assert size(tmp_path / "aes.png")[0] == 1050


def test_several_systems_are_several_files(cyclometer: Call, tmp_path: Path) -> None:
    done = cyclometer("plot", "system", "--machine", "box", "-o", "graph.svg")
    assert done.stdout.split() == ["graph-aes-128-gcm-box.svg", "graph-salsa20-poly1305-box.svg"]
    assert all(b"<svg" in (tmp_path / name).read_bytes() for name in done.stdout.split())


def test_a_pdf_has_a_page_for_each(cyclometer: Call, tmp_path: Path) -> None:
    assert cyclometer("plot", "system", "--all", "-o", "graph.pdf").stdout == "graph.pdf\n"
    assert (tmp_path / "graph.pdf").read_bytes().count(b"/Type /Page ") == 4


def test_the_crossover_is_printed_in_the_plot(cyclometer: Call, tmp_path: Path) -> None:
    # 1200 + n = 300 + 3 n at n = 450, between 402 and 576
    arguments = ["--machine", "box", "--measure", "encrypt", "--up-to", "1500", "-o", "cut.svg"]
    assert cyclometer("plot", "overlay", *arguments).stdout == "cut.svg\n"
    text = (tmp_path / "cut.svg").read_text()
    assert "<!-- aes-128-gcm and salsa20-poly1305: " in text
    assert "salsa20-poly1305 from 576 on (402 to 576 undecided)" in text


def test_machines_takes_the_last_run_of_each_by_default(cyclometer: Call, tmp_path: Path) -> None:
    assert cyclometer("plot", "machines", "-o", "m.svg").returncode == 0
    text = (tmp_path / "m.svg").read_text()
    assert "<!-- box -->" in text
    assert "<!-- snail -->" in text


@pytest.mark.parametrize("kind", ["keys", "overview"])
def test_the_requested_length_is_plotted(cyclometer: Call, tmp_path: Path, kind: str) -> None:
    assert cyclometer("plot", kind, "--length", "576", "-o", "x.svg").returncode == 0
    assert "576" in (tmp_path / "x.svg").read_text()


@pytest.mark.parametrize("kind", ["overview", "machines"])
def test_a_length_between_measured_ones_is_interpolated_and_says_so(
    cyclometer: Call, tmp_path: Path, kind: str
) -> None:
    assert cyclometer("plot", kind, "--length", "577", "-o", "x.svg").returncode == 0
    text = (tmp_path / "x.svg").read_text()
    assert "≈577" in text
    assert "≈ interpolated between 576 and " in text


BAD_INPUT = {
    ("plot", "sheets"): "unknown plot 'sheets'; did you mean 'sheet'?",
    ("plot", "sheet", "aes-128-gmc"): "unknown system 'aes-128-gmc'; did you mean 'aes-128-gcm'?",
    ("plot", "sheet", "-o", "x.gif"): "unknown format 'gif'",
    ("plot", "sheet", "-o", "x"): "'x' has no suffix",
    ("plot", "sheet", "-o", "no/such/folder.png"): "cannot write no/such/folder.png: No such file or directory",
    ("plot", "sheet", "--measure", "encrpyt"): "unknown measure 'encrpyt'; did you mean 'encrypt'?",
    ("plot", "overview", "--length", "99999"): (
        "unknown length '99999' (not measured in the runs chosen; the nearest is "
    ),
    ("plot", "sheet", "--length", "576"): (
        "--length 576: sheet shows every length; leave it out, or end the axis by --up-to N"
    ),
    ("plot", "sheet", "--machine", "snale"): "unknown machine 'snale'; did you mean 'snail'?",
    ("plot", "machines", "--machine", "box"): "all selected runs are of one machine",
    ("plot", "system", "--measure", "expandkey"): "the selected runs have no such measurements at several lengths",
    ("plot", "keys", "--measure", "decrypt"): "the selected runs have no such measurements with several active keys",
    ("plot", "overview", "--up-to", "-1"): "Invalid value for '--up-to'",
    ("plot", "overlay", "--up-to", "0"): "Invalid value for '--up-to'",
    **{
        ("plot", kind, "--up-to", "10"): "--up-to 10 leaves nothing to draw; a line needs two lengths: at least 40"
        for kind in ("system", "sheet", "overlay")
    },
}


@pytest.mark.parametrize("arguments", BAD_INPUT, ids=" ".join)
def test_bad_input_is_one_line_and_leaves_no_file(cyclometer: Call, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = cyclometer(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"cyclometer: {BAD_INPUT[arguments]}")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_without_any_run_the_remedy_is_named(tmp_path: Path, cyclometer: Call) -> None:
    done = cyclometer("plot", "sheet", folder=tmp_path / "none")
    assert done.returncode == 2
    assert "start one with `cyclometer run`" in done.stderr
