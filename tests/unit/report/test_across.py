# SPDX-License-Identifier: MIT OR Apache-2.0
"""The site over many machines: tables, orders that differ, histories, imported data, releases, downloads."""

from __future__ import annotations

import csv
import datetime
import gzip
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from cyclometer import paths
from cyclometer.cli._across import gathered
from cyclometer.discover import foreign_operations
from cyclometer.errors import CyclometerError
from cyclometer.report.across import build_across, digests_of, write_release
from cyclometer.report.site.build import silent_stage
from cyclometer.store import list_runs, select_runs
from cyclometer.store.importers import import_files
from support.synthetic import QUIET_LOAD, process, run_info, sample, write_run

HOSTILE = "<b>evil"
START = "20260330 vm amd64 20261121 crypto_aead aes128gcmv1/timingleaks"
SUPERCOP = f"""\
{START} implementation crypto_aead/aes128gcmv1/ref -
{START} cpucycles_persecond 2249998000
{START} cpucycles_implementation amd64-tsc
{START} compiler gcc_-O3 12.2.0
{START} encrypt_cycles 576 3000 +12-3+2+0+2-1+2+0-1+0+2-1+0+2-1
"""


def measure(results: Path, machine: str, day: int, aes: float, chacha: float) -> Path:
    """Store a run with an A/A control that is 1 % apart."""
    started = datetime.datetime(2026, 11, day, tzinfo=datetime.UTC)
    info = run_info(run=f"2026-11-{day}T00-00-00-quick", machine=machine, started=started, id=f"{machine}{day}")
    points = {(name, length): 1.0 for name in ("encrypt", "decrypt") for length in (40, 576)}
    systems = {"aes": aes, "chacha": chacha, HOSTILE: 9000.0}
    processes = [
        process(name, cycles={point: cycles * (1 + number / 1000) for point in points}, round=number, info=info)
        for name, cycles in systems.items()
        for number in range(5)
    ]
    twins = {point: aes * 1.01 for point in points}
    processes += [process("aes", cycles=twins, round=number, control=True, info=info) for number in range(5)]
    return write_run(results, info, processes)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Measure on four machines, import what SUPERCOP measured on a fifth, release, measure again, build the site."""
    home = tmp_path_factory.mktemp("across")
    results, releases, site = home / "results", home / "releases", home / "site"
    measure(results, "alpha", 1, aes=1000, chacha=3000)
    measure(results, "beta", 2, aes=3000, chacha=1500)
    measure(results, "gamma", 3, aes=1000, chacha=1005)
    (home / "x.data").write_text(SUPERCOP, encoding="utf-8")
    import_files([home / "x.data"], results, foreign_operations(paths.root()))
    across, database = gathered(select_runs(results, everything=True), silent_stage)
    write_release(across, digests_of(database.runs), releases, "Test measurements")
    with pytest.raises(CyclometerError, match="a release never changes"):
        write_release(across, digests_of(database.runs), releases, "Another title")
    measure(results, "alpha", 4, aes=500, chacha=3000)
    measure(results, "delta", 5, aes=2000, chacha=1000)
    across, database = gathered(select_runs(results, everything=True), silent_stage)
    build_across(across, database, site, releases=releases)
    return site, results


def page(site: Path, path: str) -> str:
    return (site / path).read_text(encoding="utf-8")


def test_a_table_has_the_newest_number_of_each_machine_and_marks_ties(made: tuple[Path, Path]) -> None:
    table = page(made[0], "tables/crypto_aead/encrypt-576.html")
    rows = {row[: row.index("</a>")].rpartition(">")[2]: row for row in table.split("<tr>") if "<th scope=row>" in row}
    machines = re.findall(r'<button type="button">([\w-]+)</button>', table)
    assert machines == ["system", "alpha", "beta", "delta", "gamma", "vm"]
    cells = [cell.split("<")[0] for cell in rows["aes"].split("<td")[1:]]
    assert [cell.rpartition(">")[2] for cell in cells] == ["501", "3006", "2004", "1002", "–"]
    assert "class=best>1503" in rows["chacha"], "faster on beta"
    assert "class=tied>1007=" in rows["chacha"], "on gamma no difference is seen"


def test_what_varies_or_is_disturbed_is_marked(tmp_path: Path) -> None:
    """Two rounds are too few, and in those of chacha another program was on the core all the time."""
    busy = {"load_before": 2 * QUIET_LOAD, "load_after": 2 * QUIET_LOAD}
    rows = [sample("empty", 0), sample("encrypt", 1000, 576)]
    processes = [process("aes", rows, round=number) for number in range(2)]
    processes += [process("chacha", [rows[0], {**rows[1], **busy}], round=number) for number in range(3)]
    write_run(tmp_path / "results", run_info(), processes)
    across, database = gathered(select_runs(tmp_path / "results", everything=True), silent_stage)
    build_across(across, database, tmp_path / "site", releases=tmp_path)
    table = page(tmp_path / "site", "tables/crypto_aead/encrypt-576.html")
    assert ">?1000" in table
    assert ">~1000" in table


def test_orders_that_differ_are_listed_and_ties_are_not(made: tuple[Path, Path]) -> None:
    site, _ = made
    with gzip.open(site / "database/orders.csv.gz", "rt", encoding="utf-8") as stream:
        [*rows] = csv.DictReader(stream)
    assert {(row["first"], row["second"]) for row in rows} == {("aes", "chacha")}
    assert {(row["measure"], row["length"]) for row in rows} == {
        (name, length) for name in ("encrypt", "decrypt") for length in ("40", "576")
    }
    for row in rows:
        assert (row["ahead"], row["behind"], row["ties"]) == ("alpha", "beta delta", "1")
        assert float(row["best"]) == pytest.approx(3000 / 500, rel=0.01)
        assert float(row["worst"]) == pytest.approx(2, rel=0.01)
    shown = page(site, "orders/crypto_aead.html")
    assert "aes" in shown
    assert "chacha" in shown


def test_a_system_has_its_history(made: tuple[Path, Path]) -> None:
    row = next(row for row in page(made[0], "systems/crypto_aead/aes.html").split("<tr>") if "alpha" in row)
    assert "-50.0 %" in row
    assert "<polyline" in row


def test_imported_data_stand_beside_ours_and_say_so(made: tuple[Path, Path]) -> None:
    site, _ = made
    names = [path.name for path in (site / "systems/crypto_aead").iterdir()]
    [imported] = [name for name in names if "gcm" in name]
    assert "(supercop-20260330)" in page(site, f"systems/crypto_aead/{imported}")
    assert "Measured by another program" in page(site, "tables/crypto_aead/encrypt-576.html")
    assert "supercop-20260330" in page(site, "machines.html")


def test_what_changed_since_the_last_release_is_shown(made: tuple[Path, Path]) -> None:
    changes = page(made[0], "changes.html")
    assert "<b>New machines:</b> delta" in changes
    assert "-50.0 %" in changes
    rows = [row for row in changes.split("<tr>") if '<th scope="row">' in row]
    assert len(rows) == 4, "aes on alpha, four points; everything else is the same"
    assert all("alpha" in row and "aes" in row for row in rows)
    assert "Test measurements. Release of" in page(made[0], "index.html")


def test_the_whole_database_can_be_downloaded(made: tuple[Path, Path]) -> None:
    site, results = made
    headlines = pq.read_table(site / "database/headlines.parquet").to_pylist()
    [row] = [
        r
        for r in headlines
        if (r["machine"], r["primitive"], r["measure"], r["length"]) == ("alpha", "aes", "encrypt", 576)
    ]
    assert row["cycles"] == pytest.approx(501, abs=1)
    assert row["low"] <= row["cycles"] <= row["high"]
    with gzip.open(site / "database/supercop-data.txt.gz", "rt") as stream:
        machines = {line.split()[1] for line in stream}
    assert machines == {"alpha", "beta", "gamma", "delta", "vm"}, "the newest run of each"
    copied = list_runs(site / "database" / "runs")
    assert [(run.machine, run.run, run.state) for run in copied] == [
        (run.machine, run.run, "complete") for run in list_runs(results)
    ], "the runs are there, whole"


def test_every_link_leads_somewhere_and_names_have_no_effect(made: tuple[Path, Path]) -> None:
    site, _ = made
    for path in site.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert HOSTILE not in text
        for target in re.findall(r'(?:href|src)="([^"]+)"', text):
            if not target.startswith(("#", "data:")):
                assert (path.parent / target).resolve().exists(), f"{path}: {target}"
                assert "://" not in target
