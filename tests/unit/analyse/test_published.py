# SPDX-License-Identifier: MIT OR Apache-2.0
"""Published figures beside ours: units, ratios and places worked out by hand; and the data, row by row."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cyclometer.analyse import prepare
from cyclometer.analyse.published import published_tables
from cyclometer.discover import discover
from cyclometer.discover.published import read_published
from cyclometer.records.table import Table
from cyclometer.store import connect, select_runs
from support.small_tree import REPOSITORY
from support.synthetic import process, run_info, write_run


def tables_of(results: Path) -> dict[str, Table]:
    stored = select_runs(results)
    infos = [entry.info for entry in stored if entry.info]
    with connect(stored) as connection:
        prepare(connection, infos)
        tables = published_tables(connection, infos, read_published(REPOSITORY))
    return {table.title: table for table in tables}


def figures(table: Table, system: str) -> list[object]:
    [row] = [row for row in table.rows if row.label == system]
    return [figure.value if figure else None for figure in row.figures]


def test_then_now_ratio_and_order(tmp_path: Path) -> None:
    then = {
        figure.system: figure.value
        for figure in read_published(REPOSITORY).figures
        if (figure.table, figure.length) == ("encrypt by length", 576)
    }
    fast, slow = sorted(("salsa20-poly1305", "aes-128-poly1305"), key=lambda name: then[name])
    now = {fast: 1000.0, slow: 500.0}
    parts = [process(name, cycles={("encrypt", 576): cycles}) for name, cycles in now.items()]
    write_run(tmp_path, run_info(), parts)
    title = "S0, encrypt by length: encrypt, 576 bytes, core cycles; then on shell (Intel Pentium 4 (f29))"
    table = tables_of(tmp_path)[title]
    assert figures(table, fast) == [then[fast], 1000.0, pytest.approx(then[fast] / 1000), "1 → 2"]
    assert figures(table, slow) == [then[slow], 500.0, pytest.approx(then[slow] / 500), "2 → 1"]
    assert figures(table, "phelix") == [then["phelix"], None, None, ""]  # not measured: no place


def test_milliseconds_and_megabits_become_cycles_of_266_megahertz(tmp_path: Path) -> None:
    parts = [
        process("sha-1", cycles={("hash", 32): 300}, operation="crypto_hash"),
        process("rc6", cycles={("encrypt_block", 64): 10240}, operation="crypto_blockcipher"),
    ]
    write_run(tmp_path, run_info(contracts={"crypto_hash": "a", "crypto_blockcipher": "b"}), parts)
    tables = tables_of(tmp_path)
    [hashed] = [table for title, table in tables.items() if title.startswith("S4, hash: hash, 32 bytes")]
    assert figures(hashed, "sha-1")[:2] == [pytest.approx(0.0158e-3 * 266e6), 300.0]
    [bulk] = [table for title, table in tables.items() if title.startswith("S4, bulk: encrypt")]
    assert figures(bulk, "RC6")[:2] == [pytest.approx(266e6 / (40.6e6 / 8)), 10.0]


def test_the_data_has_what_its_readme_says_and_names_systems_that_exist() -> None:
    published = read_published(REPOSITORY)
    assert len(published.figures) == 872
    assert Counter(figure.document for figure in published.figures).keys() == published.titles.keys()
    known = discover(REPOSITORY, "").primitives
    matched = {
        f"{match.operation}/{match.system(figure.system)}"
        for figure in published.figures
        if (match := published.match(figure))
    }
    assert sorted(matched - known.keys()) == []
    assert len(matched) > 40
