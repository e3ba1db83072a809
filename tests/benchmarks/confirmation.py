# SPDX-License-Identifier: MIT OR Apache-2.0
"""What confirming the timings costs (docs/harness.md): runs with and without it, in turn.

    python tests/benchmarks/confirmation.py [SYSTEM...] [--pairs 5] [--rounds N]

Prints the seconds of choosing and of measuring, and the ratio of their sums, from medians over the pairs. A first run
builds and checks; it is not counted. Let nothing else run meanwhile.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from cyclometer.cli import main as cyclometer
from cyclometer.measure import Confirmer

STAGE = re.compile(r"^(choosing the fastest implementation|measuring): \d+ of \d+ in ([\d.]+) s$", re.MULTILINE)
WITHOUT = "--without-confirmation"


def main() -> None:
    """Run the pairs, or, as a child, one run without confirmation."""
    if WITHOUT in sys.argv:
        sys.argv.remove(WITHOUT)
        Confirmer.__call__ = lambda *_, **__: None  # type: ignore[method-assign]
        cyclometer()
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("systems", nargs="*", default=["crypto_aead"])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=0, help="rounds of each run; default: the profile's")
    options = parser.parse_args()
    rounds = ["--rounds", str(options.rounds)] if options.rounds else []
    command = ["run", *options.systems, *rounds, "--no-tables", "--seed", "1"]
    seconds: dict[bool, list[dict[str, float]]] = {True: [], False: []}
    with tempfile.TemporaryDirectory() as folder:
        _run(command, Path(folder) / "first", confirmed=True)
        for pair in range(options.pairs):
            for confirmed in (True, False) if pair % 2 else (False, True):
                seconds[confirmed].append(_run(command, Path(folder) / f"{pair}-{confirmed}", confirmed=confirmed))
    medians = {confirmed: _medians(runs) for confirmed, runs in seconds.items()}
    for confirmed, stages in medians.items():
        times = ", ".join(f"{stage} {value:.2f} s" for stage, value in stages.items())
        print(f"{'with' if confirmed else 'without'} confirmation: {times}")
    print(f"ratio: {sum(medians[True].values()) / sum(medians[False].values()):.3f}")


def _run(command: list[str], results: Path, *, confirmed: bool) -> dict[str, float]:
    """Return the seconds of each stage of a run."""
    own = [sys.executable, __file__, WITHOUT] if not confirmed else [sys.executable, "-m", "cyclometer"]
    ended = subprocess.run([*own, *command, "--results", str(results)], capture_output=True, text=True, check=True)
    return {stage: float(seconds) for stage, seconds in STAGE.findall(ended.stderr)}


def _medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {stage: statistics.median(run[stage] for run in runs) for stage in runs[0]}


if __name__ == "__main__":
    main()
