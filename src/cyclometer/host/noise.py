# SPDX-License-Identifier: MIT OR Apache-2.0
"""Measures how much this machine is disturbed, with the reference kernels, and advises what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil

from cyclometer.errors import MachineUnfit
from cyclometer.execute import sandbox
from cyclometer.execute.bubblewrap import why_none
from cyclometer.execute.seccomp import Policy
from cyclometer.host.counters import CounterScore, read_pairs
from cyclometer.host.facts import cpu_flags, fact_governor, fact_smt, fact_turbo
from cyclometer.records.run import HARMLESS_INTERRUPTIONS

LISTENING = 0.005  # seconds: some hundred runs of either kernel


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Quantiles (percent -> value) over a number of probes of the reference kernels."""

    moments: int  # the number of probes
    chain: dict[int, float]  # counter units for the chain, which show the clock rate
    ratio: dict[int, float]  # load/chain, which shows how much neighbours slow the core
    interruptions: float = 0.0  # of the chain, in a counter unit
    interrupted: float = 0.0  # the share of its time that they took

    @property
    def clock_spread(self) -> float:
        """The spread of the clock rate: (p90 - p10) / p50 of the chain."""
        return (self.chain[90] - self.chain[10]) / self.chain[50]

    @property
    def disturbed(self) -> float:
        """How far load/chain at p90 exceeds the noise floor (here p10), as a ratio minus 1."""
        return self.ratio[90] / self.ratio[10] - 1


class Slowdown:
    """Tells how many times as long the load kernel takes now as it did at its fastest.

    Another guest on the same core doubles it, for seconds at a time, and no kernel of a guest counts that.
    """

    def __init__(self, probe: Path, core: int | None, abi: str, fastest: float) -> None:
        """`fastest` is the time of the load kernel that is known, in units of the probe's counter."""
        self._probe, self._core, self._abi, self._fastest = probe, core, abi, fastest

    def __call__(self) -> float:
        """Run the kernels for LISTENING seconds; 1.0 if that fails."""
        try:
            noise = listen(self._probe, self._core, LISTENING, self._abi)
        except MachineUnfit:
            return 1.0
        load = noise.chain[50] * noise.ratio[50]
        self._fastest = min(load, self._fastest)
        return load / self._fastest


def listen(probe: Path, core: int | None, seconds: float = 1.0, abi: str = "") -> Noise:
    """Run the chosen counter's probe for that time; MachineUnfit if it fails."""
    pairs = read_pairs(
        sandbox.run(
            [str(probe), "noise", str(seconds)],
            cpu=core,
            limits=sandbox.Limits(seconds=seconds + 20),
            visible=[probe],
            policy=Policy.COUNT,
            abi=abi,
        )
    )
    if "moments" not in pairs:
        raise MachineUnfit(f"the noise probe fails: {pairs['problem']}")
    percents = (1, 10, 25, 50, 75, 90, 99)
    return Noise(
        moments=int(float(pairs["moments"])),
        chain={p: float(pairs[f"chain_p{p:02d}"]) for p in percents},
        ratio={p: float(pairs[f"ratio_p{p:02d}"]) for p in percents},
        interruptions=float(pairs["interruptions"]),
        interrupted=float(pairs["taken"]),
    )


def advice(counter: CounterScore, noise: Noise) -> list[str]:
    """Return what would make the numbers better, the most important first."""
    return list(_advice(counter, noise))


def _advice(counter: CounterScore, noise: Noise) -> Iterator[str]:
    if counter.unit != "core cycles":
        yield (
            f"no core-cycle counter: {counter.name} counts {counter.unit}, converted to core cycles by the chain; "
            "a PMU (on bare metal, or passed to the guest) and perf_event_paranoid <= 2 would be better"
        )
    if noise.disturbed > 0.05:
        yield (
            f"neighbours on the core take up to {noise.disturbed:.0%}: stop other programs and guests, "
            "or measure more rounds; disturbed samples are retaken and marked"
        )
    yield from _interruptions(counter, noise)
    if noise.clock_spread > 0.02:
        yield f"the clock rate varies by {noise.clock_spread:.1%} within a second: fix the frequency, turn turbo off"
    if fact_governor() in ("powersave", "ondemand", "schedutil"):
        yield f"the governor is {fact_governor()}: run 'cpupower frequency-set -g performance'"
    if fact_turbo() == "on":
        yield "turbo is on: the clock rate depends on temperature and on the other cores"
    if fact_smt().startswith("on"):
        yield "SMT is on: keep the sibling of the measuring core idle, or switch it off"
    if "hypervisor" in cpu_flags():
        yield "this is a guest: its kernel does not see what other guests take, but the reference kernels do"
    if psutil.getloadavg()[0] > 0.5:
        yield f"the load is {psutil.getloadavg()[0]:.1f}: other programs are running"
    if reason := why_none():
        yield f"executables run with limits, but without a sandbox: {reason}"


def _interruptions(counter: CounterScore, noise: Noise) -> Iterator[str]:
    if noise.interrupted > HARMLESS_INTERRUPTIONS:
        often = noise.interruptions * counter.per_second
        yield (
            f"something takes the core away {often:.0f} times a second ({noise.interrupted:.1%} of the time), as the "
            f"host of a guest may: longer calls than some {1e6 / often:.0f} microseconds are marked ~; another host "
            "would be better"
        )
