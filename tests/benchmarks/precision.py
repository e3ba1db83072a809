# SPDX-License-Identifier: MIT OR Apache-2.0
"""Precision: how far the numbers of one build vary over five runs, idle and beside a neighbour.

    .venv/bin/python tests/benchmarks/precision.py

Prints (max - min) / median of the reported number over the runs, for three systems without data-dependent
timing at 576 and 1500 bytes, and how many of the five cells were marked ~; then what the empty function measures.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from cyclometer import campaign, paths, store
from cyclometer.analyse import cells, prepare, summarise
from cyclometer.analyse.estimate.core_cycles import PROCESS, corrected_sql
from cyclometer.records.run import RunInfo

SYSTEMS = ("crypto_aead/aes-128-gcm", "crypto_aead/chacha20-poly1305", "crypto_aead/salsa20-poly1305")
Numbers = dict[
    tuple[str, str, int], list[tuple[float, bool]]
]  # (system, measure, length) -> headline and mark ~ of each run

NEIGHBOUR = """
import os, random, sys, time
cores = [c for c in sorted(os.sched_getaffinity(0)) if c != int(sys.argv[1])]
os.sched_setaffinity(0, cores or os.sched_getaffinity(0))
while True:
    end = time.monotonic() + random.uniform(0.1, 2)
    while time.monotonic() < end:
        sum(x * x for x in range(1000))
    time.sleep(random.uniform(0.1, 2))
"""


class _Silent:
    @contextlib.contextmanager
    def stage(self, title: str, steps: int) -> Iterator[Callable[[], None]]:
        yield lambda: None


@contextlib.contextmanager
def neighbour(core: int | None) -> Iterator[None]:
    """Run a busy loop on a core other than the measuring one, on and off for up to two seconds each."""
    process = subprocess.Popen([sys.executable, "-c", NEIGHBOUR, str(core)])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def several_runs(environment: campaign.Environment, options: campaign.Options, results: Path, runs: int) -> list[Path]:
    """Measure the given number of runs; the first chooses the tunings for all."""
    return [campaign.run(environment, replace(options, seed=seed), results, _Silent()) for seed in range(runs)]


def numbers(folders: list[Path]) -> Numbers:
    found: Numbers = {}
    for folder in folders:
        connection, _ = opened(folder)
        for cell in cells(summarise(connection, "NOT control AND keys = 1 AND length > 0")):
            key = (cell.subject.primitive, cell.measure, cell.variables["length"])
            found.setdefault(key, []).append((cell.cycles, cell.disturbed))
        connection.close()
    return found


def opened(folder: Path):  # type: ignore[no-untyped-def] # a connection, and what the run says of itself
    runs = [run for run in store.list_runs(folder.parent.parent) if run.folder == folder]
    connection = store.connect(runs)
    infos: list[RunInfo] = [run.info for run in runs if run.info]
    prepare(connection, infos)
    return connection, infos


def show(title: str, found: Numbers) -> None:
    print(f"\n{title}\n{'':28} {'measure':10} {'bytes':>6} {'median':>9} {'spread %':>9}  ~ of runs")
    spreads = []
    for (system, measure, length), values in sorted(found.items()):
        headlines = [value for value, _ in values]
        spread = 100 * (max(headlines) - min(headlines)) / statistics.median(headlines)
        spreads.append(spread)
        marked = sum(disturbed for _, disturbed in values)
        middle = statistics.median(headlines)
        print(f"{system:28} {measure:10} {length:6} {middle:9.1f} {spread:9.2f}  {marked} of {len(values)}")
    print(f"largest {max(spreads):.2f} %, median {statistics.median(spreads):.2f} %", flush=True)


def show_empty(folders: list[Path]) -> None:
    """Print the cost of the empty function measured as if it were a primitive.

    Its even-numbered samples are the measurements; the odd-numbered ones give the overhead to subtract.
    """
    off: list[float] = []
    for folder in folders:
        connection, infos = opened(folder)
        connection.execute(
            "CREATE TEMP TABLE every AS SELECT *, row_number() OVER "
            f"(PARTITION BY {PROCESS}, measure = 'empty' ORDER BY sequence) AS number FROM samples"
        )
        connection.execute(
            "CREATE OR REPLACE TEMP VIEW samples AS SELECT * EXCLUDE (number) REPLACE ("
            "if(measure = 'empty' AND number % 2 = 0, 'nothing', measure) AS measure) FROM every"
        )
        prepare(connection, infos)
        nothing = corrected_sql("measure = 'nothing'", each_run=True)
        rows = connection.sql(
            f"SELECT median(cycles) FILTER (used) AS cycles FROM ({nothing}) "
            "GROUP BY primitive, implementation, control"
        ).fetchall()
        off += [cycles for (cycles,) in rows if cycles is not None]
        connection.close()
    within = sum(abs(value) <= 3 for value in off) / len(off)
    print(f"empty function: {len(off)} numbers, {within:.0%} within 3 cycles of 0, worst {max(off, key=abs):+.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=None, help="default: the profile's")
    parser.add_argument("--only", choices=("idle", "neighbour"))
    parser.add_argument("--keep", type=Path, help="keep the runs in this folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        results = arguments.keep or Path(scratch)
        environment = campaign.prepare_environment(paths.root(), systems=SYSTEMS)
        options = campaign.Options(
            systems=SYSTEMS, machine="precision", compilers=("gcc-O3",), lengths="576,1500", rounds=arguments.rounds
        )
        first = campaign.run(environment, replace(options, rounds=1), results, _Silent())
        connection, _ = opened(first)
        chosen = connection.sql("SELECT DISTINCT implementation FROM samples").fetchall()
        connection.close()
        options = replace(options, implementations=tuple(sorted(name for (name,) in chosen)))
        print(f"load {os.getloadavg()[0]:.1f}; implementations {', '.join(options.implementations)}", flush=True)
        for condition in (arguments.only,) if arguments.only else ("idle", "neighbour"):
            beside = neighbour(environment.core) if condition == "neighbour" else contextlib.nullcontext()
            with beside:
                folders = several_runs(environment, options, results, arguments.runs)
            show(f"{condition}, {arguments.runs} runs", numbers(folders))
            show_empty(folders)
    return 0


if __name__ == "__main__":
    sys.exit(main())
