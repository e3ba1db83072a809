# SPDX-License-Identifier: MIT OR Apache-2.0
"""The page "Your traffic" in a real browser: its numbers are those of `cyclometer rank`."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from support.browser import chromium, tab
from support.command_line import CommandLine
from support.small_tree import SmallTree
from support.synthetic import process, run_info, sample, write_run

LIMITED = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    title = "Few keys, many forgeries"
    source = "s"
    [packets]
    histogram = { 40 = 3, 200 = 1 }
    [keys]
    active = 8
    order = "bursts of 4"
    packets_per_key = 1_000
    [mix]
    encrypt = 0.25
    forged = 0.5
    [security]
    bits = 64
    """
STRICT = LIMITED.replace("bits = 64", 'bits = 120\nmodel = "misuse-resistant"\nforgery = "2^-100"') + (
    "[limits]\n    code_bytes = 100\n    constant_time = true\n"
)
SYSTEMS = ("aes-128-gcm", "chacha20-poly1305", "salsa20-poly1305", "aes-256-ocb3")


class Report:
    """A tree whose systems are ranked for a workload, and the report about that run."""

    def __init__(self, base: Path, cache: Path) -> None:
        tree = SmallTree.grow(
            base / "tree",
            *("crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref", "crypto_aead/salsa20-poly1305"),
            *("crypto_aead/aes-128-gcm/ref", "crypto_aead/chacha20-poly1305/ref", "crypto_aead/aes-256-ocb3/ref"),
        )
        tree.write("workloads/limited.toml", LIMITED)
        tree.write("workloads/strict.toml", STRICT)
        self.tree = tree
        self.command = CommandLine(tree=tree.root, cache=cache, results=base / "results")
        result = self.command("rank", "limited", "--machine", "box", "--rounds", "3")
        assert result.status == 0, result.stderr
        self.site = base / "site"
        assert self.command("report", "--all", "-o", self.site).status == 0

    def ranked(self, *arguments: str) -> dict[str, Any]:
        """Return what `cyclometer rank --stored` says."""
        result = self.command("rank", *arguments, "--stored", "--machine", "box", "--format", "json")
        assert result.status == 0, result.stderr
        found: dict[str, Any] = json.loads(result.stdout)
        return found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Report:
    return Report(tmp_path_factory.mktemp("traffic"), build_cache)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def page(report: Report, browser: Browser) -> Iterator[Page]:
    with tab(browser) as opened:
        opened.go(report.site / "traffic.html")
        settled(opened.page)
        yield opened.page


def settled(page: Page) -> None:
    """Wait until the page has answered."""
    page.wait_for_function("document.getElementById('workload').dataset.done")


