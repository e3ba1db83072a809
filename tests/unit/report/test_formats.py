# SPDX-License-Identifier: MIT OR Apache-2.0
"""Reporters: each writes the same records to a stream in its format."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path

import pytest
from rich.console import Console

import cyclometer.report.formats
from cyclometer.errors import UnknownName
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.records.table import Column, Context, MachineFailure, Report, Row, Table, Value
from cyclometer.report import format_names, reporter
from cyclometer.report.formats.terminal import Drawn
from cyclometer.report.text import as_text, caption
from support.synthetic import subject

BOX = Context(
    machine="box",
    cpu="Example CPU",
    counter="rdtsc",
    unit="core cycles",
    converted_from="TSC ticks",
    profile="quick",
    runs=("2026-11-21T21-00-00-quick",),
    overhead=24.0,
    spread=0.0042,
)


def row(name: str, *figures: Value | None) -> Row:
    return Row(
        operation="crypto_aead",
        primitive=name,
        implementation="ref",
        compiler="gcc-O3",
        label=name,
        figures=figures,
    )


TABLE = Table(
    view="length",
    operation="crypto_aead",
    measure="encrypt",
    title="Cycles to encrypt a packet",
    variable="length",
    columns=(Column(label="0", unit="core cycles"), Column(label="576", unit="core cycles")),
    rows=(
        row(
            "aes-128-gcm",
            Value(value=74.58, rank=1),
            Value(
                value=1000.4,
                quartiles=(998.6, 1003.0),
                interval=(999.0, 1002.0),
                rounds=5,
                samples=5,
                rank=1,
                shares_rank=True,
            ),
        ),
        row(
            "aes-256_gcm",
            None,
            Value(value=1002.0, rounds=5, samples=5, rank=1, shares_rank=True, ties_with_best=True),
        ),
        row("rc4-poly1305", Value(value=300.0, rank=2, varies=True), Value(value=12345.6, rank=3, disturbed=True)),
    ),
    contexts=(BOX,),
    ranked_by="576",
)


def lacking(name: str, compiler: str) -> MachineFailure:
    what = subject(name, "avx512", compiler)
    failure = Failure(
        stage="build", subject=what, kind=FailureKind.NEEDS_FEATURE, reason="needs avx512f", detail="a\nb"
    )
    return MachineFailure(machine="box", failure=failure)


LACKING = [lacking(name, compiler) for name in ("a", "b", "c", "d") for compiler in ("gcc-O3", "gcc-O2")]
REPORT = Report(tables=(TABLE,), failures=tuple(LACKING), notes=("pi left out: measured under another contract",))


def written(format: str, report: Report = REPORT) -> str:
    stream = io.StringIO()
    reporter(format)(report, stream)
    return stream.getvalue()


@pytest.mark.parametrize(("step", "is_said"), [(26.0, True), (2.0, False), (None, False)])
def test_a_caption_says_the_step_of_a_coarse_timer_and_what_dithering_leaves_of_it(
    step: float | None, is_said: bool
) -> None:
    timed = row("aes-128-gcm", Value(value=74.58, rank=1, timings=2704), None)
    table = dataclasses.replace(TABLE, rows=(timed,), contexts=(dataclasses.replace(BOX, dithered_step=step),))
    [context, *_] = caption(table)
    # half a step by the square root of the timings
    assert context.endswith("; timer step 26 TSC ticks, dithered to ±0.25") == is_said
    assert ("dithered" in context) == is_said


def test_a_caption_says_that_a_coarse_timer_is_read_twice_for_each_count() -> None:
    timed = row("aes-128-gcm", Value(value=74.58, rank=1, timings=2704), None)
    box = dataclasses.replace(BOX, dithered_step=26.0, is_read_twice=True)
    [context, *_] = caption(dataclasses.replace(TABLE, rows=(timed,), contexts=(box,)))
    # a quarter of a step by the square root of the timings
    assert context.endswith("; timer step 26 TSC ticks, read twice and dithered to ±0.12")


READABLE = ["terminal", "markdown", "latex"]


def test_the_formats_are_the_modules_of_one_folder() -> None:
    assert format_names() == ["csv", "json", "latex", "markdown", "terminal"]


def test_adding_a_format_is_adding_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "count.py").write_text("def write(report, stream):\n    stream.write(str(len(report.tables)))\n")
    monkeypatch.setattr(cyclometer.report.formats, "__path__", [*cyclometer.report.formats.__path__, str(tmp_path)])
    assert "count" in format_names()
    assert written("count") == "1"


def test_an_unknown_format_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'markdown'"):
        reporter("markdwon")


@pytest.mark.parametrize("format", READABLE)
@pytest.mark.parametrize(
    "words",
    [
        "Cycles to encrypt a packet",
        "box: Example CPU",
        "core cycles converted from TSC ticks; 2026-11-21T21-00-00-quick",
        "A/A spread 0.42",
        "tie: no significant difference from the fastest in the column",
        "none of its samples is undisturbed; an upper bound",
        "interval reaches more than 3",
        "pi left out: measured under another contract",
        "4 implementations could not be used here: a avx512: needs avx512f; b avx512: needs avx512f; c avx512",
        "--failures lists all",
    ],
)
def test_every_readable_format_has_the_context_of_the_numbers(format: str, words: str) -> None:
    assert words in written(format)


def test_tables_of_placement_say_what_could_not_be_made_cold() -> None:
    reason = "vector is not made cold here"
    failure = Failure(
        stage="measure", subject=subject("a", "avx2", "gcc-O3"), kind=FailureKind.NOT_EVICTED, reason=reason,
        severity=Severity.WARNING,
    )  # fmt: skip
    report = dataclasses.replace(REPORT, failures=(MachineFailure(machine="box", failure=failure),))
    placed = dataclasses.replace(report, tables=(dataclasses.replace(TABLE, view="placement"),))
    assert f"left out: {reason}; --failures lists all" in written("terminal", placed)
    assert reason not in written("terminal", report), "an ordinary table needs nothing cold"


@pytest.mark.parametrize("format", READABLE)
@pytest.mark.parametrize(
    "message",
    [
        "rdtsc, TSC ticks converted to core cycles",
        "quick profile, 2026-11-21T21-00-00-quick",
        "overhead of 24.0 TSC ticks subtracted",
    ],
)
def test_the_measuring_conditions_are_shown_on_request(format: str, message: str) -> None:
    assert message not in written(format)
    assert message in written(format, dataclasses.replace(REPORT, verbose=True))


def test_a_table_in_markdown() -> None:
    lines = written("markdown").splitlines()
    assert lines[2:7] == [
        r"| \# | system | 0 | 576 |",
        "| --- | --- | ---: | ---: |",
        "| 1= | aes-128-gcm | 74.6 | 1000 |",
        r"| 1= | aes-256\_gcm | - | 1002= |",
        r"| 3 | rc4-poly1305 | ?300 | \~12346 |",
    ]


@pytest.mark.parametrize("format", ["terminal", "markdown", "latex"])
def test_titles_name_the_operation_where_there_are_several(format: str) -> None:
    """Authenticators and signatures both have "Cycles to reject a message, by its length in bytes"."""
    others = dataclasses.replace(TABLE, operation="boxes")
    both = written(format, dataclasses.replace(REPORT, tables=(TABLE, others)))
    assert f"boxes: {TABLE.title}" in both
    assert f"boxes: {TABLE.title}" not in written(format, dataclasses.replace(REPORT, tables=(others,)))


def test_a_table_in_latex() -> None:
    text = written("latex")
    assert r"\begin{tabular}{llrr}" in text
    assert r"1= & aes-256\_gcm & - & 1002= \\" in text
    assert r"3 & rc4-poly1305 & ?300 & \textasciitilde{}12346 \\" in text


def test_a_table_in_the_terminal_keeps_every_digit_however_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    text = written("terminal")
    for word in ("aes-128-gcm", "74.6", "1002=", "~12346"):
        assert word in text


@pytest.mark.parametrize("name", ["trivium-poly1305", "大小"])  # rich draws tables with wide characters
def test_digits_are_aligned_whatever_is_marked(name: str) -> None:
    last = Value(value=7.5, rank=10)
    table = dataclasses.replace(TABLE, rows=(*TABLE.rows, row(name, None, last)))
    lines = [line for line in written("terminal", Report(tables=(table,))).splitlines() if line.startswith(("┃", "│"))]
    cells = [[word[1:-1] for word in line.replace("┃", "│").split("│")[1:-1]] for line in lines]
    assert [row[0] for row in cells] == [" # ", " 1=", " 1=", " 3 ", "10 "]
    assert [row[2] for row in cells] == ["   0", "74.6", "   -", "?300", "   -"]
    assert [row[3] for row in cells] == ["   576 ", "  1000 ", "  1002=", "~12346 ", "   7.5 "]


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("width", [30, 200])
@pytest.mark.parametrize(
    "title", ["Cycles", "", "Cycles of a title that is by far wider than its table is", "Größe, 大小"]
)
def test_a_table_looks_as_rich_draws_it(terminal: bool, width: int, title: str) -> None:
    texts = dataclasses.replace(TABLE, columns=(Column(label="0", unit=""), *TABLE.columns[1:]))
    for table in (TABLE, texts, dataclasses.replace(TABLE, rows=()), dataclasses.replace(TABLE, ranked_by="")):
        drawn = Drawn(dataclasses.replace(table, title=title), quartiles=True)
        shown = []
        for what in (drawn, drawn.by_rich()):
            console = Console(force_terminal=terminal, color_system="standard", highlight=False, width=width)
            with console.capture() as capture:
                console.print(what)
            shown.append(capture.get())
        assert shown[0] == shown[1]


def test_a_table_wider_than_the_terminal_is_printed_in_parts_with_all_digits() -> None:
    parts = list(Drawn(TABLE, quartiles=False).folded(most=32))
    assert len(parts) > 1
    for part in parts:
        assert [heading.strip() for heading in part.header[:2]] == ["#", "system"]
        console = Console(highlight=False, width=32)
        with console.capture() as capture:
            console.print(part)
        assert "…" not in capture.get()
    headings = [heading for part in parts for heading in part.header[2:]]
    assert headings == list(Drawn(TABLE, quartiles=False).header[2:])
    assert [part.title for part in parts[1:]] == [f"{TABLE.title} (continued)"] * (len(parts) - 1)
    assert len(list(Drawn(TABLE, quartiles=False).folded(most=200))) == 1


@pytest.mark.parametrize("format", READABLE)
def test_quartiles_on_request(format: str) -> None:
    assert "(999..1003)" not in written(format)
    assert "1000 (999..1003)" in written(format, dataclasses.replace(REPORT, with_quartiles=True))


@pytest.mark.parametrize("format", READABLE)
def test_all_failures_on_request(format: str) -> None:
    text = written(format, dataclasses.replace(REPORT, with_all_failures=True))
    assert text.count("needs avx512f") == 8
    assert "--failures lists all" not in text


def test_marks_are_explained_only_where_they_occur() -> None:
    plain = dataclasses.replace(TABLE, rows=(row("x", Value(value=1.0), Value(value=2.0)),), ranked_by="")
    text = written("markdown", Report(tables=(plain,)))
    assert "disturbed" not in text
    assert "significant" not in text


def test_a_table_says_of_how_many_systems_disturbed_timings_chose_the_tuning_and_what_to_do() -> None:
    rows = (
        row("x", Value(value=100.0, varies=True, unclear=True), Value(value=200.0, varies=True, unclear=True)),
        row("y", Value(value=100.0), Value(value=200.0)),
    )
    text = written("markdown", Report(tables=(dataclasses.replace(TABLE, rows=rows, ranked_by=""),)))
    assert text.count("?100") == 1
    assert "disturbed timings chose the tunings of 1 of 2, so others may be faster; a run in a quieter moment" in text
    assert "95 % interval reaches" not in text, "no interval is wide"


def test_csv_has_a_line_per_value_in_full_precision() -> None:
    lines = list(csv.DictReader(io.StringIO(written("csv"))))
    assert len(lines) == 5
    first = lines[1]
    assert (first["primitive"], first["measure"], first["column"]) == ("aes-128-gcm", "encrypt", "576")
    assert (first["value"], first["low"], first["high"], first["quartile1"]) == (
        "1000.4",
        "999.0",
        "1002.0",
        "998.6",
    )
    assert (first["machine"], first["counter"], first["unit"]) == ("box", "rdtsc", "core cycles")
    assert [line["disturbed"] for line in lines] == ["0", "0", "0", "0", "1"]


def test_csv_of_failures() -> None:
    lines = list(csv.DictReader(io.StringIO(written("csv", dataclasses.replace(REPORT, with_all_failures=True)))))
    assert len(lines) == 8
    assert lines[0]["reason"] == "needs avx512f"


def test_json_is_the_records() -> None:
    content = json.loads(written("json"))
    assert content["format"] == 1
    assert content["tables"][0]["rows"][0]["figures"][1]["value"] == 1000.4
    assert content["tables"][0]["rows"][1]["figures"][0] is None
    assert content["tables"][0]["contexts"][0]["spread"] == 0.0042
    assert content["failures"][0]["failure"]["reason"] == "needs avx512f"


def test_an_empty_report_is_empty() -> None:
    assert written("markdown", Report(tables=())) == ""


def test_slow_calls_are_marked_with_the_fewest_timings() -> None:
    slow, usual = Value(value=5e9, rounds=3, timings=3), Value(value=5e6, rounds=3, timings=45)
    table = dataclasses.replace(TABLE, rows=(row("x", slow, usual),), ranked_by="")
    assert as_text(table, quartiles=False).rows == (("x", "'5000000000", "5000000"),)
    assert caption(table)[-1] == "'  slow calls: fewer timings than usual (at least 3 instead of 45)"


def test_a_difference_within_its_error_is_shown_as_its_bound() -> None:
    noise = Value(value=-20.9, error=34.0, is_difference=True)
    seen = Value(value=-20.9, error=4.0, is_difference=True)
    table = dataclasses.replace(TABLE, rows=(row("x", noise, seen),), ranked_by="")
    assert as_text(table, quartiles=False).rows == (("x", "<30", "-21"),)
    assert caption(table)[-1].startswith("<  nothing measurable")


def test_interpolated_numbers_are_marked_and_the_mark_is_explained() -> None:
    figure = Value(value=876.0, between=(576, 1500))
    table = dataclasses.replace(TABLE, rows=(row("x", figure, None),), ranked_by="")
    assert as_text(table, quartiles=False).rows == (("x", "≈876", "-"),)
    assert "straight line between the measured lengths 576 and 1500" in caption(table)[-1]
    assert "≈876" in written("terminal", Report(tables=(table,)))
    assert "576 1500" in written("csv", Report(tables=(table,)))
    assert r"$\approx$876" in written("latex", Report(tables=(table,)))
