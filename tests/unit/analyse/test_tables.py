# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tables of stored runs: their rows, columns, units and order."""

from __future__ import annotations

import datetime
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cyclometer.analyse import TableOptions, View, build_tables
from cyclometer.analyse.tables.views import IMPLEMENTATIONS
from cyclometer.errors import BadDeclaration, NothingToDo
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.records.run import RunInfo, Size
from cyclometer.records.table import Table
from cyclometer.records.tuning import Trial
from cyclometer.store import open_runs, select_runs
from support.synthetic import process, run_info, sample, series, subject, write_run

LENGTH = View(
    name="length",
    title="{unit} to {measure} a packet",
    columns="length",
    measures=("encrypt", "decrypt"),
    show=(40, 576, 9999),
    where={"keys": 1},
)
KEYS = View(
    name="keys",
    title="{unit} to {measure} a {length}-byte packet",
    columns="keys",
    measures=("encrypt",),
    where={"length": 576},
    sizes=("expanded_key_bytes",),
)
MACHINE = View(
    name="machine",
    title="By machine",
    columns="machine",
    measures=("encrypt",),
    where={"length": 576, "keys": 1},
)
EXPANDKEY = View(name="expandkey", title="{unit} to expand", columns="measure", measures=("expandkey", "first"))
TUNING = View(name="tuning", title="Tunings", columns="machine", tunings=True)

FAST = {("encrypt", 40): 400, ("encrypt", 576): 1000, ("decrypt", 576): 1100, ("expandkey", 0): 80}
SLOW = {("encrypt", 40): 300, ("encrypt", 576): 4000, ("decrypt", 576): 4100, ("expandkey", 0): 90}


def store(results: Path, info: RunInfo | None = None, **extra: Any) -> None:
    """Store a run in which `fast` is slower than `slow` only at 40 bytes."""
    info = info or run_info()
    systems = (("fast", FAST), ("slow", SLOW))
    rounds = [process(name, cycles=cycles, round=r, info=info) for name, cycles in systems for r in range(2)]
    write_run(results, info, [*rounds, *extra.pop("processes", [])], **extra)


def tables(results: Path, view: View, **wishes: Any) -> list[Table]:
    """Build all tables of one view over all runs."""
    infos = [entry.info for entry in select_runs(results, everything=True) if entry.info]
    connection = open_runs(results, everything=True)
    return build_tables(connection, infos, {"crypto_aead": [view]}, TableOptions(**wishes))[0]


def numbers(table: Table) -> dict[str, list[Any]]:
    """Map each row's label to its values, rounded."""
    return {
        row.label: [figure if figure is None else figure.value if isinstance(figure.value, (int, str)) else
                    round(figure.value, 2) for figure in row.figures]
        for row in table.rows
    }  # fmt: skip


def test_each_measure_has_a_table_with_the_declared_columns_that_were_sampled(tmp_path: Path) -> None:
    store(tmp_path)
    encrypt, decrypt = tables(tmp_path, LENGTH)
    assert [column.label for column in encrypt.columns] == ["40", "576"]
    assert numbers(encrypt) == {"fast": [400, 1000], "slow": [300, 4000]}
    assert numbers(decrypt) == {"fast": [1100], "slow": [4100]}
    assert (encrypt.title, decrypt.title) == ("Cycles to encrypt a packet", "Cycles to decrypt a packet")


def test_requested_columns_replace_the_declared_ones(tmp_path: Path) -> None:
    store(tmp_path)
    (encrypt,) = tables(tmp_path, LENGTH, lengths=(40,), measures=("encrypt",))
    assert [column.label for column in encrypt.columns] == ["40"]


def test_without_declared_columns_a_few_sampled_ones_are_shown(tmp_path: Path) -> None:
    info = run_info()
    many = [process("x", [sample("encrypt", 1000, 576, keys=1 << power) for power in range(14)], info=info)]
    write_run(tmp_path, info, many)
    (table,) = tables(tmp_path, KEYS)
    labels = [column.label for column in table.columns]
    assert len(labels) == 8
    assert (labels[0], labels[-1]) == ("1", "8192")


