# SPDX-License-Identifier: MIT OR Apache-2.0
"""How often `--fail-above auto` is wrong: false alarms, and regressions of 1 % that it misses.

    .venv/bin/python tests/benchmarks/gate.py [--same 100] [--slower 100] [--between 20] [--cache DIR]

Each gate is a whole call of `cyclometer compare` over the eight points of Salsa20's quick profile. --same compares a
build with its copy; --slower with one that takes 1 % longer at a single one of the eight points, by a chain of known
cost; --between compares pairs of whole runs of one build (docs/ci.md).
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from figures import Line, Tool

from cyclometer import host
from support.small_tree import SmallTree

SECONDS = 15
LENGTH = 1500
SLOWED_PERCENT = 1

SLOWED = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    /* Salsa20; a packet of {length} bytes waits for {cycles} core cycles, beside which nothing runs. */
    #include "crypto_stream.h"
    #define crypto_stream_xor undelayed_xor
    #define SALSA20_ROUNDS 20
    #include "../../_salsa20/ref.h"
    #include "../../_salsa_chacha/stream.h"
    #undef crypto_stream_xor
    void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
    {{
        unsigned long x = 1;
        if (length == {length})
            __asm__ volatile("lfence\\n\\t.rept {cycles}\\n\\tadd %0, %0\\n\\t.endr\\n\\tlfence"
                             : "+r"(x) : : "cc", "memory");
        undelayed_xor(state, out, in, length);
    }}
    """


def trees(tool: Tool) -> Tool:
    """Return the command on a tree with Salsa20 and its copy, and the same with and without the chain."""
    tree = SmallTree.grow(tool.scratch / "tree", "crypto_stream/salsa20/ref")
    folder = tree.root / "primitives/crypto_stream/salsa20"
    tool = Tool(tool.scratch, tool.cache, tree.root)
    cells = tool.run(0, "cost", "salsa20", "--length", str(LENGTH), "--rounds", "5")
    cost = next(f["value"] for (_, _, column), f in cells.items() if column == str(LENGTH))
    for name, chain in (("undelayed", 0), ("delayed", round(cost * SLOWED_PERCENT / 100))):
        shutil.copytree(folder / "ref", folder / name)
        source = dedent(SLOWED.format(cycles=chain, length=LENGTH)).lstrip()
        (folder / name / "salsa20.c").write_text(source, encoding="utf-8")
    shutil.copytree(folder / "ref", folder / "twin")
    return tool


def gates(tool: Tool, pair: tuple[str, str], times: int) -> Iterator[tuple[bool, float, dict[str, Any]]]:
    """Yield whether each gate passed, how long it took, and what it printed."""
    for _ in range(times):
        start = time.monotonic()
        arguments = [*(f"salsa20:{name}" for name in pair), "--now", "--fail-above", "auto", "--format", "json"]
        content = json.loads(tool("compare", *arguments, "--results", str(tool.scratch / "gates")))
        yield content["passed"], time.monotonic() - start, content


def same(tool: Tool, times: int) -> Iterator[Line]:
    """Compare a build with its copy."""
    found = list(gates(tool, ("ref", "twin"), times))
    alarms, points = sum(not passed for passed, *_ in found), [p for *_, c in found for p in limits_of(c)]
    yield Line(
        what=f"false alarms of {times} gates of {len(points) // max(times, 1)} points",
        measured=f"{alarms}, in {max(seconds for _, seconds, _ in found):.1f} s at most; limits of "
        f"{min(points):.2f} to {max(points):.2f} %",
        target="1 of 100",
        reached=alarms <= times / 100,
    )


def limits_of(content: dict[str, Any]) -> list[float]:
    """Return the limits in per cent of the points with a ratio that relabelling judged."""
    points = [point for verdict in content["verdicts"] for point in verdict["points"]]
    return [100 * (point["limit"] - 1) for point in points if point["interval"]]


def slower(tool: Tool, times: int) -> Iterator[Line]:
    """Compare a build with one that is slower by 1 % at one point."""
    found = list(gates(tool, ("undelayed", "delayed"), times))
    seen = sum(_seen_there(content) for *_, content in found)
    longest = max(seconds for _, seconds, _ in found)
    yield Line(
        what=f"regressions of {SLOWED_PERCENT} % at one of eight points, of {times}",
        measured=f"{seen} seen, in {longest:.1f} s at most",
        target=f"95 of 100, in {SECONDS} s",
        reached=seen >= 0.95 * times and longest <= SECONDS,
    )


def _seen_there(content: dict[str, Any]) -> bool:
    points = [point for verdict in content["verdicts"] if verdict["measure"] == "xor" for point in verdict["points"]]
    return any(point["value"] == LENGTH and not point["passed"] for point in points)


def between(tool: Tool, times: int) -> Iterator[Line]:
    """Compare each run of one build with the next."""
    results = str(tool.scratch / "between")
    names = [f"r{number}" for number in range(times + 1)]
    for name in names:
        tool("run", "salsa20", "--implementation", "ref", "--name", name, "--no-tables", "--results", results)
    alarms = 0
    for a, b in pairwise(names):
        sides = ("--run", a, "--run", b, "--fail-above", "auto", "--format", "json")
        alarms += not json.loads(tool("compare", *sides, "--results", results))["passed"]
    yield Line(
        what=f"false alarms of {times} pairs of runs",
        measured=str(alarms),
        target="1 of 100",
        reached=alarms <= times / 100,
    )


def main() -> int:
    """Run the gates asked for; return 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--same", type=int, default=100)
    parser.add_argument("--slower", type=int, default=100)
    parser.add_argument("--between", type=int, default=20)
    parser.add_argument("--cache", type=Path, help="a cache with what is built already")
    arguments = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as scratch:
        tool = trees(Tool(Path(scratch), arguments.cache or Path(scratch) / "cache"))
        print(f"{host.cpu_name()}, load {os.getloadavg()[0]:.1f}\n")
        print("| what | measured | target | reached |\n| --- | --- | --- | --- |")
        for part in (same, slower, between):
            if times := getattr(arguments, part.__name__):
                for line in part(tool, times):
                    missed += not line.reached
                    verdict = "yes" if line.reached else "**no**"
                    print(f"| {line.what} | {line.measured} | {line.target} | {verdict} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
