# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cached cells: the same numbers as from the samples, and made again when anything they depend on changes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from cyclometer.analyse import TableOptions, View, build_tables
from cyclometer.analyse.estimate.cell_cache import open_cells
from cyclometer.store import connect, select_runs
from support.synthetic import process, run_info, sample, write_run

VIEWS = (
    View(name="length", title="{unit} to {measure}", columns="length", measures=("encrypt",)),
    View(name="keys", title="{unit} to {measure}", columns="keys", measures=("encrypt",), where={"length": 576}),
    View(name="expand", title="{unit}", columns="measure", measures=("expandkey",)),
    View(name="machine", title="{unit}", columns="machine", measures=("encrypt",), where={"length": 40}),
)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Store one run each of two machines, with a control and disturbed samples."""
    for machine, faster in (("box", 1), ("other", 3)):
        info = run_info(machine=machine)
        parts = []
        for number in range(3):
            rows: list[dict[str, Any]] = [sample("empty", 0), sample("expandkey", 77)]
            rows += [sample("encrypt", (900 + 11 * number + n) / faster, n) for n in (0, 40, 576)]
            rows[-1]["context_switches"] = number  # disturbed in two of three rounds
            for name, control in (("salsa20-poly1305", False), ("salsa20-poly1305", True), ("rc4-poly1305", False)):
                parts.append(process(name, rows, round=number, control=control, info=info))
        write_run(tmp_path / "results", info, parts)
    return tmp_path / "results"


def rounded(value: Any) -> Any:
    """Round every number, since a sum depends on the order of its parts."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(part) for part in value]
    return round(value, 6) if isinstance(value, float) else value


def tables(results: Path, cache: Path | None, views: Sequence[View] = VIEWS) -> list[Any]:
    stored = select_runs(results, everything=True)
    infos = [entry.info for entry in stored if entry.info]
    cached = open_cells(stored, cache) if cache else None
    assert bool(cached) == bool(cache)
    with connect(stored, samples=cached is None) as connection:  # the samples must not be read
        found, _ = build_tables(connection, infos, {"crypto_aead": views}, TableOptions(), cached)
    return [rounded(asdict(table)) for table in found]


def test_cached_cells_equal_those_from_the_samples(results: Path, tmp_path: Path) -> None:
    expected = tables(results, None)
    assert len(expected) == 7
    assert expected[0]["contexts"][0]["spread"] is not None
    assert expected[0]["contexts"][0]["overhead"] is not None
    assert tables(results, tmp_path / "cache") == expected
    assert tables(results, tmp_path / "cache") == expected


def test_cells_are_cached_until_the_run_changes(results: Path, tmp_path: Path) -> None:
    def made() -> dict[Path, int]:
        return {path: path.stat().st_mtime_ns for path in (tmp_path / "cache/cells").iterdir()}

    tables(results, tmp_path / "cache")
    first = made()
    tables(results, tmp_path / "cache")
    assert made() == first
    os.utime(next(results.glob("box/*/samples.parquet")), (1, 1))
    tables(results, tmp_path / "cache")
    assert len(made()) == len(first) + 1
    for path in made():
        path.write_bytes(b"ARROW1 cut short")
    assert tables(results, tmp_path / "cache") == tables(results, None)


def test_pooled_runs_and_an_unusable_cache_are_read_from_the_samples(results: Path, tmp_path: Path) -> None:
    stored = select_runs(results, everything=True)
    (tmp_path / "file").write_text("")
    assert not open_cells(stored, tmp_path / "file")
    assert not open_cells([*stored, *stored], tmp_path / "cache")


def test_nothing_is_written_beside_the_samples(results: Path, tmp_path: Path) -> None:
    before = sorted(results.rglob("*"))
    tables(results, tmp_path / "cache")
    assert sorted(results.rglob("*")) == before


@pytest.mark.parametrize("where", range(0, 100, 12))
def test_a_flipped_bit_anywhere_changes_no_table(results: Path, tmp_path: Path, where: int) -> None:
    """The cells are computed again: nobody would notice another number or name."""
    cache = tmp_path / "cache"
    expected = tables(results, cache)
    for file in (cache / "cells").iterdir():
        content = bytearray(file.read_bytes())
        content[len(content) * where // 100] ^= 1
        file.write_bytes(content)
    assert tables(results, cache) == expected
    assert tables(results, cache) == expected
