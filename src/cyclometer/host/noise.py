# SPDX-License-Identifier: MIT OR Apache-2.0
"""What disturbs this machine, heard for a second through the reference kernels, and what to do about it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from cyclometer.errors import MachineUnfit
from cyclometer.execute import sandbox
from cyclometer.host.counters import CounterScore, read_pairs
from cyclometer.host.facts import cpu_flags, fact_governor, fact_smt, fact_turbo


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Quantiles (percent -> value) over the moments of the listening time."""

    moments: int
    chain: dict[int, float]  # counter units for the chain: the clock
    ratio: dict[int, float]  # load/chain: what neighbours take

    @property
    def clock_spread(self) -> float:
        """(p90 - p10) / p50 of the chain."""
        return (self.chain[90] - self.chain[10]) / self.chain[50]

    @property
    def disturbed(self) -> float:
        """How far load/chain at p90 stands above its quiet level (p10)."""
        return self.ratio[90] / self.ratio[10] - 1


def listen(probe: Path, core: int | None, seconds: float = 1.0) -> Noise:
    """Runs the chosen counter's probe for so long."""
    limits = sandbox.Limits(seconds=seconds + 20)
    said = read_pairs(sandbox.run([str(probe), "noise", str(seconds)], cpu=core, limits=limits, visible=[probe.parent]))
    if "moments" not in said:
        raise MachineUnfit(f"the noise probe fails: {said['problem']}")
    percents = (1, 10, 25, 50, 75, 90, 99)
    return Noise(
        moments=int(float(said["moments"])),
        chain={p: float(said[f"chain_p{p:02d}"]) for p in percents},
        ratio={p: float(said[f"ratio_p{p:02d}"]) for p in percents},
    )


def advice(counter: CounterScore, noise: Noise) -> list[str]:
    """What would make the numbers better, most important first."""
    return list(_advice(counter, noise))


def _advice(counter: CounterScore, noise: Noise) -> Iterator[str]:
    if counter.unit != "core cycles":
        yield (
            f"no core-cycle counter: {counter.name} counts {counter.unit}, scaled to core cycles by the chain; "
            "a PMU (bare metal, or a guest that is given one) and perf_event_paranoid <= 2 would be better"
        )
    if noise.disturbed > 0.05:
        yield (
            f"a neighbour on the core takes up to {noise.disturbed:.0%}: stop other programs and guests, "
            "or measure longer (more rounds); disturbed samples are retaken and marked"
        )
    if noise.clock_spread > 0.02:
        yield f"the clock moves by {noise.clock_spread:.1%} within a second: fix the frequency, switch turbo off"
    if fact_governor() in ("powersave", "ondemand", "schedutil"):
        yield f"governor {fact_governor()}: 'cpupower frequency-set -g performance'"
    if fact_turbo() == "on":
        yield "turbo is on: the clock depends on temperature and on the other cores"
    if fact_smt().startswith("on"):
        yield "SMT is on: keep the sibling of the measuring core idle, or switch it off"
    if "hypervisor" in cpu_flags():
        yield "a guest: other guests disturb unseen by this kernel; the reference kernels beside each sample tell"
    if psutil.getloadavg()[0] > 0.5:
        yield f"load {psutil.getloadavg()[0]:.1f}: other programs are running"
    if not shutil.which("bwrap"):
        yield "bubblewrap is not installed: executables run with limits only, without a sandbox of their own"