def test_a_run_with_requested_lengths_shows_these(tmp_path: Path) -> None:
    """`cyclometer run --length 40,64 --keys 10000`: no length that a view declares, and no measure with one key."""
    info = run_info(plan={"options": {"lengths": "40,64", "keys": "10000"}})
    rows = [sample("empty", 0)]
    rows += [sample("encrypt", 500 + length, length, keys=keys) for length in (40, 64) for keys in (1, 10000)]
    write_run(tmp_path, info, [process("x", rows, info=info)])
    assert numbers(tables(tmp_path, LENGTH)[0]) == {"x": [540, 564]}
    by_keys = tables(tmp_path, KEYS)
    titles = ["Cycles to encrypt a 40-byte packet", "Cycles to encrypt a 64-byte packet"]
    assert [table.title for table in by_keys] == titles
    assert [column.label for column in by_keys[0].columns] == ["1", "10000"]


def test_a_run_with_requested_lengths_under_one_key_has_no_table_by_keys(tmp_path: Path) -> None:
    info = run_info(plan={"options": {"lengths": "40", "keys": "1"}})
    write_run(tmp_path, info, [process("x", cycles={("encrypt", 40): 500}, info=info)])
    assert tables(tmp_path, KEYS) == []


def test_of_very_many_requested_lengths_some_are_shown(tmp_path: Path) -> None:
    info = run_info(plan={"options": {"lengths": "1-100", "keys": "1"}})
    write_run(tmp_path, info, [process("x", cycles={("encrypt", n): 500 + n for n in range(1, 101)}, info=info)])
    (table,) = tables(tmp_path, LENGTH)
    labels = [column.label for column in table.columns]
    assert (len(labels), labels[0], labels[-1]) == (8, "1", "100")


def test_rows_are_sorted_by_the_last_column_a_named_one_or_by_name(tmp_path: Path) -> None:
    store(tmp_path)

    def order(sort: str) -> list[str]:
        return [row.label for row in tables(tmp_path, LENGTH, sort=sort, measures=("encrypt",))[0].rows]

    assert order("cycles") == ["fast", "slow"]
    assert order("40") == ["slow", "fast"]
    assert order("name") == ["fast", "slow"]


def test_costs_of_zero_are_a_tie(tmp_path: Path) -> None:
    """Of three systems that expand no key, the one measured below zero is not the fastest."""
    systems = {"a": 2, "b": -1, "c": 0, "d": 40}
    parts = [process(name, cycles={("expandkey", 0): cycles}) for name, cycles in systems.items()]
    write_run(tmp_path, run_info(), parts)
    (table,) = tables(tmp_path, EXPANDKEY)
    found = {row.label: row.figures[0] for row in table.rows}
    assert {name: figure and (figure.value, figure.rank) for name, figure in found.items()} == {
        "a": (0, 1), "b": (0, 1), "c": (0, 1), "d": (40, 4),
    }  # fmt: skip


LENGTHS = {"name": "length", "title": "{unit} to {measure} a message, by its length in bytes", "columns": "length"}
HASH = {**LENGTHS, "measures": ["hash"], "show": [0, 576, 8192]}
KEY = {"name": "key", "title": "{unit} to expand a key", "columns": "measure", "measures": ["expandkey"]}
TUNINGS = {"name": "tuning", "title": "Tunings", "columns": "machine", "tunings": True}


def test_an_operation_without_views_by_machine_has_one_for_each_measure() -> None:
    hashing, expanding = View.every([HASH, KEY, TUNINGS])[3:5]
    assert hashing.titled(unit="Cycles", measure="hash") == "Cycles to hash a message, length 576, by machine"
    assert expanding.titled(unit="Cycles", measure="expandkey") == "Cycles to expand a key, by machine"
    assert [view.is_default(machines=2) for view in (hashing, expanding)] == [True, False]
    assert not hashing.is_default(machines=1)


def test_an_operation_with_views_by_machine_has_the_others_on_request() -> None:
    declared = {"name": "hashing", "title": "x", "columns": "machine", "measures": ["hash"]}
    (added,) = View.every([HASH, KEY, declared])[3:4]
    assert (added.measures, added.on_request) == (("expandkey",), True)
    assert [view.name for view in View.every([HASH, declared]) if view.answers("machine")] == ["hashing"]


def test_only_the_requested_systems_are_shown(tmp_path: Path) -> None:
    store(tmp_path)
    table = tables(tmp_path, LENGTH, systems=("crypto_aead/slow", "crypto_stream/fast"))[0]
    assert list(numbers(table)) == ["slow"]


def test_cycles_per_byte(tmp_path: Path) -> None:
    store(tmp_path)
    table = tables(tmp_path, LENGTH, per_byte=True)[0]
    assert numbers(table)["fast"] == [10.0, round(1000 / 576, 2)]
    assert table.columns[0].unit == "core cycles/byte"
    assert table.title == "Cycles per byte to encrypt a packet"


