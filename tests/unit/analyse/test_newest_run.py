# SPDX-License-Identifier: MIT OR Apache-2.0
"""Of several runs the newest counts: the one that started last, whatever it is called."""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import Any

import pytest

from cyclometer.analyse import TableOptions, View, build_tables, prepare
from cyclometer.analyse.curves import plot_data
from cyclometer.analyse.published import published_tables
from cyclometer.analyse.tables.placement import placement_tables
from cyclometer.cli._site import site_data_of
from cyclometer.discover.published import read_published
from cyclometer.records.columns import columns_of
from cyclometer.records.curve import PlotInputs
from cyclometer.records.placement import PLACEMENT
from cyclometer.records.run import RunInfo, Size
from cyclometer.records.table import Table
from cyclometer.records.tuning import Trial
from cyclometer.report.site import build_site
from cyclometer.store import StoredRun, connect, select_runs
from support.small_tree import REPOSITORY
from support.synthetic import process, run_info, sample, subject, write_run

STEADY, RETUNED = "aes-128-poly1305", "salsa20-poly1305"
BYTES = (88, 176, 264)
"""What the first system has of every size, in the runs from the oldest to the newest."""

CODE = ("fast", "slow", "fast")
"""The implementation of the second one that the runs chose."""

PLACES = {"output_alignment": 0, "key_alignment": 0, "between": 0, "link": 0, "environment": 0, "cold": "", "trial": 0}


def write(results: Path, name: str, number: int) -> None:
    """Store the run of that number, with a name that need not be in the order of time."""
    started = datetime.datetime(2026, 11, 20 + number, tzinfo=datetime.UTC)
    info = run_info(run=name, started=started)
    rows = [sample("empty", 0), sample("encrypt", 1000, 576)]
    placed = [{**row, **PLACES, "call_site": int(row["measure"] != "empty")} for row in rows]
    parts = [process(STEADY, rows, info=info), process(RETUNED, rows, info=info, implementation=CODE[number])]
    parts.append({**process(STEADY, placed, info=info), **columns_of(placed, PLACEMENT)})
    tunings = [subject(STEADY), subject(RETUNED, CODE[number])]
    trials = [Trial(subject=each, cycles=900 + number, timings=31, chosen=True) for each in tunings]
    known = dict.fromkeys(("expanded_key_bytes", "reachable_bytes"), BYTES[number])
    known["constant_time"] = int(number == len(CODE) - 1)
    sizes = [Size(subject=subject(STEADY), name=each, value=value) for each, value in known.items()]
    write_run(results, info, parts, trials=trials, sizes=sizes)


@pytest.fixture(scope="module", params=["before then after", "1 2 3"])
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Store the runs under these names, the oldest first."""
    folder = tmp_path_factory.mktemp("results")
    for number, name in enumerate(request.param.split()):
        write(folder, name, number)
    return folder


@pytest.fixture
def stored(results: Path) -> list[StoredRun]:
    """Select all runs."""
    return select_runs(results, everything=True)


def infos(stored: list[StoredRun]) -> list[RunInfo]:
    return [entry.info for entry in stored if entry.info]


def values(tables: list[Table], system: str) -> list[Any]:
    """Return the values in the row of a system in the only table."""
    [table] = tables
    [row] = [row for row in table.rows if row.label == system]
    return [figure and figure.value for figure in row.figures]


def shown(stored: list[StoredRun], system: str, view: View) -> list[Any]:
    """Return the row of a system in the table of a view."""
    with connect(stored) as connection:
        tables, _ = build_tables(connection, infos(stored), {"crypto_aead": [view]}, TableOptions())
    return values(tables, system)


TUNING = View(name="tuning", title="Tunings", columns="machine", tunings=True)
SIZES = View(name="sizes", title="Bytes", columns="size", sizes=("expanded_key_bytes",))
KEYS = View(name="keys", title="Keys", columns="keys", measures=("encrypt",), where={"length": 576}, sizes=SIZES.sizes)


def test_the_table_of_tunings_has_what_the_newest_run_chose(stored: list[StoredRun]) -> None:
    assert shown(stored, RETUNED, TUNING) == ["fast gcc-O3"]


def test_the_verdict_on_constant_time_is_that_of_the_newest_run(stored: list[StoredRun]) -> None:
    assert shown(stored, STEADY, TUNING) == ["ref gcc-O3, constant time"]


def test_a_table_of_sizes_has_those_of_the_newest_run(stored: list[StoredRun]) -> None:
    assert shown(stored, STEADY, SIZES) == [BYTES[-1]]


def test_sizes_beside_cycles_are_those_of_the_newest_run(stored: list[StoredRun]) -> None:
    assert shown(stored, STEADY, KEYS) == [1000, BYTES[-1]]


def test_sizes_beside_placement_are_those_of_the_newest_run(stored: list[StoredRun]) -> None:
    with connect(stored) as connection:
        tables, _ = placement_tables(connection, infos(stored), {"crypto_aead": []}, TableOptions())
    assert values(tables, STEADY)[-1] == BYTES[-1]


def test_sizes_beside_published_ones_are_those_of_the_newest_run(stored: list[StoredRun]) -> None:
    with connect(stored) as connection:
        prepare(connection, infos(stored))
        tables = published_tables(connection, infos(stored), read_published(REPOSITORY))
    [keys] = [table for table in tables if "expanded key bytes" in table.title]
    assert values([keys], STEADY)[:2] == [88, BYTES[-1]]  # 88: published in 2007


def test_costs_of_more_keys_are_drawn_with_the_key_size_of_the_newest_run(stored: list[StoredRun]) -> None:
    with connect(stored) as connection:
        (material,), _ = plot_data(connection, infos(stored), {"crypto_aead": [STEADY]}, PlotInputs(many_keys=True))
    assert list(material.expanded_key_bytes.values()) == [BYTES[-1]]


def test_the_report_has_tunings_and_sizes_of_the_newest_run(stored: list[StoredRun], tmp_path: Path) -> None:
    build_site(site_data_of(stored), tmp_path / "site")

    def text(page: str) -> str:
        html = (tmp_path / "site" / page).read_text(encoding="utf-8")
        return " ".join(re.sub("<[^>]*>", " ", html).split())

    assert f"crypto_aead {RETUNED} fast gcc-O3" in text("machines/box.html")
    assert "box fast gcc-O3 902 1.00 × 31 chosen" in text(f"systems/crypto_aead/{RETUNED}.html")
    assert f"box expanded key bytes {BYTES[-1]} ref gcc-O3" in text(f"systems/crypto_aead/{STEADY}.html")
