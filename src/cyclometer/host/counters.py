# SPDX-License-Identifier: MIT OR Apache-2.0
"""Scores the counters on the reference chain and chooses one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cyclometer.errors import MachineUnfit
from cyclometer.execute import sandbox
from cyclometer.execute.seccomp import Policy

SIMILAR_COST = 1.5  # counters within this factor of the cheapest count as equally cheap


@dataclass(frozen=True, kw_only=True)
class CounterScore:
    """One counter on this machine. Numbers are in its own units; `absent` is the reason why there are none."""

    file: str  # harness/counters/<file>.h
    name: str = ""
    unit: str = ""
    overhead: float = 0.0
    resolution: float = 0.0  # the step by which readings advance
    dither_cycles: int = 0  # delay before each timing that averages the step out; 0: the step is fine
    read_gap: int = 0  # core cycles between the two reads for one count; 0: one read
    chain: float = 0.0  # units for chain_cycles core cycles
    chain_cycles: int = 0
    load: float = 0.0
    per_second: float = 0.0
    absent: str = ""

    @property
    def core_hertz(self) -> float:
        """The core's clock rate in Hz during scoring, from the chain; 0 if the chain was not timed."""
        return self.per_second * self.chain_cycles / self.chain if self.chain > 0 else 0.0

    @property
    def agrees(self) -> bool:
        """Whether it counts core cycles: the chain takes the cycles it must take, within 3 %."""
        return self.chain_cycles > 0 and abs(self.chain / self.chain_cycles - 1) < 0.03

    @property
    def rank(self) -> tuple[int, float]:
        """The sort key, best first: core cycles, then units that the chain converts to them, then nanoseconds.

        Among equals, low overhead and fine resolution come first.
        """
        kind = 0 if self.unit == "core cycles" and self.agrees else 2 if self.unit == "ns" else 1
        return kind, self.overhead + 10 * self.resolution


def score_counters(probes: Mapping[str, Path | str], core: int | None, abi: str = "") -> list[CounterScore]:
    """Run every probe (counter file -> program, or why it was not built); return the best first, absent ones last."""
    scores = [_score(file, probe, core, abi) for file, probe in probes.items()]
    return sorted(scores, key=lambda score: (bool(score.absent), score.rank))


def choose_counter(scores: list[CounterScore], preferred: str = "") -> CounterScore:
    """Return the preferred counter if it works, else the best one; MachineUnfit if none works.

    Among counters of similar cost the name decides, so that noise does not change the choice from run to run.
    """
    working = [score for score in scores if not score.absent]
    for score in working:
        if score.file == preferred:
            return score
    if working:
        kind, cost = min(score.rank for score in working)
        similar = (score for score in working if score.rank <= (kind, cost * SIMILAR_COST))
        return min(similar, key=lambda score: score.file)
    reasons = "; ".join(f"{score.file}: {score.absent}" for score in scores)
    raise MachineUnfit(f"no counter works here ({reasons})")


def _score(file: str, probe: Path | str, core: int | None, abi: str) -> CounterScore:
    if isinstance(probe, str):
        return CounterScore(file=file, absent=probe)
    pairs = read_pairs(
        sandbox.run(
            [str(probe), "score"],
            cpu=core,
            limits=sandbox.Limits(seconds=20),
            visible=[probe],
            policy=Policy.COUNT,
            abi=abi,
        )
    )
    if "absent" in pairs or "name" not in pairs:
        return CounterScore(file=file, absent=pairs.get("absent") or pairs["problem"])
    score = CounterScore(
        file=file,
        name=pairs["name"],
        unit=pairs["unit"],
        overhead=float(pairs["overhead"]),
        resolution=float(pairs["resolution"]),
        dither_cycles=int(float(pairs["dither_cycles"])),
        read_gap=int(float(pairs["read_gap"])),
        chain=float(pairs["chain"]),
        chain_cycles=int(float(pairs["chain_cycles"])),
        load=float(pairs["load"]),
        per_second=float(pairs["per_second"]),
    )
    return score if score.chain > 0 else CounterScore(file=file, absent="the counter does not advance")


def read_pairs(outcome: sandbox.Outcome) -> dict[str, str]:
    """Return a probe's name<TAB>value lines; `problem` is how the program ended."""
    lines = outcome.stdout.decode(errors="replace").splitlines()
    pairs = dict(line.split("\t", 1) for line in lines if "\t" in line)
    return pairs | {"problem": outcome.problem or "prints nothing"}