def test_megabytes_per_second_come_from_the_rate_of_the_counter(tmp_path: Path) -> None:
    """576 bytes in 1000 cycles at 3 GHz are 1728 MB/s."""
    store(tmp_path)
    table = tables(tmp_path, LENGTH, megabytes=True)[0]
    assert numbers(table)["fast"][1] == pytest.approx(1728)
    assert table.columns[0].unit == "MB/s"
    figure = table.rows[0].figures[1]
    assert figure is not None
    assert figure.interval == pytest.approx((1728, 1728))


def test_megabytes_per_second_of_a_tick_counter_come_from_the_clock_of_the_core(tmp_path: Path) -> None:
    """2 G ticks per second and 1000 cycles in 500 ticks: the core makes 4 G cycles per second."""
    info = run_info(counter={"name": "rdtsc", "unit": "TSC ticks", "per_second": 2e9, "chain_cycles": 1000})
    ticks = {"chain_before": 524, "chain_after": 524}
    rows = [sample("empty", 0, **ticks), sample("encrypt", 500, 576, **ticks)]  # 500 ticks: 1000 cycles
    write_run(tmp_path, info, [process("x", rows, info=info)])
    assert numbers(tables(tmp_path, LENGTH, megabytes=True)[0])["x"] == [pytest.approx(2304)]
    assert tables(tmp_path, LENGTH)[0].contexts[0].converted_from == "TSC ticks"


def test_without_a_rate_there_are_no_megabytes_per_second(tmp_path: Path) -> None:
    store(
        tmp_path,
        run_info(counter={"name": "x", "unit": "core cycles", "per_second": 0, "chain_cycles": 1000}),
    )
    with pytest.raises(NothingToDo, match="no MB/s"):
        tables(tmp_path, LENGTH, megabytes=True)


def test_a_measure_without_bytes_stays_in_cycles(tmp_path: Path) -> None:
    store(tmp_path)
    (table,) = tables(tmp_path, EXPANDKEY, per_byte=True)
    assert numbers(table) == {"fast": [80, None], "slow": [90, None]}
    assert table.columns[0].unit == "core cycles"


def test_sizes_are_shown_beside_the_cycles(tmp_path: Path) -> None:
    store(tmp_path, sizes=[Size(subject=subject("fast"), name="expanded_key_bytes", value=176)])
    (table,) = tables(tmp_path, KEYS)
    assert numbers(table) == {"fast": [1000, 176], "slow": [4000, None]}
    assert table.columns[-1].unit == "bytes"


def test_a_table_at_a_fixed_length_is_shown_at_the_requested_one(tmp_path: Path) -> None:
    store(tmp_path)
    forty, usual = tables(tmp_path, KEYS, lengths=(40, 576))
    assert (forty.title, usual.title) == (
        "Cycles to encrypt a 40-byte packet",
        "Cycles to encrypt a 576-byte packet",
    )
    assert numbers(forty)["fast"][0] == 400


def test_several_tunings_of_a_system_are_rows_of_their_own(tmp_path: Path) -> None:
    other = process("fast", cycles={("encrypt", 576): 900}, implementation="avx2", compiler="clang-O3")
    store(tmp_path, processes=[other])
    table = tables(tmp_path, LENGTH)[0]
    assert numbers(table) == {
        "fast (avx2, clang-O3)": [None, 900],
        "fast (ref, gcc-O3)": [400, 1000],
        "slow": [300, 4000],
    }


PI = {"machine": "pi", "run": "2026-11-22T21-00-00-quick"}
LATER = datetime.datetime(2026, 11, 22, 21, tzinfo=datetime.UTC)


def test_each_machine_has_its_tables_unless_machines_are_the_columns(tmp_path: Path) -> None:
    store(tmp_path)
    store(tmp_path, run_info(**PI, started=LATER))
    assert [t.contexts[0].machine for t in tables(tmp_path, LENGTH, measures=("decrypt",))] == ["box", "pi"]
    (together,) = tables(tmp_path, MACHINE)
    assert [column.label for column in together.columns] == ["box", "pi"]
    assert numbers(together) == {"fast": [1000, 1000], "slow": [4000, 4000]}
    assert [context.machine for context in together.contexts] == ["box", "pi"]