def choose(page: Page, name: str, value: str) -> None:
    page.evaluate("delete document.getElementById('workload').dataset.done")
    field = page.locator(f"[name={name}]")
    if field.evaluate("(each) => each.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
        field.press("Tab")
    settled(page)


def table(page: Page, section: str) -> list[dict[str, Any]]:
    """Return the rows of a table: heading -> number in full (null: there is none), or text."""
    rows: list[dict[str, Any]] = page.locator(f"#{section} table").evaluate(
        """(table) => {
          const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
          const number = (text) => text === "" ? null : Number(text);
          const value = (cell) => cell.dataset.value === undefined ? cell.textContent : number(cell.dataset.value);
          const values = (row) => [...row.cells].map((cell, at) => [heads[at], value(cell)]);
          return [...table.querySelectorAll("tbody tr")].map((row) => Object.fromEntries(values(row)));
        }"""
    )
    return rows


def shown(found: dict[str, Any], view: str) -> list[dict[str, Any]]:
    """Return the rows of a table of the command line: label -> value."""
    [wanted] = [each for each in found["tables"] if each["view"] == view]
    labels = [column["label"] for column in wanted["columns"]]
    return [
        {
            "row": row["label"],
            **{name: each and each["value"] for name, each in zip(labels, row["figures"], strict=True)},
        }
        for row in wanted["rows"]
    ]


def same(own: float | None, other: float | None) -> bool:
    """Say whether the page has the number of the command line, or none where it has none."""
    return own is other is None or (own is not None and other is not None and own == pytest.approx(other, rel=1e-6))


def excluded(page: Page, section: str) -> set[str]:
    return {line.text_content() or "" for line in page.locator(f"#{section} li").all()}


@pytest.mark.parametrize(
    ("fields", "arguments"),
    [
        ({}, ()),
        ({"forged": "0"}, ("--forged", "0")),
        ({"forged": "1", "encrypt": "0"}, ("--forged", "1", "--encrypt", "0")),
        ({"keys": "1", "as_of": "2012-06-01"}, ("--keys", "1", "--as-of", "2012-06-01")),
    ],
)
def test_costs_order_and_exclusions_are_those_of_the_command(
    report: Report, page: Page, fields: dict[str, str], arguments: tuple[str, ...]
) -> None:
    choose(page, "preset", "limited")
    for name, value in fields.items():
        choose(page, name, value)
    found = report.ranked("limited", *arguments)
    ours, theirs = table(page, "ranking"), shown(found, "rank")
    assert [row["system"] for row in ours] == [row["row"] for row in theirs]
    assert len(ours) >= 2
    for own, other in zip(ours, theirs, strict=True):
        for name in ("cost", "from", "to", "/best", "bits left", "code bytes", "key bytes", "years"):
            assert same(own[name], other[name]), (own["system"], name)
        assert (own["dominated by"] == "–") == (other["dominated by"] is None)
    for own, other in zip(table(page, "parts"), shown(found, "rank-parts"), strict=True):
        for name in ("encrypt %", "reject %", "model", "one key", "per byte", "M packets/s", "Gbit/s"):
            assert own[name] == pytest.approx(other[name], rel=1e-5), name
    notes = {note for note in found["notes"] if " excluded: " in note}
    assert excluded(page, "excluded") == notes


def test_ranks_ties_and_replay_are_those_of_the_command(report: Report, page: Page) -> None:
    choose(page, "preset", "limited")
    found = report.ranked("limited")
    [main] = [each for each in found["tables"] if each["view"] == "rank"]
    assert [row["#"] for row in table(page, "ranking")] == [row["figures"][0]["rank"] for row in main["rows"]]
    for own, other in zip(table(page, "ranking"), shown(found, "rank"), strict=True):
        assert own["replay/model"] == pytest.approx(other["replay/model"], rel=1e-6)
    notes = {note for note in found["notes"] if " excluded: " not in note}
    assert excluded(page, "notes") == notes


def test_where_the_leader_changes_is_as_the_command_says(report: Report, page: Page) -> None:
    choose(page, "preset", "limited")
    views = {each["view"] for each in report.ranked("limited")["tables"]}
    assert page.locator("#changes table").count() == ("rank-changes" in views)
    if "rank-changes" in views:
        ours, theirs = table(page, "changes"), shown(report.ranked("limited"), "rank-changes")
        assert [(row["variable"], row["leader"]) for row in ours] == [(row["row"], row["leader"]) for row in theirs]
        for own, other in zip(ours, theirs, strict=True):
            assert own["at"] == pytest.approx(other["at"], rel=1e-5)


def test_every_limit_excludes_with_the_reasons_of_the_command(report: Report, page: Page) -> None:
    choose(page, "preset", "strict")
    assert page.locator("#ranking .empty").is_visible()
    lines = excluded(page, "excluded")
    result = report.command("rank", "strict", "--stored", "--machine", "box")
    result.complains("every system is excluded")
    for reason in ("model: claims nothing if a nonce repeats", "forgery: up to 2^"):
        assert any(reason in line for line in lines)
    choose(page, "model", "nonce-respecting")
    choose(page, "forgery", "")
    choose(page, "bits", "")
    lines = excluded(page, "excluded")
    assert len(lines) == len(SYSTEMS)
    for line in lines:
        assert "code_bytes: " in line
        assert ", not 100; constant_time: not checked" in line


def test_the_address_holds_the_workload(report: Report, page: Page, browser: Browser) -> None:
    choose(page, "preset", "limited")
    choose(page, "packets", "40:1, 200:9")
    choose(page, "code_bytes", "50000")
    before, fragment = table(page, "ranking"), page.url.partition("#")[2]
    with tab(browser) as other:
        other.go(report.site / "traffic.html", fragment)
        settled(other.page)
        assert table(other.page, "ranking") == before
        assert other.page.locator("[name=code_bytes]").input_value() == "50000"
        assert other.page.locator("[name=order]").input_value() == "bursts of 4"


def test_lengths_between_measured_ones_are_marked(page: Page) -> None:
    choose(page, "preset", "limited")
    choose(page, "packets", "120")
    costs = page.locator("#ranking tbody td.number").all_text_contents()
    assert any("≈" in text for text in costs)
    between = {row["system"]: row["cost"] for row in table(page, "ranking")}
    ends = []
    for length in ("40", "200"):
        choose(page, "packets", length)
        ends.append({row["system"]: row["cost"] for row in table(page, "ranking")})
    for name, cost in between.items():
        assert cost == pytest.approx((ends[0][name] + ends[1][name]) / 2, rel=0.02)


def give(page: Page, file: Path) -> None:
    page.evaluate("delete document.getElementById('workload').dataset.done")
    page.locator("[name=file]").set_input_files(file)
    settled(page)


def test_a_workload_file_is_imported(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "Mine"\nsource = "s"\n[packets]\nrange = [40, 44]\nad = { 0 = 1 }\n[keys]\nactive = 8\n')
    give(page, file)
    assert page.locator("#what").text_content() == "Mine"
    assert page.locator("[name=packets]").input_value() == "40-44"
    assert table(page, "ranking")


def test_a_trace_of_100000_packets_is_loaded_and_read_as_the_command_reads_it(
    report: Report, page: Page, tmp_path: Path
) -> None:
    draw = random.Random(7)
    lines = [f"{draw.choice((40, 200))},{draw.randrange(8)},{int(draw.random() < 0.1)}" for _ in range(100_000)]
    file = tmp_path / "trace.csv"
    file.write_text("length,key,forged\n" + "\n".join(lines) + "\n")
    give(page, file)
    assert page.locator("#what").text_content() == "trace.csv: 100,000 packets"
    assert page.locator("[name=keys]").input_value() == "8"
    found = report.command("rank", "--trace", file, "--stored", "--machine", "box", "--no-replay", "--format", "json")
    ours, theirs = table(page, "ranking"), shown(json.loads(found.stdout), "rank")
    assert [row["system"] for row in ours] == [row["row"] for row in theirs]
    for own, other in zip(ours, theirs, strict=True):
        assert own["cost"] == pytest.approx(other["cost"], rel=1e-6)


@pytest.mark.parametrize(
    ("name", "text", "parts"),
    [
        ("a.csv", "length,kye\n1,2\n", ("a.csv, line 1", "unknown column 'kye'", "did you mean 'key'")),
        ("a.csv", "length,forged\n40,0\n40\n", ("a.csv, line 3 has 1 of 2 values",)),
        ("a.csv", "length\n", ("a.csv has no packets",)),
        ("a.csv", "length\n4x\n", ("a.csv, line 2", "'4x' is not a number")),
        ("a.toml", "[packets]\nhistogram = { 40 = 0 }\n", ("a.toml", "has no packets")),
        (
            "a.toml",
            "[packets]\nrange = [1, 2]\n[limits]\ncode_byte = 1\n",
            ("line 4", "limits.code_byte", "code_bytes"),
        ),
        ("a.toml", "[packets]\nhistogram = { 99999999 = 1 }\n", ("not a length from 0 to 16,777,216",)),
    ],
)
def test_a_bad_file_is_refused_with_its_place(
    page: Page, tmp_path: Path, name: str, text: str, parts: tuple[str, ...]
) -> None:
    (tmp_path / name).write_text(text)
    give(page, tmp_path / name)
    said = page.locator("#wrong").text_content() or ""
    for part in parts:
        assert part in said


def test_regret_is_the_highest_multiple(report: Report, page: Page) -> None:
    page.locator("#compare").click()
    page.locator("#regret table").wait_for()
    rows = table(page, "regret")
    assert {row["system"] for row in rows} <= set(SYSTEMS)
    assert "limited" in rows[0]


FIXED, PER_BYTE, UNDER_64 = 200, 2, 64  # cycles
LENGTHS = (40, 200, 1500)
ALONE = """
    title = "One length"
    source = "s"
    [packets]
    histogram = { 200 = 1 }
    """


class Stored:
    """A report about an older run with a fast tuning and a newer one with a slower tuning; the numbers are known."""

    def __init__(self, base: Path, cache: Path) -> None:
        self.tree = SmallTree.grow(base / "tree", "crypto_aead/aes-128-gcm")
        self.tree.write("workloads/alone.toml", ALONE)
        for run, implementation, more in (("1-older", "fast", 0), ("2-newer", "slow", 70)):
            info = replace(run_info(), run=run)
            packets = [
                sample(measure, FIXED + more + PER_BYTE * length + UNDER_64 * (keys == 64), length, keys=keys)
                for measure in ("encrypt", "decrypt", "reject")
                for length, keys in (*((each, 1) for each in LENGTHS), (200, 64))
            ]
            own = [sample("empty", 0), sample("expandkey", 500), *packets]
            processes = [
                process("aes-128-gcm", own, round=n, info=info, implementation=implementation) for n in range(3)
            ]
            write_run(base / "results", info, processes)
        self.command = CommandLine(tree=self.tree.root, cache=cache, results=base / "results")
        self.site = base / "site"
        assert self.command("report", "--all", "-o", self.site).status == 0


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Stored:
    return Stored(tmp_path_factory.mktemp("stored"), build_cache)


@pytest.fixture
def known(stored: Stored, browser: Browser) -> Iterator[Page]:
    with tab(browser) as opened:
        opened.go(stored.site / "traffic.html")
        settled(opened.page)
        yield opened.page


def test_the_page_takes_the_tuning_that_the_command_takes(stored: Stored, known: Page) -> None:
    result = stored.command("rank", "alone", "--stored", "--machine", "box", "--format", "json")
    [theirs], [ours] = shown(json.loads(result.stdout), "rank"), table(known, "ranking")
    assert ours["cost"] == pytest.approx(theirs["cost"], rel=1e-6)
    assert ours["cost"] == pytest.approx(FIXED + PER_BYTE * 200, rel=0.01)


@pytest.mark.parametrize(
    ("fields", "cycles"),
    [
        ({"packets": "120"}, FIXED + PER_BYTE * 120),
        ({"keys": "8"}, FIXED + PER_BYTE * 200 + UNDER_64 / 2),  # halfway between 1 and 64, in the logarithm
        ({"packets": "850", "keys": "64"}, FIXED + PER_BYTE * 850 + UNDER_64),
    ],
)
def test_what_lies_between_measured_points_is_interpolated(known: Page, fields: dict[str, str], cycles: float) -> None:
    for name, value in fields.items():
        choose(known, name, value)
    [row] = table(known, "ranking")
    assert row["cost"] == pytest.approx(cycles, rel=0.01)
    assert known.locator("#ranking tbody td.number", has_text="≈").count()


@pytest.mark.parametrize(
    ("fields", "arguments"),
    [
        ({"packets": "39"}, ()),
        ({"packets": "1501"}, ()),
        ({"packets": "40:1, 1501:1"}, ()),
        ({"keys": "65"}, ("--keys", "65")),
        ({"keys": "65", "encrypt": "1"}, ("--keys", "65", "--encrypt", "1")),
    ],
)
def test_beyond_what_was_measured_the_page_says_why_as_the_command_does(
    stored: Stored, known: Page, tmp_path: Path, fields: dict[str, str], arguments: tuple[str, ...]
) -> None:
    for name, value in fields.items():
        choose(known, name, value)
    file = tmp_path / "beyond.toml"
    histogram = [each.partition(":")[::2] for each in fields.get("packets", "200").split(", ")]
    entries = ", ".join(f"{length} = {weight or 1}" for length, weight in histogram)
    file.write_text(f'title = "t"\n[packets]\nhistogram = {{ {entries} }}\n')
    result = stored.command("rank", file, "--stored", "--machine", "box", *arguments)
    [line] = excluded(known, "excluded")
    reason = line.removeprefix("aes-128-gcm excluded: ")
    assert reason.startswith("measured, but not ")
    result.complains(f"aes-128-gcm: {reason}")
    assert known.locator("#ranking .empty").is_visible()


def test_ties_are_decided_by_the_control_of_the_run_that_has_the_costs(
    tmp_path: Path, build_cache: Path, browser: Browser
) -> None:
    """The control of an older run, with more rounds, differs by half from its twin; that of the newer one does not."""
    tree = SmallTree.grow(tmp_path / "tree", "crypto_aead/aes-128-gcm", "crypto_aead/chacha20-poly1305")
    tree.write("workloads/alone.toml", ALONE)
    for run, rounds, of_twin in (("1-older", 9, 1.5), ("2-newer", 3, 1.0)):
        info = replace(run_info(), run=run)
        processes = []
        for name, cycles in (("aes-128-gcm", 1000), ("chacha20-poly1305", 1100)):
            for control, factor in ((False, 1.0), (True, of_twin)):
                packets = [sample(measure, cycles * factor, 200) for measure in ("encrypt", "decrypt", "reject")]
                own = [sample("empty", 0), sample("expandkey", 500 * factor), *packets]
                processes += [process(name, own, round=n, info=info, control=control) for n in range(rounds)]
        write_run(tmp_path / "results", info, processes)
    command = CommandLine(tree=tree.root, cache=build_cache, results=tmp_path / "results")
    assert command("report", "--all", "-o", tmp_path / "site").status == 0
    result = command("rank", "alone", "--stored", "--machine", "box", "--format", "json")
    [main, *_] = json.loads(result.stdout)["tables"]
    assert [row["figures"][0]["rank"] for row in main["rows"]] == [1, 2]
    with tab(browser) as opened:
        opened.go(tmp_path / "site/traffic.html")
        settled(opened.page)
        choose(opened.page, "preset", "alone")
        assert [row["#"] for row in table(opened.page, "ranking")] == [1, 2]
