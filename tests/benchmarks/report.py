# SPDX-License-Identifier: MIT OR Apache-2.0
"""Time to build, paint and pan the web report: python tests/benchmarks/report.py RESULTS|MACHINES [RUNS].

A number stands for so many synthetic machines that measured every system of the tree, each in so many runs.

Prints seconds and memory of `cyclometer report`, the first paint of some pages, and the longest frame
while the comparison page is panned, all in headless Chromium. They are the numbers in docs/performance.md.
"""

from __future__ import annotations

import itertools
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Page

from support.browser import Tab, chromium, tab
from support.synthetic_machines import write_machines

FRAMES = """() => new Promise((resolve) => {
  const times = [];
  const next = (now) => { times.push(now); if (times.length < 120) requestAnimationFrame(next); else resolve(times); };
  requestAnimationFrame(next);
})"""
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def main(results: str, runs: str = "1") -> None:
    """Build, paint, pan."""
    with tempfile.TemporaryDirectory() as folder:
        site = Path(folder) / "site"
        if results.isdigit():
            write_machines(Path(folder) / "results", int(results), int(runs))
            results = str(Path(folder) / "results")
        start = time.perf_counter()
        command = [sys.executable, "-m", "cyclometer", "report", "--all", "--results", results, "-o", str(site)]
        subprocess.run(command, check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = time.perf_counter() - start
        print(f"report: {took:.1f} s, {used.ru_utime:.1f} s of CPU time, {used.ru_maxrss / 1e6:.2f} GB", flush=True)
        largest = max(site.rglob("*.html"), key=lambda path: path.stat().st_size)
        size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
        print(f"site: {size / 1e6:.1f} MB")
        print(f"largest page: {largest.name}, {largest.stat().st_size / 1e6:.2f} MB")
        with chromium() as browser, tab(browser) as opened:
            system = max(site.glob("systems/*/*.html"), key=lambda path: path.stat().st_size)
            for file in (site / "index.html", site / "compare.html", site / "tables.html", system):
                opened.go(file)
                opened.page.wait_for_function(PAINT)
                print(f"first paint of {file.name}: {opened.page.evaluate(PAINT):.0f} ms")
            pan(opened, site / "compare.html")


def pan(opened: Tab, file: Path) -> None:
    """Drag the graph of all systems to and fro, and print the time between frames."""
    opened.go(file)
    page: Page = opened.page
    page.locator("[data-preset=all]").click()
    plot = page.locator("#comparison")
    page.wait_for_selector("#comparison[data-drawn=yes]")
    page.wait_for_timeout(2000)
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(f"void (window.frames_seen = ({FRAMES})())")  # not waited for: frames are counted while it moves
    for step in range(90):
        page.mouse.move(x + 150 * ((step % 20) / 10 - 1), y)
    times = page.evaluate("window.frames_seen")
    page.mouse.up()
    gaps = sorted(b - a for a, b in itertools.pairwise(times))
    print(f"panning: median frame {gaps[len(gaps) // 2]:.0f} ms, longest {gaps[-1]:.0f} ms of {len(gaps)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
