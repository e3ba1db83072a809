# SPDX-License-Identifier: MIT OR Apache-2.0
"""Curves and clouds of synthetic runs, whose numbers are known and equal those of the tables."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from cyclometer.analyse.curves import plot_data
from cyclometer.errors import UnknownName
from cyclometer.records.curve import Curve, PlotData, PlotInputs
from cyclometer.records.run import Size
from cyclometer.store import connect, select_runs
from support.synthetic import OVERHEAD, process, run_info, sample, series, subject, write_run

EVERYTHING = PlotInputs(clouds=True, rivalries=True, many_keys=True)
LENGTHS = (0, 40, 576, 1500)
T_2 = 4.303  # Student's t for 95 %, two-sided, 2 degrees of freedom: of any table


def collected(results: Path, needs: PlotInputs = EVERYTHING, length: int | None = None) -> PlotData:
    """Collect the plot data of crypto_aead from the last run."""
    stored = select_runs(results)
    infos = [entry.info for entry in stored if entry.info]
    with connect(stored) as connection:
        names = [row[0] for row in connection.sql("SELECT DISTINCT primitive FROM samples ORDER BY 1").fetchall()]
        (material,), notes = plot_data(connection, infos, {"crypto_aead": names}, needs, length)
    assert notes == []
    return material


def curve(material: PlotData, primitive: str, measure: str = "encrypt", keys: int = 1) -> Curve:
    """Return the one curve of that name."""
    (found,) = [c for c in material.curves if (c.system.primitive, c.measure, c.keys) == (primitive, measure, keys)]
    return found


def rows(fixed: float, per_byte: float, shift: float = 0.0) -> list[dict[str, object]]:
    """Make a process of a system with these cycles per packet and per byte."""
    found = [sample("empty", 0), sample("expandkey", 100 + shift)]
    found += [sample("encrypt", fixed + per_byte * n + shift, n) for n in LENGTHS]
    return [*found, sample("encrypt", fixed + per_byte * 576 + 90, 576, keys=64)]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Store two systems in three rounds that are 10 cycles apart."""
    processes = [process("a", rows(100, 3, 10 * n), round=n) for n in range(3)]
    processes += [process("b", rows(1100, 2, 10 * n), round=n) for n in range(3)]
    sizes = [Size(subject=subject("a"), name="expanded_key_bytes", value=176)]
    write_run(tmp_path, run_info(), processes, sizes=sizes)
    return tmp_path


def test_headlines_are_medians_over_rounds(results: Path) -> None:
    found = curve(collected(results), "a")
    assert found.lengths.tolist() == list(LENGTHS)
    assert found.cycles == pytest.approx([100 + 3 * n + 10 for n in LENGTHS])
    assert found.rounds[2] == pytest.approx([1828, 1838, 1848])
    reach = T_2 * 10 / math.sqrt(3)  # 10: the standard deviation of the three
    assert (found.low[2], found.high[2]) == pytest.approx((1838 - reach, 1838 + reach))
    assert not found.disturbed.any()


def test_many_keys_and_measures_without_a_length_are_curves_too(results: Path) -> None:
    material = collected(results)
    assert curve(material, "a", keys=64).cycles == pytest.approx([1918])
    assert curve(material, "a", "expandkey").lengths.tolist() == [0]
    assert {system.primitive: size for system, size in material.expanded_key_bytes.items()} == {"a": 176}


def test_a_cloud_has_every_timing_and_marks_the_first_of_each_series(tmp_path: Path) -> None:
    taken = series(500, spread=10)
    taken[0] = 4000 + OVERHEAD
    write_run(tmp_path, run_info(), [process("a", [sample("empty", 0), sample("encrypt", 0, 576, series=taken)])])
    (cloud,) = collected(tmp_path).clouds
    assert cloud.lengths.tolist() == [576] * 15
    assert cloud.cycles == pytest.approx(np.array(taken, float) - OVERHEAD)
    assert cloud.first.tolist() == [True] + [False] * 14


def test_two_systems_cross_where_arithmetic_says(results: Path) -> None:
    (rivalry,) = collected(results).rivalries  # 100 + 3 n = 1100 + 2 n at n = 1000
    assert (rivalry.first.primitive, rivalry.second.primitive) == ("a", "b")
    (cutoff,) = rivalry.order.cutoffs
    assert (cutoff.low, cutoff.high) == (576, 1500)


def test_less_is_read_when_less_is_needed(results: Path) -> None:
    material = collected(results, PlotInputs(one_length=True))
    assert not material.clouds
    assert not material.rivalries
    shapes = {(c.measure, c.keys, tuple(c.lengths.tolist())) for c in material.curves}
    assert shapes == {("encrypt", 1, (576,)), ("expandkey", 1, (0,))}


def test_the_requested_length_must_have_been_measured(results: Path) -> None:
    assert collected(results, PlotInputs(), 1500).length == 1500
    assert collected(results).length == 576
    with pytest.raises(UnknownName, match="nearest is 1500"):
        collected(results, PlotInputs(), 1499)


def test_a_plot_of_one_length_takes_one_between_two_measured_lengths(results: Path) -> None:
    material = collected(results, PlotInputs(one_length=True), 1000)
    found = curve(material, "a", "encrypt")
    assert found.lengths.tolist() == [1000]
    assert found.between == (576, 1500)
    assert found.cycles == pytest.approx([100 + 3 * 1000 + 10])  # the rounds are on straight lines
    assert found.rounds == pytest.approx(np.array([[3100, 3110, 3120]]))
    assert curve(material, "a", "expandkey").between == ()
    with pytest.raises(UnknownName, match="nearest is 1500; `cyclometer run --length 1501` measures it"):
        collected(results, PlotInputs(one_length=True), 1501)


def test_two_tunings_of_a_primitive_are_distinguished_by_name(tmp_path: Path) -> None:
    processes = [
        process("a", [sample("empty", 0), sample("encrypt", 100, 576)], implementation=name) for name in ("ref", "avx2")
    ]
    write_run(tmp_path, run_info(), processes)
    assert {c.system.label for c in collected(tmp_path).curves} == {"a (ref, gcc-O3)", "a (avx2, gcc-O3)"}