def test_runs_of_one_machine_are_pooled(tmp_path: Path) -> None:
    store(tmp_path)
    store(tmp_path, run_info(run="2026-11-22T21-00-00-quick", started=LATER))
    table = tables(tmp_path, LENGTH)[0]
    figure = table.rows[0].figures[0]
    assert figure is not None
    assert figure.rounds == 4
    assert len(table.contexts[0].runs) == 2


def test_numbers_under_another_contract_are_left_out_with_a_note(tmp_path: Path) -> None:
    store(tmp_path)
    store(tmp_path, run_info(**PI, started=LATER, contracts={"crypto_aead": "other"}))
    infos = [entry.info for entry in select_runs(tmp_path, everything=True) if entry.info]
    connection = open_runs(tmp_path, everything=True)
    made, notes = build_tables(connection, infos, {"crypto_aead": [MACHINE]}, TableOptions())
    assert [column.label for column in made[0].columns] == ["pi"]
    assert notes == [
        "box 2026-11-21T21-00-00-quick left out of crypto_aead: measured under another contract",
        "`cyclometer table --across-contracts` shows machines side by side that do not compare",
    ]


def test_two_contracts_of_one_machine_are_for_compare(tmp_path: Path) -> None:
    later = datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC)
    infos = [run_info(), run_info(run="later", started=later, contracts={"crypto_aead": "other"})]
    for info in infos:
        store(tmp_path, info)
    _, notes = build_tables(open_runs(tmp_path, everything=True), infos, {"crypto_aead": [LENGTH]}, TableOptions())
    assert [note for note in notes if "compare SYSTEM --run A --run B --across-contracts" in note]


def test_another_study_of_a_protocol_is_not_said_to_be_lost(tmp_path: Path) -> None:
    """Each study has a contract of its own, and `compare` cannot show it."""
    later = datetime.datetime(2026, 11, 23, tzinfo=datetime.UTC)
    infos = [
        run_info(contracts={"crypto_aead": "c0ffee", "protocol": "ladder"}),
        run_info(run="later", started=later, contracts={"crypto_aead": "c0ffee", "protocol": "grpc"}),
    ]
    for info in infos:
        store(tmp_path, info)
    views = {"crypto_aead": [LENGTH], "protocol": [LENGTH]}
    _, notes = build_tables(open_runs(tmp_path, everything=True), infos, views, TableOptions())
    [note] = notes
    assert "`cyclometer protocol STUDY --stored`" in note


def test_the_caption_names_counter_overhead_and_spread(tmp_path: Path) -> None:
    twins = [process("fast", cycles={("encrypt", 576): 1005}, control=True, round=r) for r in range(2)]
    store(tmp_path, processes=twins)
    context = tables(tmp_path, LENGTH, systems=("crypto_aead/slow",))[0].contexts[0]
    assert (context.machine, context.cpu, context.counter) == ("box", "Example CPU 3.0 GHz", "perf-rdpmc")
    assert (context.unit, context.converted_from, context.overhead) == ("core cycles", "", 24)
    assert context.spread == pytest.approx(0.005, abs=1e-4)


def test_ties_follow_from_the_control(tmp_path: Path) -> None:
    """Two systems are 0.5 % apart where the A/A spread is 1 %."""
    systems = {"a": 1000, "b": 1005, "c": 1100}
    rounds = [process(name, cycles={("encrypt", 576): c}, round=r) for name, c in systems.items() for r in range(2)]
    twins = [process("c", cycles={("encrypt", 576): 1111}, control=True, round=r) for r in range(2)]
    write_run(tmp_path, run_info(), [*rounds, *twins])
    ranks = {
        row.label: (figure.rank, figure.shares_rank, figure.ties_with_best)
        for row in tables(tmp_path, LENGTH)[0].rows
        if (figure := row.figures[0])
    }
    assert ranks == {"a": (1, True, False), "b": (1, True, True), "c": (3, False, False)}


def test_the_chosen_tunings_are_text(tmp_path: Path) -> None:
    trials = [
        Trial(subject=subject("fast", "avx2", "gcc-O3"), cycles=900, timings=31, chosen=True),
        Trial(subject=subject("fast", "ref", "gcc-O2"), cycles=990, timings=7, chosen=False),
    ]
    store(tmp_path, trials=trials)
    (table,) = tables(tmp_path, TUNING)
    assert numbers(table) == {"fast": ["avx2 gcc-O3"]}


