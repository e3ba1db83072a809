# SPDX-License-Identifier: MIT OR Apache-2.0
"""What placement adds to functions whose placement is known: long code, large tables, neither, unaligned loads.

Orders of magnitude are compared, not times. A busy machine can spoil a comparison, so each has three attempts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cyclometer.store import connect, select_runs
from support.command_line import CommandLine
from support.known_placement import (
    LOAD_INSTRUCTIONS,
    OPERATION,
    additions,
    loads,
    look_ups,
    straight_line,
    write_operation,
)
from support.small_tree import STEPPER, SmallTree

ATTEMPTS = 3
SHORT, LONG = 4, 64  # KiB of code or table
CAUSE = "varies most by"  # the one column of words

Figures = Mapping[str, Mapping[str, float]]  # system -> column -> cycles


def _load_feature() -> str:
    """Return the CPU feature with which 64 bytes are loaded here; '' if there is none that is known."""
    flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    return next((feature for feature in LOAD_INSTRUCTIONS if feature in flags), "")


class Placement:
    """Runs with every factor, of which the last counts."""

    def __init__(self, cyclometer: CommandLine) -> None:
        self.cyclometer = cyclometer
        self.report: dict[str, Any] = {}

    def measure(self) -> None:
        """Run all systems once more."""
        ran = self.cyclometer(
            *("run", OPERATION, "--cold", "code,tables,all", "--alignment", "0,1,63,4080"),
            *("--between", "0,64", "--no-tables", "--rounds", "2"),
        )
        assert ran.status == 0, ran.stderr
        table = self.cyclometer("table", OPERATION, "--by", "placement", "--format", "json")
        assert table.status == 0, table.stderr
        self.report = json.loads(table.stdout)

    @property
    def figures(self) -> Figures:
        """The numbers of the table."""
        [table] = self.report["tables"]
        labels = [column["label"] for column in table["columns"]]
        return {
            row["primitive"]: {
                label: float(figure["value"])
                for label, figure in zip(labels, row["figures"], strict=True)
                if figure is not None and label != CAUSE
            }
            for row in table["rows"]
        }

    def shows(self, is_so: Callable[[Figures], bool], *needs: str) -> None:
        """Assert that a comparison of the table's columns holds in one of the attempts; skip without proof for one."""
        for attempt in range(ATTEMPTS):
            if attempt or not self.report:
                self.measure()
            missing = {column for column in needs for row in self.figures.values() if column not in row}
            if not missing and is_so(self.figures):
                return
        if missing:
            reasons = {failure["reason"] for each in self.report["failures"] if (failure := each["failure"])}
            pytest.skip(f"no proof here for {', '.join(sorted(missing))}: {'; '.join(sorted(reasons))}")
        pytest.fail(f"not in {ATTEMPTS} attempts: {json.dumps(self.figures, indent=2)}")


@pytest.fixture(scope="session")
def placement(tmp_path_factory: pytest.TempPathFactory, build_cache: Path) -> Placement:
    """Return all systems on a tree of their own, measured when they are first asked for."""
    folder = tmp_path_factory.mktemp("placement")
    tree = SmallTree.grow(folder / "tree")
    tree.copy(STEPPER)
    sources = {"additions": additions()}
    for kib in (SHORT, LONG):
        sources |= {f"straight-line-{kib}": straight_line(kib), f"look-ups-{kib}": look_ups(kib)}
    if feature := _load_feature():
        sources["loads"] = loads(feature)
    write_operation(tree, sources)
    return Placement(CommandLine(tree=tree.root, cache=build_cache, results=folder / "results"))


def test_cold_code_costs_more_the_more_of_it_there_is_and_no_table(placement: Placement) -> None:
    def is_so(table: Figures) -> bool:
        short, long = table[f"straight-line-{SHORT}"], table[f"straight-line-{LONG}"]
        return long["+code"] > 3 * short["+code"] and long["+code"] > 10 * long["+tables"]

    placement.shows(is_so, "+code", "+tables")


