# SPDX-License-Identifier: MIT OR Apache-2.0
"""Comparisons: ratios and verdicts worked out by hand on synthetic runs."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pytest

from cyclometer.analyse import prepare
from cyclometer.analyse.comparison.crossovers import FIRST, SECOND, UNDECIDED, Crossover, Ordering
from cyclometer.analyse.comparison.ratios import CompareOptions, comparisons, sentences, tables
from cyclometer.analyse.comparison.sides import (
    MeasuredTunings,
    NotComparable,
    Side,
    differences,
    find,
    labelled,
    must_compare,
    pair,
)
from cyclometer.analyse.comparison.verdict import segments, verdict
from cyclometer.analyse.estimate.cell_source import SampleSource
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.measure import Plan, interleaved_jobs
from cyclometer.records.catalogue import Compiler, Implementation
from cyclometer.records.executable import Executable
from cyclometer.records.run import RunInfo
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.records.tuning_name import TuningName
from cyclometer.store import connect, select_runs
from support.synthetic import process, run_info, subject, write_run

LATER = run_info(run="2026-11-22T21-00-00-quick", facts={"cpu": "Another CPU", "kernel": "Linux 7"})


def meant(connection: duckdb.DuckDBPyConnection, infos: Sequence[RunInfo], name: str) -> dict[str, Side]:
    """Return the side that a name means in each run."""
    return find(MeasuredTunings.read(connection), infos, TuningName.parse(name))


@contextmanager
def opened(results: Path) -> Iterator[tuple[duckdb.DuckDBPyConnection, list[RunInfo]]]:
    stored = select_runs(results, everything=True)
    infos = [entry.info for entry in stored if entry.info]
    with connect(stored) as connection:
        prepare(connection, infos)
        yield connection, infos


def rounds_of(primitive: str, *cycles: float, length: int = 576, info: RunInfo | None = None, **more: object) -> list:
    """Make a process per round that encrypts one packet length in the given cycles."""
    return [
        process(primitive, cycles={("encrypt", length): value}, round=number, info=info, **more)  # type: ignore[arg-type]
        for number, value in enumerate(cycles)
    ]


# --- ratios -----------------------------------------------------------------------------------------------------


def test_within_a_run_the_ratio_is_taken_round_by_round(tmp_path: Path) -> None:
    # Everything takes twice as long in the second round, three times as long in the third, and so on.
    slow = [
        rounds_of("rc4-poly1305", 3000, 6000, 9100, 12000, 15000),
        rounds_of("aes-128-gcm", 1000, 2000, 3000, 4000, 5000),
    ]
    write_run(tmp_path, run_info(), list(itertools.chain(*slow)))
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("aes-128-gcm", "rc4-poly1305")))
        [found] = next(comparisons(SampleSource(connection), [sides], CompareOptions()))
    [ratio] = found.ratios
    assert ratio.paired
    assert ratio.value == pytest.approx(3.0)  # of 3, 3, 3, 3, 3.033
    assert ratio.interval == pytest.approx((3.0, 9100 / 3000))
    assert sentences(sides, [found])[2] == "encrypt: aes-128-gcm is 3.00 × faster"


def test_between_runs_the_ratio_is_that_of_the_medians(tmp_path: Path) -> None:
    write_run(tmp_path, run_info(), rounds_of("aes-128-gcm", 1000, 1000, 1000))
    write_run(tmp_path, LATER, rounds_of("aes-128-gcm", 2000, 2200, 2100, info=LATER))
    with opened(tmp_path) as (connection, infos):
        found = list(meant(connection, infos, "aes-128-gcm").values())
        sides = labelled(found[0], found[1])
        [compared] = next(comparisons(SampleSource(connection), [sides], CompareOptions()))
        notes = differences(connection, sides)
    [ratio] = compared.ratios
    assert not ratio.paired
    assert ratio.value == pytest.approx(2.1)
    # One side does not vary, so the interval is the other's: 4.303 is Student's t of two degrees of freedom.
    factor = math.exp(4.303 * 100 / math.sqrt(3) / 2100)
    assert ratio.interval == pytest.approx((2.1 / factor, 2.1 * factor))
    assert "differs: cpu: A Example CPU 3.0 GHz, B Another CPU" in notes
    assert "not recorded of A: kernel" in notes
    assert not any("compiler" in line for line in notes)


def test_a_difference_within_the_spread_is_a_tie(tmp_path: Path) -> None:
    # The twin is 10 % off, the other system 5 %.
    parts = [rounds_of("aes-128-gcm", *[1000.0] * 3), rounds_of("aes-128-gcm", *[1100.0] * 3, control=True)]
    parts.append(rounds_of("aes-256-gcm", *[1050.0] * 3))
    write_run(tmp_path, run_info(), list(itertools.chain(*parts)))
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("aes-128-gcm", "aes-256-gcm")))
        found = next(comparisons(SampleSource(connection), [sides], CompareOptions()))
        [table] = tables(SampleSource(connection), sides, found, CompareOptions())
    assert found[0].chance.spread == pytest.approx(0.1)
    assert sentences(sides, found)[2] == "encrypt: no difference seen"
    assert [figure.value for figure in table.rows[0].figures if figure][-1] == "no difference seen"
    assert table.rows[0].label == "576"
    assert table.rows_are == "length"


def test_by_keys_the_length_with_the_most_key_counts_is_fixed(tmp_path: Path) -> None:
    from support.synthetic import sample  # noqa: PLC0415 - this test alone

    rows = [sample("empty", 0), sample("encrypt", 500, 40)]
    rows += [sample("encrypt", 1000 + keys, 576, keys=keys) for keys in (1, 32, 8192)]
    double = [{**row, "series": [2 * x for x in row["series"]]} if row["measure"] != "empty" else row for row in rows]
    write_run(tmp_path, run_info(), [process("a", rows), process("b", double)])
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("a", "b")))
        [found] = next(comparisons(SampleSource(connection), [sides], CompareOptions(by="keys")))
    assert found.values == (1, 32, 8192)
    assert {ratio.first.variables["length"] for ratio in found.ratios} == {576}


def test_a_long_table_shows_where_the_verdict_changes(tmp_path: Path) -> None:
    cheap = {("encrypt", length): 1000.0 for length in range(100)}
    turned = {("encrypt", length): 1000.0 if length < 37 else 2000.0 for length in range(100)}
    parts = [process(name, cycles=cycles, round=n) for name, cycles in (("a", cheap), ("b", turned)) for n in range(3)]
    write_run(tmp_path, run_info(), parts)
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("a", "b")))
        found = next(comparisons(SampleSource(connection), [sides], CompareOptions()))
        [shown] = tables(SampleSource(connection), sides, found, CompareOptions())
        [every] = tables(SampleSource(connection), sides, found, CompareOptions(every_row=True))
    assert {"0", "36", "37", "99"} <= {row.label for row in shown.rows}
    assert len(shown.rows) <= 20
    assert len(every.rows) == 100
    assert sentences(sides, found)[2] == "encrypt: a is 2.00 × faster from 37 bytes on; below, no difference seen"


# --- which numbers -----------------------------------------------------------------------------------------------


def test_other_contracts_are_refused_unless_requested(tmp_path: Path) -> None:
    other = run_info(run="2026-11-22T21-00-00-quick", contracts={"crypto_aead": "supercop-20260330"})
    write_run(tmp_path, run_info(), rounds_of("a", 1000))
    write_run(tmp_path, other, rounds_of("b", 1000, info=other))
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("a", "b")))
    with pytest.raises(NotComparable, match=r"c0ffee.*supercop-20260330.*--across-contracts") as refused:
        must_compare(sides, across=False)
    assert refused.value.exit_status == 2
    assert "\n" not in str(refused.value)
    assert "supercop-20260330" in must_compare(sides, across=True)[0]


def test_other_units_are_refused(tmp_path: Path) -> None:
    ticks = run_info(run="2026-11-22T21-00-00-quick", counter={"name": "rdtsc", "unit": "TSC ticks"})
    write_run(tmp_path, run_info(), rounds_of("a", 1000))
    write_run(tmp_path, ticks, rounds_of("a", 1000, info=ticks))
    with opened(tmp_path) as (connection, infos):
        sides = labelled(*meant(connection, infos, "a").values())
    with pytest.raises(NotComparable, match="TSC ticks"):
        must_compare(sides, across=False)


def test_other_operations_are_always_refused(tmp_path: Path) -> None:
    parts = [*rounds_of("a", 1000), *rounds_of("s", 1000, operation="crypto_stream")]
    write_run(tmp_path, run_info(), parts)
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("a", "s")))
    with pytest.raises(NotComparable, match="different operations"):
        must_compare(sides, across=True)


def test_the_newest_run_that_has_both_is_taken(tmp_path: Path) -> None:
    write_run(tmp_path, run_info(), [*rounds_of("a", 1), *rounds_of("b", 2)])
    write_run(tmp_path, LATER, rounds_of("a", 3, info=LATER))
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("a", "b")))
    assert {side.info.run for side in sides} == {run_info().run}


def test_of_several_tunings_the_chosen_one_is_compared(tmp_path: Path) -> None:
    parts = [*rounds_of("a", 1000), *rounds_of("a", 500, implementation="fast")]
    trials = [Trial(subject=subject("a", "fast"), cycles=1.0, timings=9, chosen=True)]
    write_run(tmp_path, run_info(), parts, trials=trials)
    write_run(tmp_path, LATER, [*rounds_of("a", 9, info=LATER), *rounds_of("a", 9, implementation="fast", info=LATER)])
    with opened(tmp_path) as (connection, infos):
        [side] = meant(connection, infos, "a").values()  # the later run has no choice
        named = meant(connection, infos, "a:ref")
        with pytest.raises(NothingToDo, match="name one of crypto_aead/a:fast:gcc-O3, crypto_aead/a:ref:gcc-O3"):
            meant(connection, infos, "a:slow")
        with pytest.raises(UnknownName, match="unknown system"):
            meant(connection, infos, "zzz")
        with pytest.raises(NothingToDo, match="both sides"):
            labelled(side, side)
    assert side.subject.implementation == "fast"
    assert [each.subject.implementation for each in named.values()] == ["ref", "ref"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("salsa20-poly1305", ("salsa20-poly1305", "*", "*")),
        ("salsa20-poly1305:avx2", ("salsa20-poly1305", "avx2", "*")),
        ("salsa20-poly1305/avx2", ("salsa20-poly1305", "avx2", "*")),
        ("crypto_aead/a:dolbeau/x:gcc -O3", ("crypto_aead/a", "dolbeau/x", "gcc -O3")),
    ],
)
def test_how_a_tuning_is_written(text: str, parts: tuple[str, str, str]) -> None:
    name = TuningName.parse(text)
    assert (name.system, name.implementation, name.compiler) == parts
    assert TuningName.parse(str(name)) == name


@pytest.mark.parametrize("text", ["", ":", "a:", "a::gcc", "a:b:"])
def test_half_a_name_is_none(text: str) -> None:
    with pytest.raises(CyclometerError, match="is not the name of a tuning"):
        TuningName.parse(text)


# --- words -------------------------------------------------------------------------------------------------------


def made(signs: Sequence[int], *cutoffs: Crossover, step: int = 1) -> Ordering:
    lengths = np.arange(len(signs)) * step
    return Ordering(lengths=lengths, verdicts=np.array(signs, np.int8), cutoffs=cutoffs)


F, U, S = FIRST, UNDECIDED, SECOND
CROSSOVER = Crossover(length=3, low=1, high=4, faster_below=S, faster_above=F)


@pytest.mark.parametrize(
    ("order", "ratios", "words"),
    [
        (made([F]), [1.5], "A is 1.50 × faster"),
        (made([S, S]), [0.5, 0.5], "B is 2.00 × faster over the whole range measured (0 to 1 bytes)"),
        (made([U, U, U]), [1, 1, 1], "no difference seen over the whole range measured (0 to 2 bytes)"),
        (made([U, U, F, F]), [1, 1, 1.2, 1.4], "A is 1.30 × faster (1.20 to 1.40) from 2 bytes on; "
                                              "below, no difference seen"),
        (made([F, F, U]), [1.2, 1.2, 1], "A is 1.20 × faster up to 1 bytes; above, no difference seen"),
        (made([F, U, U]), [1.2, 1, 1], "A is 1.20 × faster at 0 bytes; above, no difference seen"),
        (made([S, S, U, U, F], CROSSOVER), [0.8, 0.8, 1, 1, 1.3],
         "B is 1.25 × faster up to 1 bytes; no difference seen from 2 to 3 bytes; A is 1.30 × faster from 4 bytes on"),
        (made([U]), [float("nan")], "no factor: one of them takes no measurable time"),
    ],
)  # fmt: skip
def test_verdicts(order: Ordering, ratios: list[float], words: str) -> None:
    assert verdict(("A", "B"), order, np.array(ratios), "bytes") == words


def test_one_length_in_many_is_an_exception_and_no_crossover() -> None:
    signs = [U] * 100 + [F] * 200
    signs[50], signs[250] = F, U
    found = segments(made(signs))
    assert [(segment.begin, segment.end, segment.sign, segment.exceptions) for segment in found] == [
        (0, 99, U, 1),
        (100, 299, F, 1),
    ]


def test_among_few_lengths_each_counts() -> None:
    assert [segment.sign for segment in segments(made([F, U, F]))] == [F, U, F]


def test_nothing_in_common_says_so(tmp_path: Path) -> None:
    write_run(tmp_path, run_info(), [*rounds_of("a", 1), *rounds_of("b", 2, length=40)])
    with opened(tmp_path) as (connection, infos):
        sides = pair(*(meant(connection, infos, name) for name in ("a", "b")))
        with pytest.raises(NothingToDo, match="both a and b"):
            next(comparisons(SampleSource(connection), [sides], CompareOptions()))


# --- measuring ---------------------------------------------------------------------------------------------------


@pytest.fixture
def executable() -> Callable[[str], Executable]:
    compiler = Compiler(name="gcc-O3", toolchain="gcc", command="gcc", cxx="g++", flags=(), reason="")

    def make(name: str) -> Executable:
        code = Implementation(operation="crypto_aead", primitive=name, name="ref", folders=(), sources=())
        about = Tuning(operation="crypto_aead", primitive=name, implementation="ref", compiler="gcc-O3")
        return Executable(
            subject=about, path=Path(name), compiler=compiler, code_bytes=0, objects=(), implementation=code
        )

    return make


def test_interleaving_is_a_b_b_a_with_a_twin_of_a(executable: Callable[[str], Executable]) -> None:
    plan = Plan(seed=1, rounds=4, patience_ms=0, grids={})
    order = interleaved_jobs([executable("A"), executable("B")], plan)
    names = [job.executable.subject.primitive + ("'" if job.control else "") for job in order]
    assert " ".join(names) == "A B A' A' B A A B A' A' B A"
    assert [job.round for job in order] == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert len({job.name for job in order}) == len(order)
    assert len({job.seed for job in order}) == len(order)
