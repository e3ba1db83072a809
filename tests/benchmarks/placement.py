# SPDX-License-Identifier: MIT OR Apache-2.0
"""The figures of docs/placement.md: proofs, cold calls beside settled ones, repeatability, time.

    python tests/benchmarks/placement.py [RUNS]

Runs `cyclometer run --profile placement` RUNS times (default 1; five for the repeatability) into a folder of its own
and prints, for each system: the share of probes that looked evicted; the first timing with all cold over the settled
one (target: 2 or more); what cold code adds over lines x miss (target: 0.5 to 2); and, of several runs, how far the
cold (target: 5 %) and the settled medians are from their middle. A headline that is below the best place by more than
the A/A spread is listed (target: none). Nine AEADs should take at most three minutes. Poly1305-AES is beside the
Pentium III of 2005.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from cyclometer.analyse import TableOptions, View, placement_tables
from cyclometer.records.table import Row, Table
from cyclometer.store import connect, select_runs

PUBLISHED = "poly1305-aes, verify 1024, Pentium III (Poly1305-AES speed tables): first/settled 4.77, 4.53, 3.51"


def tables(results: Path, run: str = "") -> list[Table]:
    """Return the placement tables of a run, or of the last."""
    stored = select_runs(results, [run] if run else [])
    infos = [entry.info for entry in stored if entry.info]
    operations = {operation: list[View]() for info in infos for operation in info.contracts}
    with connect(stored) as connection:
        found, notes = placement_tables(connection, infos, operations, TableOptions())
        shares = connection.sql(
            "SELECT primitive, name, value FROM sizes WHERE name LIKE 'evicted_%' ORDER BY ALL"
        ).fetchall()
    for primitive, name, value in shares:
        print(f"  {primitive}: {name} {value}")
    for note in notes:
        print(f"  {note}")
    return found


def numbers_of(labels: Sequence[str], row: Row) -> dict[str, float]:
    """Return the numbers of a row by column."""
    values = zip(labels, row.figures, strict=True)
    return {label: float(value.value) for label, value in values if value and not isinstance(value.value, str)}


def flattered(table: Table) -> list[str]:
    """Return the systems whose headline is below their best place by more than the A/A spread."""
    labels = [column.label for column in table.columns]
    spread = max((context.spread or 0.0 for context in table.contexts), default=0.0)
    found = []
    for row in table.rows:
        values = numbers_of(labels, row)
        if "headline" in values and values["headline"] < values["best"] * (1 - spread):
            found.append(f"{row.label} ({values['headline']:.0f} below {values['best']:.0f})")
    return found


def ratios(table: Table) -> dict[tuple[str, str], float]:
    """Print one table's ratios; return the cold and settled numbers by system and kind."""
    labels = [column.label for column in table.columns]
    numbers = {}
    for row in table.rows:
        values = numbers_of(labels, row)
        numbers[row.label, "settled"] = values["median"]
        line = [f"  {table.measure} {row.label}: settled {values['median']:.0f}"]
        if "all cold" in values:
            numbers[row.label, "all cold"] = values["all cold"]
            line.append(f"all cold {values['all cold']:.0f} = {values['all cold'] / values['median']:.1f} x")
        if "+code" in values and values.get("lines × miss"):
            line.append(f"+code / (lines x miss) {values['+code'] / values['lines × miss']:.2f}")
        print(", ".join(line))
    if listed := flattered(table):
        print(f"  {table.measure}: headline below the best place: {', '.join(listed)}")
    return numbers


def main(runs: int) -> None:
    """Measure and print."""
    results = Path(tempfile.mkdtemp(prefix="placement-"))
    seen: dict[tuple[str, str, str], list[float]] = {}
    for _ in range(runs):
        for systems in ([], ["poly1305-aes"]):
            begun = time.monotonic()
            command = [sys.executable, "-m", "cyclometer", "run", *systems, "--profile", "placement", "--no-tables"]
            subprocess.run([*command, "--results", str(results)], check=True)
            print(f"{' '.join(systems) or 'nine AEADs'}: {time.monotonic() - begun:.0f} s")
            for table in tables(results):
                for (name, kind), value in ratios(table).items():
                    seen.setdefault((table.measure, name, kind), []).append(value)
    print(PUBLISHED)
    spreads: dict[str, list[float]] = {}
    for (measure, name, kind), values in seen.items():
        if len(values) > 1:
            middle = statistics.median(values)
            spreads.setdefault(kind, []).append(100 * max(abs(value / middle - 1) for value in values))
            print(f"{measure} {name}: {kind} within {spreads[kind][-1]:.1f} % of its median over {len(values)} runs")
    for kind, several in spreads.items():
        print(f"{kind}: {statistics.median(several):.1f} % in the median, {max(several):.1f} % at most")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
