# SPDX-License-Identifier: MIT OR Apache-2.0
"""Scores the counters against each other on the reference chain, and picks one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cyclometer.errors import MachineUnfit
from cyclometer.execute import sandbox

NEARLY = 1.5  # times the cost of the cheapest


@dataclass(frozen=True, kw_only=True)
class CounterScore:
    """One counter on this machine. Figures are in its own units; `absent` says why there are none."""

    file: str  # harness/counters/<file>.h
    name: str = ""
    unit: str = ""
    overhead: float = 0.0
    resolution: float = 0.0
    chain: float = 0.0  # units for chain_cycles core cycles
    chain_cycles: int = 0
    load: float = 0.0
    per_second: float = 0.0
    absent: str = ""

    @property
    def core_hertz(self) -> float:
        """The core's clock while it was scored, from the chain; 0 where the chain's length is unknown."""
        return self.per_second * self.chain_cycles / self.chain if self.chain > 0 else 0.0

    @property
    def agrees(self) -> bool:
        """Whether it counts core cycles: the chain takes what it is known to take, within 3 %."""
        return self.chain_cycles > 0 and abs(self.chain / self.chain_cycles - 1) < 0.03

    @property
    def rank(self) -> tuple[int, float]:
        """Smaller is better: true core cycles, then what the chain can scale to them, then the clock;
        among equals the one that costs and rounds least."""
        kind = 0 if self.unit == "core cycles" and self.agrees else 2 if self.unit == "ns" else 1
        return kind, self.overhead + 10 * self.resolution


def score_counters(probes: Mapping[str, Path | str], core: int | None) -> list[CounterScore]:
    """Runs every probe (counter file -> program, or why it could not be built), best first, absent ones last."""
    scores = [_score(file, probe, core) for file, probe in probes.items()]
    return sorted(scores, key=lambda score: (bool(score.absent), score.rank))


def choose_counter(scores: list[CounterScore], wanted: str = "") -> CounterScore:
    """The one wanted (that of a run to be resumed) if it works, else the best; MachineUnfit when not even the
    clock does. What costs nearly the same is settled by name, so that noise does not settle it anew each time."""
    working = [score for score in scores if not score.absent]
    for score in working:
        if score.file == wanted:
            return score
    if working:
        kind, cost = min(score.rank for score in working)
        near = (score for score in working if score.rank <= (kind, cost * NEARLY))
        return min(near, key=lambda score: score.file)
    reasons = "; ".join(f"{score.file}: {score.absent}" for score in scores)
    raise MachineUnfit(f"no counter works here ({reasons})")


def _score(file: str, probe: Path | str, core: int | None) -> CounterScore:
    if isinstance(probe, str):
        return CounterScore(file=file, absent=probe)
    said = read_pairs(
        sandbox.run([str(probe), "score"], cpu=core, limits=sandbox.Limits(seconds=20), visible=[probe.parent])
    )
    if "absent" in said or "name" not in said:
        return CounterScore(file=file, absent=said.get("absent") or said["problem"])
    score = CounterScore(
        file=file,
        name=said["name"],
        unit=said["unit"],
        overhead=float(said["overhead"]),
        resolution=float(said["resolution"]),
        chain=float(said["chain"]),
        chain_cycles=int(float(said["chain_cycles"])),
        load=float(said["load"]),
        per_second=float(said["per_second"]),
    )
    return score if score.chain > 0 else CounterScore(file=file, absent="it stands still")


def read_pairs(outcome: sandbox.Outcome) -> dict[str, str]:
    """name<TAB>value lines; `problem` says how the program ended."""
    lines = outcome.stdout.decode(errors="replace").splitlines()
    pairs = dict(line.split("\t", 1) for line in lines if "\t" in line)
    return pairs | {"problem": outcome.problem or "says nothing"}