def test_cold_tables_cost_more_the_larger_they_are_and_no_code(placement: Placement) -> None:
    def is_so(table: Figures) -> bool:
        short, long = table[f"look-ups-{SHORT}"], table[f"look-ups-{LONG}"]
        return long["+tables"] > 3 * short["+tables"] and long["+tables"] > 10 * long["+code"]

    placement.shows(is_so, "+code", "+tables")


def test_additions_in_registers_cost_the_same_whatever_is_cold(placement: Placement) -> None:
    def is_so(table: Figures) -> bool:
        own, long = table["additions"], table[f"straight-line-{LONG}"]
        added = max(own["+code"], own["+tables"], own["all cold"] - own["median"])
        return added < min(own["median"], long["+code"]) / 10

    placement.shows(is_so, "+code", "+tables", "all cold")


def test_unaligned_loads_of_64_bytes_name_the_alignment(placement: Placement) -> None:
    if not _load_feature():
        pytest.skip("no instructions for 64-byte loads are known for this CPU")

    def is_so(_: Figures) -> bool:
        [table] = placement.report["tables"]
        index = [column["label"] for column in table["columns"]].index(CAUSE)
        [cause] = [row["figures"][index] for row in table["rows"] if row["primitive"] == "loads"]
        return bool(cause) and str(cause["value"]).startswith("alignment ")

    placement.shows(is_so)


def test_a_buffer_can_be_moved_to_any_offset_of_a_page(placement: Placement) -> None:
    """The harness measures at an alignment only if the address of the buffer that the operation named has it."""
    if not placement.report:
        placement.measure()
    with connect(select_runs(placement.cyclometer.results)) as connection:
        rows = connection.sql("SELECT DISTINCT alignment FROM placed WHERE measure <> 'empty'").fetchall()
    assert {row[0] for row in rows} == {0, 1, 63, 4080}


def test_the_code_executed_is_counted_byte_by_byte(placement: Placement) -> None:
    """Straight-line code is executed whole; the rest of the function is a few instructions. No time is involved."""
    if not placement.report:
        placement.measure()
    table = placement.figures
    if "executed" not in table[f"straight-line-{SHORT}"]:
        pytest.skip("no instructions can be stepped through here")
    for kib in (SHORT, LONG):
        own = table[f"straight-line-{kib}"]
        assert kib * 1024 < own["executed"] < kib * 1024 + 128
        assert own["executed"] <= own["reachable"] < kib * 1024 + 160
        assert kib * 16 < own["lines"] <= kib * 16 + 4


def test_a_length_without_placement_is_named_beside_those_that_have_it(placement: Placement) -> None:
    if not placement.report:
        placement.measure()
    shown = placement.cyclometer("table", "--by", "placement", "--length", "1")
    shown.complains("placement was not measured at length 1, but at", "8192")


def test_placement_has_pictures_and_is_on_the_page_of_the_system(placement: Placement, tmp_path: Path) -> None:
    if not placement.report:
        placement.measure()
    for kind in ("settling", "competition"):
        picture = tmp_path / f"{kind}.svg"
        drawn = placement.cyclometer("plot", kind, "additions", "-o", picture)
        assert drawn.status == 0, drawn.stderr
        assert picture.stat().st_size > 1000
    site = tmp_path / "site"
    made = placement.cyclometer("report", "-o", site, "--no-raw")
    assert made.status == 0, made.stderr
    page = (site / "systems" / OPERATION / "additions.html").read_text(encoding="utf-8")
    assert "Other code between calls: turn of 8192 bytes" in page
    assert re.search(r"Cycles of turn \(8192 bytes\), by placement", page)
    [file] = (site / "data" / "placement").glob(f"{OPERATION}.additions.*.js")
    assert '"situation":"warm"' in file.read_text(encoding="ascii")
    tables = (site / "tables.html").read_text(encoding="utf-8")
    assert "by placement" in tables
    assert any(note.split(": ", 1)[1] in tables for note in placement.report["notes"]) or not placement.report["notes"]