def test_a_single_machine_shows_runner_up_margin_and_parts(tmp_path: Path) -> None:
    """`sure` leads by a tenth on the work load; `grid` and `order` tie there, and the next criterion decides.

    `loud` was never timed in a quiet moment; nor was what disturbed timings of `dropped` put last.
    """
    parts = "poly1305 avx2 gcc-O3"
    winner = {"cycles": 1000.0, "timings": 7, "chosen": True, "place": 1, "parts": parts}
    runner_up = {"timings": 7, "chosen": False, "place": 2}
    rivals: dict[str, dict[str, Any]] = {
        "sure": {"cycles": 1100.0, "decided_by": "work load"},
        "grid": {"cycles": 995.0, "decided_by": "quick grid", "quick_ratio": 1.034},
        "order": {"cycles": 1002.0, "decided_by": "fixed order", "quick_ratio": 0.999},
        "loud": {"cycles": 1130.0, "decided_by": "noise"},
        "dropped": {"cycles": 1100.0, "decided_by": "work load"},
    }
    trials = [Trial(subject=subject(name, "avx2", "gcc-O3"), **winner) for name in rivals]
    trials += [Trial(subject=subject(name, "ref", "gcc-O2"), **runner_up, **rival) for name, rival in rivals.items()]
    slow = Trial(subject=subject("sure", "slow", "gcc-O2"), cycles=2000, timings=1, chosen=False, place=3)
    trials += [slow, replace(slow, subject=subject("dropped", "slow", "gcc-O2"), decided_by="noise")]
    store(tmp_path, trials=trials)
    (table,) = tables(tmp_path, TUNING)
    assert [column.label for column in table.columns][1:] == ["runner-up", "margin", "parts"]
    assert numbers(table) == {
        "dropped": ["avx2 gcc-O3", "ref gcc-O2", "unclear: disturbed", parts],
        "grid": ["avx2 gcc-O3", "ref gcc-O2", "tie; quick grid 3.4 %", parts],
        "loud": ["avx2 gcc-O3", "ref gcc-O2", "unclear: disturbed", parts],
        "order": ["avx2 gcc-O3", "ref gcc-O2", "tie; fixed order", parts],
        "sure": ["avx2 gcc-O3", "ref gcc-O2", "10.0 %", parts],
    }


def failure(name: str, stage: str, implementation: str, severity: Severity = Severity.ERROR) -> Failure:
    whose = subject(name, implementation, "gcc-O3")
    return Failure(stage=stage, subject=whose, kind=FailureKind.CRASH, reason="crashes", severity=severity)


def test_what_failed_while_the_fastest_was_chosen_is_not_listed_beside_it(tmp_path: Path) -> None:
    cycles = {"chosen": 1000.0, "crashed": 900.0, "warned": 1100.0, "crashed-elsewhere": 1200.0}
    trials = [
        Trial(subject=subject("fast", name, "gcc-O3"), cycles=each, timings=7, chosen=name == "chosen")
        for name, each in cycles.items()
    ]
    failures = [
        failure("fast", "choose", "crashed"),
        failure("fast", "choose", "warned", Severity.WARNING),
        failure("slow", "choose", "crashed-elsewhere"),
    ]
    store(tmp_path, trials=trials, failures=failures)
    (table,) = tables(tmp_path, IMPLEMENTATIONS)
    assert {row.implementation: row.figures[0] and row.figures[0].value for row in table.rows} == {
        "chosen": 1000,
        "warned": 1100,
        "crashed-elsewhere": 1200,
    }


def test_a_note_names_the_systems_whose_numbers_have_a_failure_beside_them(tmp_path: Path) -> None:
    trials = [
        Trial(subject=subject(name, "ref", "gcc-O3"), cycles=1000, timings=7, chosen=True)
        for name in ("fast", "slow", "never-shown")
    ]
    failures = [failure("fast", "measure", "ref"), failure("never-shown", "measure", "ref")]
    failures += [failure("slow", "measure", "ref", Severity.WARNING), failure("slow", "measure", "other")]
    store(tmp_path, trials=trials, failures=failures)
    infos = [entry.info for entry in select_runs(tmp_path, everything=True) if entry.info]
    connection = open_runs(tmp_path, everything=True)
    _, notes = build_tables(connection, infos, {"crypto_aead": [LENGTH]}, TableOptions())
    assert len(notes) == 1
    assert "measured it: fast; the numbers are from the others" in notes[0]


