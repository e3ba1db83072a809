# SPDX-License-Identifier: MIT OR Apache-2.0
"""Time of the site over many machines: python tests/benchmarks/across.py MACHINES RUNS [DIFFERENT].

So many synthetic machines measured every system of the tree, each in so many runs; the samples of DIFFERENT machines
(default: 10) are drawn, the others are theirs again. Prints the seconds of `cyclometer report --across` from an empty
cache, again, and after one new run; the largest page; and how long the browser takes to load the largest pages. They
are the numbers in docs/performance.md.
"""

from __future__ import annotations

import datetime
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.browser import chromium, tab
from support.synthetic_machines import clone_run, write_machines

LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def main(machines: int, runs: int, different: int = 10) -> None:
    """Make the runs, build the site three times, load its largest pages."""
    with tempfile.TemporaryDirectory() as folder:
        results, site = Path(folder) / "results", Path(folder) / "site"
        write_machines(results, min(machines, different))
        originals = sorted(results.glob("*/*"))
        for machine in range(machines):
            for number in range(runs):
                if machine >= len(originals) or number:
                    clone(originals[(machine + number) % len(originals)], machine, number)
        os.environ["CYCLOMETER_CACHE"] = str(Path(folder) / "cache")
        build(results, site, "from an empty cache")
        build(results, site, "again")
        clone(originals[0], 0, runs)
        build(results, site, "after one new run")
        pages = sorted(site.rglob("*.html"), key=lambda path: -path.stat().st_size)
        print(f"{len(pages)} pages, the largest {pages[0].stat().st_size / 1e6:.2f} MB", flush=True)
        with chromium() as browser, tab(browser) as opened:
            for page in [site / "index.html", *pages[:5]]:
                opened.go(page)
                opened.page.wait_for_function(f"{LOADED} > 0")
                size = page.stat().st_size / 1e6
                print(f"{page.relative_to(site)}: {size:.2f} MB, loaded in {opened.page.evaluate(LOADED):.0f} ms")


def clone(original: Path, machine: int, number: int) -> None:
    """Store a run again, as the given one of another machine."""
    started = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.UTC) + datetime.timedelta(days=number)
    clone_run(original, f"{started:%Y-%m-%dT%H-%M-%S}-quick", f"machine-{machine}", started)


def build(results: Path, site: Path, when: str) -> None:
    """Build the site and print what it took."""
    command = [sys.executable, "-m", "cyclometer", "report", "--across", "--results", str(results), "-o", str(site)]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{when}: {time.perf_counter() - start:.1f} s, at most {used.ru_maxrss / 1e6:.2f} GB", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
