# SPDX-License-Identifier: MIT OR Apache-2.0
"""How far the numbers of this machine can be trusted: each figure beside its target (`make trust`).

    .venv/bin/python tests/benchmarks/trust.py [--full] [--only calibration,runs,neighbour,selection,comparisons,times]

Prints one Markdown table in less than a quarter of an hour. `--full` repeats as often as the targets say, which takes
half an hour, and then measures all systems, which takes as long again; docs/trust.md keeps the latest of each kind of
machine. Each part is a function that yields its lines, so that what is printed is what has been measured so far.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from everything import everything
from figures import Cells, Key, Line, Tool, is_marked
from precision import neighbour

from cyclometer import host
from cyclometer.records.tuning import UNCLEAR
from support.coarse_counter import coarse_counter
from support.small_tree import SmallTree

RUNS = 5  # first tables
MOST_SAME, FEWEST_SLOWER = 0.05, 0.95  # shares of comparisons that may, and must, report a difference
STEADY = ("aes-128-gcm", "chacha20-poly1305", "salsa20-poly1305")  # no time depends on data
SLOWED_PERCENT = 1
HIDING_CHAIN = 100  # cycles in both: beside the first of a chain the processor fetches what follows


@dataclass(frozen=True, kw_only=True)
class Counts:
    """How often each thing is done."""

    intervals: int  # runs
    selections: int
    same: int  # A/A comparisons
    slower: int  # comparisons with a slower build


SHORT = Counts(intervals=10, selections=10, same=40, slower=20)
FULL = Counts(intervals=20, selections=20, same=100, slower=40)


def calibration(tool: Tool, _: Counts) -> Iterator[Line]:
    """Measure code of known cost: quiet with every counter and one in steps of 26 ticks, and beside a neighbour."""
    tree = SmallTree.grow(tool.scratch / "coarse", "crypto_aead/aegis-128l/ref")
    tree.write("harness/counters/coarse.h", coarse_counter("rdtsc-in-steps", step=26))
    stepped = Tool(tool.scratch, tool.cache, tree.root)
    steps = {
        score["name"]: score["resolution"] for score in json.loads(stepped("machine", "--format", "json"))["counters"]
    }
    for name, points in _calibrations(stepped).items():
        cycles, part = (1, 0.002) if steps[name] < 5 and name != "clock_gettime" else (2, 0.004)
        yield _calibration_line(f"calibration, {name}, step {steps[name]:.3g}", points, cycles, part)
    with neighbour(host.measuring_core()):
        for name, points in _calibrations(tool).items():
            quiet = [point for point in points if not point["disturbed"]]
            yield _calibration_line(f"calibration beside a neighbour, {name}", quiet, 3, 0.01)


def _calibrations(tool: Tool) -> dict[str, list[dict[str, Any]]]:
    content = json.loads(tool("machine", "--calibrate", "--format", "json"))
    return {each["counter"]: [p for p in each["points"] if p["measure"] == "chain"] for each in content["calibrations"]}


def _calibration_line(what: str, points: Sequence[dict[str, Any]], cycles: float, part: float) -> Line:
    target = f"{_cycles(cycles)} or {100 * part:g} %"
    if not points:
        return Line(what=what, measured="nothing: all were disturbed", target=target, reached=False)
    worst = max(points, key=lambda p: abs(p["error"]) / max(cycles, part * p["true"]))
    mark = " (marked)" if worst["disturbed"] else ""
    return Line(
        what=what,
        measured=f"{worst['error']:+.1f} of {_cycles(worst['true'])} at worst{mark}",
        target=target,
        reached=abs(worst["error"]) <= max(cycles, part * worst["true"]),
    )


def _cycles(number: float) -> str:
    return f"{number:g} cycle{'s' * (number != 1)}"


def runs(tool: Tool, counts: Counts) -> Iterator[Line]:
    """Measure five first tables on an idle machine, and the intervals of more runs of three systems."""
    found = [tool.run(number, "quiet") for number in range(RUNS)]
    spreads = _spreads(found, unmarked=False)
    middle, largest = statistics.median(spreads.values()), max(spreads.values())
    yield Line(
        what=f"first table, {RUNS} runs: median spread",
        measured=f"{middle:.2f} %",
        target="0.3 %",
        reached=middle <= 0.3,
    )
    worst = max(spreads, key=lambda key: spreads[key])
    of_unmarked = max(_spreads(found, unmarked=True).values(), default=math.nan)
    yield Line(
        what=f"first table, {RUNS} runs: largest spread",
        measured=f"{largest:.2f} % ({worst[1]}, {worst[0].split(' to ')[-1][:20]}, {worst[2]}); "
        f"{of_unmarked:.2f} % of unmarked numbers",
        target="1 %",
        reached=largest <= 1,
    )
    many = [tool.run(number, "intervals", *STEADY, "--length", "576,1500") for number in range(counts.intervals)]
    covered = [
        low <= _pooled(many, key) <= high
        for cells in many
        for key, figure in cells.items()
        if figure["interval"] and key[2].isdigit()
        for low, high in [figure["interval"]]
    ]
    share = sum(covered) / len(covered)
    yield Line(
        what=f"95 % intervals over {counts.intervals} runs contain the pooled value",
        measured=f"{share:.0%}",
        target="90 %",
        reached=share >= 0.9,
    )


def _pooled(found: Sequence[Cells], key: Key) -> float:
    return statistics.median(cells[key]["value"] for cells in found if key in cells)


def _spreads(found: Sequence[Cells], *, unmarked: bool) -> dict[Key, float]:
    """Return (largest - smallest) / median in per cent of each cell whose cost is at least 20 cycles."""
    spreads = {}
    for key in set.intersection(*(set(cells) for cells in found)):
        figures = [cells[key] for cells in found]
        values = [f["value"] for f in figures if not (unmarked and is_marked(f))]
        if len(values) > 1 and min(values) >= 20:
            spreads[key] = 100 * (max(values) - min(values)) / statistics.median(values)
    return spreads


def beside_neighbour(tool: Tool, _: Counts) -> Iterator[Line]:
    """Measure five first tables while a neighbour is switched on and off."""
    with neighbour(host.measuring_core()):
        found = [tool.run(number, "neighbour") for number in range(RUNS)]
    spreads = _spreads(found, unmarked=True)
    worst = max(spreads, key=lambda key: spreads[key])
    yield Line(
        what="first table beside a neighbour: largest spread of unmarked cells",
        measured=f"{spreads[worst]:.2f} % ({worst[1]}, {worst[2]}), median {statistics.median(spreads.values()):.2f} %",
        target="1.5 %",
        reached=spreads[worst] <= 1.5,
    )
    swapped = _swapped(found)
    yield Line(
        what="pairs ranked in both orders, ties excepted", measured=str(swapped), target="0", reached=swapped == 0
    )


def _swapped(found: Sequence[Cells]) -> int:
    """Count the pairs of systems of a column that one run ranks before and another behind each other."""
    columns = {(title, column) for cells in found for title, _, column in cells}
    count = 0
    for title, column in columns:
        ranks = [
            {key[1]: f["rank"] for key, f in cells.items() if (key[0], key[2]) == (title, column)} for cells in found
        ]
        names = sorted(set.intersection(*(set(each) for each in ranks)))
        for index, a in enumerate(names):
            for b in names[index + 1 :]:
                signs = {(each[a] > each[b]) - (each[a] < each[b]) for each in ranks}
                count += {-1, 1} <= signs
    return count


def selection(tool: Tool, counts: Counts) -> Iterator[Line]:
    """Choose tunings again and again, without memory of earlier choices."""
    chosen: dict[str, list[str]] = {}
    unclear = 0
    for number in range(counts.selections):
        shutil.rmtree(tool.cache / "choices", ignore_errors=True)
        results = str(tool.scratch / "selection")
        tool("run", "--rounds", "1", "--length", "576", "--machine", f"m{number}", "--results", results, "--no-tables")
        listed = json.loads(
            tool("table", "--by", "tuning", "--machine", f"m{number}", "--results", results, "--format", "json")
        )
        for row in listed["tables"][0]["rows"]:
            chosen.setdefault(row["primitive"], []).append(str(row["figures"][0]["value"]))
            unclear += any(figure and figure["value"] == UNCLEAR for figure in row["figures"])
    several = {
        name: sorted({(tunings.count(t), t) for t in tunings}, reverse=True)
        for name, tunings in chosen.items()
        if len(set(tunings)) > 1
    }
    apart = {name: _apart(tool, name, [tuning for _, tuning in found]) for name, found in several.items()}
    text = "; ".join(
        f"{name}: {', '.join(f'{t} {n}x' for n, t in found)}, {apart[name]:.1f} % apart"
        for name, found in several.items()
    )
    yield Line(
        what=f"tunings of nine systems, chosen {counts.selections} times without memory",
        measured=(text or "always the same") + f"; {unclear} choices are marked as unclear" * (unclear > 0),
        target="the same, or within 2 % in every cell",
        reached=max(apart.values(), default=0) <= 2,
    )


def _apart(tool: Tool, name: str, tunings: Sequence[str]) -> float:
    """Return how many per cent unmarked cells of tunings ("implementation compiler") of a system differ at most."""
    found = []
    for number, tuning in enumerate(tunings):
        implementation, compiler = tuning.split()
        fixed = ["--implementation", implementation, "--compiler", compiler]
        cells = tool.run(number, f"apart-{name}", name, *fixed)
        found.append({(title, column): f for (title, _, column), f in cells.items() if not is_marked(f)})
    common = set.intersection(*(set(cells) for cells in found))
    values = [[cells[key]["value"] for cells in found] for key in common]
    return max((100 * (max(each) / min(each) - 1) for each in values if min(each) >= 20), default=math.nan)


def comparisons(tool: Tool, counts: Counts) -> Iterator[Line]:
    """Compare a build with its twin, and with one that is slower by a known number of cycles."""
    tree = SmallTree.grow(tool.scratch / "twins", "crypto_stream/salsa20/ref")
    folder = tree.root / "primitives/crypto_stream/salsa20"
    shutil.copytree(folder / "ref", folder / "twin")
    twins = Tool(tool.scratch, tool.cache, tree.root)
    verdicts, _ = _verdicts(twins, ("ref", "twin"), counts.same)
    seen, most = sum(verdict != "no difference seen" for verdict in verdicts), int(MOST_SAME * counts.same)
    yield Line(
        what=f"A/A comparisons of {counts.same} that report a difference",
        measured=str(seen),
        target=str(most),
        reached=seen <= most,
    )
    cycles = _delayed(twins, folder)
    verdicts, seconds = _verdicts(twins, ("undelayed", "delayed"), counts.slower)
    right = sum(verdict.startswith("undelayed") for verdict in verdicts)
    fewest = math.ceil(FEWEST_SLOWER * counts.slower)
    yield Line(
        what=f"A against A slower by {cycles} cycles ({SLOWED_PERCENT} %), of {counts.slower}",
        measured=f"{right} seen, in {max(seconds):.1f} s at most",
        target=f"{fewest}, in 10 s",
        reached=right >= fewest and max(seconds) <= 10,
    )


DELAYED = """
    /* SPDX-License-Identifier: MIT OR Apache-2.0 */
    /* Salsa20 after a chain of {cycles} core cycles, beside which the fence lets nothing run. Long empty instructions
     * make the code as long as with a chain of {longest}: its speed depends on where it lies. */
    #include "crypto_stream.h"
    #define crypto_stream_xor undelayed_xor
    #define SALSA20_ROUNDS 20
    #include "../../_salsa20/ref.h"
    #include "../../_salsa_chacha/stream.h"
    #undef crypto_stream_xor
    void crypto_stream_xor(crypto_stream_state *state, uint8_t *out, const uint8_t *in, uint64_t length)
    {{
        unsigned long x = 1;
        __asm__ volatile(".rept {cycles}\\n\\tadd %q0, %q0\\n\\t.endr\\n\\t"
                         ".rept ({longest} - {cycles}) / 3\\n"
                         "\\t.byte 0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\\n\\t.endr\\n\\tlfence"
                         : "+r"(x) : : "cc", "memory");
        undelayed_xor(state, out, in, length);
    }}
    """


def _delayed(tool: Tool, folder: Path) -> int:
    """Write two implementations, of which one takes SLOWED_PERCENT longer for 1024 bytes; return the cycles."""
    cells = tool.run(0, "twin", "salsa20", "--implementation", "ref", "--length", "1024", "--rounds", "5")
    cost = next(f["value"] for (_, _, column), f in cells.items() if column == "1024")
    cycles = 3 * round(cost * SLOWED_PERCENT / 100 / 3)  # an empty instruction of 9 bytes for 3 of the chain
    for name, chain in (("undelayed", HIDING_CHAIN), ("delayed", HIDING_CHAIN + cycles)):
        shutil.copytree(folder / "ref", folder / name)
        text = DELAYED.format(cycles=chain, longest=HIDING_CHAIN + cycles)
        (folder / name / "salsa20.c").write_text(dedent(text).lstrip(), encoding="utf-8")
    return cycles


def _verdicts(tool: Tool, pair: tuple[str, str], times: int) -> tuple[list[str], list[float]]:
    """Return what the comparisons say of 1024 bytes, and how long each took."""
    verdicts, seconds = [], []
    for _ in range(times):
        start = time.monotonic()
        results = str(tool.scratch / "compared")
        content = json.loads(
            tool(
                "compare",
                "--now",
                *(f"salsa20:{name}" for name in pair),
                "--length",
                "1024",
                "--results",
                results,
                "--format",
                "json",
            )
        )
        seconds.append(time.monotonic() - start)
        verdicts.append(content["tables"][0]["rows"][-1]["figures"][-1]["value"])
    return verdicts, seconds


def times(tool: Tool, _: Counts) -> Iterator[Line]:
    """Time the first table with nothing built, and the next."""
    empty, results = tool.scratch / "empty", str(tool.scratch / "times")
    for what, target in (("first table, nothing built", 30), ("second table", 8)):
        start = time.monotonic()
        tool("run", "--results", results, cache=empty)
        seconds = time.monotonic() - start
        yield Line(what=what, measured=f"{seconds:.1f} s", target=f"{target} s", reached=seconds <= target)


PARTS: dict[str, Callable[[Tool, Counts], Iterator[Line]]] = {
    "calibration": calibration,
    "runs": runs,
    "neighbour": beside_neighbour,
    "selection": selection,
    "comparisons": comparisons,
    "times": times,
    "everything": lambda tool, _: everything(tool),
}
LONG = "everything"  # only with --full, or if asked for


def main() -> int:
    """Measure the parts asked for; return 1 if a target was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--full", action="store_true", help="repeat as often as the targets say, and measure everything"
    )
    parser.add_argument("--only", help=f"parts, separated by commas, of {', '.join(PARTS)}")
    parser.add_argument("--cache", type=Path, help="a cache with what is built already")
    arguments = parser.parse_args()
    asked = arguments.only.split(",") if arguments.only else [p for p in PARTS if arguments.full or p != LONG]
    if unknown := [name for name in asked if name not in PARTS]:
        parser.error(f"no part {unknown[0]!r}; there are {', '.join(PARTS)}")
    missed, start = 0, time.monotonic()
    with tempfile.TemporaryDirectory() as scratch, contextlib.suppress(KeyboardInterrupt):
        tool = Tool(Path(scratch), arguments.cache or Path(scratch) / "cache")
        print(f"{host.cpu_name()}, load {os.getloadavg()[0]:.1f}\n")
        print("| what | measured | target | reached |\n| --- | --- | --- | --- |")
        for name in asked:
            for line in PARTS[name](tool, FULL if arguments.full else SHORT):
                missed += not line.reached
                print(line.row(), flush=True)
    print(f"\n{time.monotonic() - start:.0f} s", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