def test_a_title_with_an_unknown_placeholder_is_a_bad_declaration(tmp_path: Path) -> None:
    store(tmp_path)
    with pytest.raises(BadDeclaration, match="title of view 'length'"):
        tables(tmp_path, View(name="length", title="{speed}", columns="length", measures=("encrypt",)))


def test_a_size_that_no_system_has_is_no_column(tmp_path: Path) -> None:
    expanded = Size(subject=subject("fast"), name="expanded_key_bytes", value=240)
    view = replace(KEYS, sizes=("expanded_key_bytes", "executed_bytes"))
    store(tmp_path, sizes=[expanded])
    (table,) = tables(tmp_path, view)
    assert [column.label for column in table.columns] == ["1", "expanded key bytes"]
    assert numbers(table) == {"fast": [1000, 240], "slow": [4000, None]}


def test_runs_with_other_code_under_the_same_name_are_pooled_with_a_note(tmp_path: Path) -> None:
    for number, code in enumerate((2141, 2221)):
        info = run_info(run=f"2026-01-0{number + 1}T00-00-00-quick")
        fast, slow = (Size(subject=subject(name), name="code_bytes", value=code) for name in ("fast", "slow"))
        store(tmp_path, info, sizes=[fast, replace(slow, value=1000)])
    infos = [entry.info for entry in select_runs(tmp_path, everything=True) if entry.info]
    connection = open_runs(tmp_path, everything=True)
    _, notes = build_tables(connection, infos, {"crypto_aead": [LENGTH]}, TableOptions())
    [note] = notes
    assert note.startswith(f"{infos[0].machine}: runs with different code are pooled (fast)")


SIZES = View(name="sizes", title="Bytes of keys", columns="size", sizes=("public_key_bytes", "keypair_random_calls"))
BATCH = View(name="batch", title="{unit} each", columns="keys", measures=("open_batch",), per="keys")


def keys(**public: int) -> list[Size]:
    return [Size(subject=subject(name), name="public_key_bytes", value=value) for name, value in public.items()]


def test_sizes_alone_are_a_table_by_the_first_of_them(tmp_path: Path) -> None:
    calls = Size(subject=subject("fast"), name="keypair_random_calls", value=2)
    store(tmp_path, sizes=[*keys(fast=64, slow=32), calls])
    (table,) = tables(tmp_path, SIZES)
    assert [(row.label, [f and f.value for f in row.figures]) for row in table.rows] == [
        ("slow", [32, None]),
        ("fast", [64, 2]),
    ]
    assert [(column.label, column.unit) for column in table.columns] == [
        ("public key bytes", "bytes"),
        ("keypair random calls", "calls"),
    ]
    (by_name,) = tables(tmp_path, SIZES, sort="name")
    assert [row.label for row in by_name.rows] == ["fast", "slow"]


@pytest.mark.parametrize(("there", "count"), [(64, 1), (65, 2)])
def test_machines_with_the_same_sizes_share_a_table(there: int, count: int, tmp_path: Path) -> None:
    store(tmp_path, sizes=keys(fast=64, slow=32))
    store(tmp_path, run_info(machine="other", run="2026-01-01T00-00-00-other"), sizes=keys(fast=there, slow=32))
    made = tables(tmp_path, SIZES)
    assert len(made) == count
    assert {context.machine for table in made for context in table.contexts} == {"other", run_info().machine}


def test_a_view_may_show_cycles_per_key(tmp_path: Path) -> None:
    rows = [sample("empty", 0), sample("open_batch", 1000, keys=1), sample("open_batch", 4000, keys=8)]
    write_run(tmp_path, run_info(), [process("fast", rows, round=r) for r in range(2)])
    (table,) = tables(tmp_path, BATCH)
    assert numbers(table) == {"fast": [1000, 500]}
    quartiles = [figure.quartiles for figure in table.rows[0].figures if figure]
    assert quartiles == [pytest.approx((1000, 1000)), pytest.approx((500, 500))]


@pytest.mark.parametrize("timings", [1, 2, 3, 15])
def test_a_value_of_a_short_series_states_its_number_of_timings(timings: int, tmp_path: Path) -> None:
    rows = [sample("empty", 0), sample("encrypt", 0, 576, series=series(9_000_000)[:timings])]
    write_run(tmp_path, run_info(), [process("fast", rows, round=r) for r in range(2)])
    (table,) = tables(tmp_path, MACHINE)
    (figure,) = table.rows[0].figures
    assert figure is not None
    assert (figure.value, figure.timings, figure.samples) == (9_000_000, 2 * timings, 2)
