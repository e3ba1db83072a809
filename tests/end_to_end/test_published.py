# SPDX-License-Identifier: MIT OR Apache-2.0
"""`cyclometer published` and its page of the web report."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from cyclometer.records.columns import array_of, with_constants
from cyclometer.records.placement import PLACEMENT
from support.command_line import CommandLine
from support.small_tree import SmallTree
from support.synthetic import OVERHEAD, process, run_info, sample, write_run


@pytest.fixture
def measured(tree: SmallTree, cyclometer: CommandLine) -> CommandLine:
    """Store a run of two systems of 2007 in a tree with the published figures."""
    tree.copy("published")
    cycles = {("encrypt", 40): 500.0, ("decrypt", 576): 900.0}
    parts = [process(name, cycles=cycles) for name in ("salsa20-poly1305", "rc4-poly1305")]
    write_run(cyclometer.results, run_info(), parts)
    return cyclometer


def test_figures_of_2007_beside_ours(measured: CommandLine) -> None:
    result = measured("published", "S0", "--then", "katana", "--format", "csv")
    assert result.status == 0, result.stderr
    lines = [line for line in csv.DictReader(io.StringIO(result.stdout)) if line["row"] == "salsa20-poly1305"]
    then, now, ratio = (float(line["value"]) for line in lines if line["unit"])
    assert (now, ratio) == (900.0, pytest.approx(then / 900))
    assert "S0: D. J. Bernstein" in measured("published").stdout


def test_timings_after_an_eviction_are_beside_ours_of_the_same_call_site(measured: CommandLine) -> None:
    """The document's second call site has a first timing of 23,589 cycles and settles at 5,207."""
    info = run_info(run="2026-11-23T21-00-00-quick", contracts={"crypto_nonceauth": "c0ffee"})
    timings = [4000 + OVERHEAD, 1600 + OVERHEAD, 1500 + OVERHEAD, *[1400 + OVERHEAD] * 17]
    rows = [sample("verify", 0, 1024, alignment=1, series=timings), sample("empty", 0)]
    placed = process("poly1305-aes", rows, operation="crypto_nonceauth", info=info)
    placed = with_constants(placed, {"call_site": 2, "trial": 1}, PLACEMENT)
    placed["cold"] = array_of(PLACEMENT["cold"], ["code", ""])
    ordinary = process("poly1305-aes", cycles={("verify", 1024): 1400}, operation="crypto_nonceauth", info=info)
    write_run(measured.results, info, [ordinary, placed])
    result = measured("published", "S2", "--run", info.run, "--format", "csv")
    assert result.status == 0, result.stderr
    lines = [line for line in csv.DictReader(io.StringIO(result.stdout)) if line["row"] == "poly1305-aes site 2"]
    found = [(float(line["value"]), line["column"]) for line in lines if line["column"] in ("then", "now")]
    assert (23589, "then") in found
    assert [value for value, column in found if column == "now"] == [4000, 1600, 1500, 1400]


def test_the_page_of_the_report(measured: CommandLine, tmp_path: Path) -> None:
    assert measured("report", "-o", tmp_path / "site").status == 0
    page = (tmp_path / "site/published.html").read_text(encoding="utf-8")
    assert "S0, encrypt by length: encrypt, 40 bytes" in page
    assert "rc4-poly1305" in page


def test_bad_input(measured: CommandLine, tree: SmallTree) -> None:
    measured("published", "S9").complains("unknown document 'S9'", "S0")
    measured("published", "--then", "katanna").complains("did you mean 'katana'")
    measured("published", "--measure", "encript").complains("did you mean 'encrypt'")
    measured("published", "S2").complains("no figure of S2; `cyclometer published --help`")
    (tree / "published/documents.toml").unlink()
    measured("published").complains("documents.toml: no such file")
