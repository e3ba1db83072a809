# SPDX-License-Identifier: MIT OR Apache-2.0
"""A number that is not to be trusted has the same marks wherever it is shown: tables, rankings, exports, web pages."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from cyclometer.records.tuning import NOISE, Trial
from support.browser import chromium, tab
from support.command_line import CommandLine
from support.small_tree import SmallTree
from support.synthetic import QUIET_LOAD, process, run_info, sample, subject, write_run

LOAD = """
    # SPDX-License-Identifier: MIT OR Apache-2.0
    title = "One packet"
    source = "s"
    [packets]
    histogram = { 576 = 1 }
    [keys]
    active = 1
    packets_per_key = 1_000
    [mix]
    encrypt = 1.0
    forged = 0.0
    """
MARKS = {
    "aes-128-gcm": "",
    "chacha20-poly1305": "?",  # rounds of 1900, 2000 and 2100 cycles
    "salsa20-poly1305": "?",  # disturbed timings chose its tuning
    "aes-256-ocb3": "~",  # each sample was disturbed
}
CYCLES = {"aes-128-gcm": 1000, "chacha20-poly1305": 2000, "salsa20-poly1305": 3000, "aes-256-ocb3": 4000}


def rounds(primitive: str, number: int) -> list[dict[str, object]]:
    """Make what one process measures of a system."""
    cycles = CYCLES[primitive] + 100 * (number - 1) * (primitive == "chacha20-poly1305")
    load = QUIET_LOAD * (2 if MARKS[primitive] == "~" else 1)
    timed = [sample("encrypt", cycles, 576), sample("expandkey", 500)]
    return [sample("empty", 0), *({**row, "load_before": load, "load_after": load} for row in timed)]


class Stored:
    """A tree of four systems and one stored run of them, and the report about it."""

    def __init__(self, base: Path, cache: Path) -> None:
        tree = SmallTree.grow(
            base / "tree",
            *("crypto_stream/salsa20/ref", "crypto_onetimeauth/poly1305/ref", "crypto_aead/salsa20-poly1305"),
            *("crypto_aead/aes-128-gcm/ref", "crypto_aead/chacha20-poly1305/ref", "crypto_aead/aes-256-ocb3/ref"),
        )
        tree.copy("published")
        tree.write("workloads/one.toml", LOAD)
        self.command = CommandLine(tree=tree.root, cache=cache, results=base / "results")
        choice = [Trial(subject=subject("salsa20-poly1305"), cycles=1, timings=9, chosen=True, place=1)]
        rival = subject("salsa20-poly1305", compiler="clang-O3")
        choice.append(Trial(subject=rival, cycles=1, timings=9, chosen=False, place=2, decided_by=NOISE))
        info = run_info()
        processes = [process(name, rounds(name, number), round=number) for name in MARKS for number in range(3)]
        write_run(base / "results", info, processes, trials=choice)
        self.site = base / "site"

    def report(self) -> Path:
        """Write the report, once, and return its folder."""
        if not self.site.exists():
            assert self.command("report", "--all", "-o", self.site).status == 0
        return self.site

    def marks_of(self, *arguments: str) -> dict[str, str]:
        """Return the marks of the first table that a command prints as JSON, by system."""
        result = self.command(*arguments, "--machine", "box", "--format", "json")
        assert result.status == 0, result.stderr
        first = {row["label"]: row["figures"][0] for row in json.loads(result.stdout)["tables"][0]["rows"]}
        return {name: "~" * figure["disturbed"] + "?" * figure["varies"] for name, figure in first.items()}


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Stored:
    return Stored(tmp_path_factory.mktemp("marks"), build_cache)


@pytest.fixture(scope="module")
def page(stored: Stored) -> Iterator[Page]:
    stored.report()
    with chromium() as browser, tab(browser) as opened:
        yield opened.page


def before_numbers(page: Page, rows: str, name: str, number: str) -> dict[str, str]:
    """Return the marks with an explanation in the rows of a page, by what the element `name` of each row says."""
    shown = page.locator(rows)
    expect(shown).to_have_count(len(MARKS))
    return {
        (row.locator(name).first.text_content() or "").strip(): "".join(
            row.locator(number).first.locator("abbr[title]:not(.tie)").all_text_contents()
        )
        for row in shown.all()
    }


def test_tables_mark_it(stored: Stored) -> None:
    assert stored.marks_of("table") == MARKS


def test_a_ranking_marks_it_and_says_what_the_marks_mean(stored: Stored) -> None:
    """The key is expanded once in 1000 packets, so that it counts for little."""
    assert stored.marks_of("rank", "one", "--stored", "--no-replay") == MARKS
    printed = stored.command("rank", "one", "--stored", "--no-replay", "--machine", "box").stdout
    assert "~4000" in printed
    assert "?3000" in printed
    assert "?  unclear: disturbed timings chose the tunings of 1 of 4, so others may be faster" in printed


def test_a_drawn_ranking_marks_it(stored: Stored, tmp_path: Path) -> None:
    picture = tmp_path / "rank.svg"
    result = stored.command("rank", "one", "--stored", "--no-replay", "--machine", "box", "--plot", picture)
    assert result.status == 0, result.stderr
    drawn = picture.read_text(encoding="utf-8")
    assert all(f"{mark}{name}" in drawn for name, mark in MARKS.items())
    assert "~ disturbed, an upper bound; ? varies" in drawn


def test_it_has_its_mark_beside_published_figures_too(stored: Stored) -> None:
    """ "Cycle counts for authenticated encryption" has one of the four systems."""
    result = stored.command("published", "S0", "--machine", "box", "--format", "json")
    rows = [row for table in json.loads(result.stdout)["tables"] for row in table["rows"]]
    ours = [figure for row in rows if row["figures"][1] for figure in row["figures"][1:3]]
    assert ours
    assert all(figure["varies"] and figure["unclear"] for figure in ours)


def test_csv_has_a_column_for_each_reason(stored: Stored) -> None:
    lines = list(csv.DictReader(stored.command("table", "--format", "csv").stdout.splitlines()))
    found = {row["row"]: row["disturbed"] + row["varies"] + row["unclear"] for row in lines if row["column"] == "576"}
    assert found == {
        "aes-128-gcm": "000",
        "chacha20-poly1305": "010",
        "salsa20-poly1305": "011",
        "aes-256-ocb3": "100",
    }


def test_the_overview_marks_it(stored: Stored, page: Page) -> None:
    page.goto((stored.site / "index.html").as_uri() + "#measure=encrypt&length=576")
    expect(page.locator("#answer")).to_have_attribute("data-drawn", "yes")
    assert before_numbers(page, "#answer li", ".what a", ".costs") == MARKS


def test_a_comparison_of_systems_marks_it(stored: Stored, page: Page) -> None:
    page.goto((stored.site / "compare.html").as_uri() + f"#systems={','.join(MARKS)}&machines=box&lengths=576")
    assert before_numbers(page, "#at tbody tr", "th a", "td") == MARKS


def test_your_traffic_marks_it(stored: Stored, page: Page) -> None:
    page.goto((stored.site / "traffic.html").as_uri() + "#packets=576:1&keys=1&encrypt=1&forged=0&machine=box")
    assert before_numbers(page, "#ranking tbody tr", "th a", "td[data-value] >> nth=1") == MARKS


def test_the_levels_of_security_mark_it(stored: Stored, page: Page) -> None:
    page.goto((stored.site / "security.html").as_uri())
    assert before_numbers(page, ".levels tbody tr", "th a", "td:nth-of-type(4)") == MARKS
