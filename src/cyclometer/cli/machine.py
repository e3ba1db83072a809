# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer machine`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import rich.box
import typer
from rich.table import Table

from cyclometer import campaign, host, paths
from cyclometer.cli._calibration import calibrations, content, show
from cyclometer.cli._json import Format, print_json, wants_json
from cyclometer.cli._output import console, plain, say

PANEL = "Measure"

Calibrate = Annotated[
    bool, typer.Option("--calibrate", help="Measure code of known cost with every counter, and print the errors.")
]


def command(calibrate: Calibrate = False, format: Format = "terminal") -> None:
    """Describe this machine: its facts, its counters, its noise, and how to reduce it."""
    as_json = wants_json(format)
    if calibrate:
        found = calibrations()
        return print_json({"calibrations": content(found)}) if as_json else show(found)
    environment = campaign.prepare_environment(paths.root())
    if as_json:
        return print_json(_content(environment))
    drawing = console()
    grid = Table.grid(padding=(0, 2))
    for fact in host.facts():
        grid.add_row(fact.name, plain(fact.value))
    grid.add_row("measuring core", "any" if environment.core is None else str(environment.core))
    drawing.print(grid)
    drawing.print(_counters(environment.scores, environment.counter))
    assert environment.probe
    noise = host.listen(environment.probe, environment.core)
    clock = f", core at {environment.counter.core_hertz / 1e9:.2f} GHz" if environment.counter.core_hertz else ""
    say(
        f"noise in one second: clock spread {noise.clock_spread:.1%}, slowed by neighbours {noise.disturbed:.1%} "
        f"(90th over 10th percentile of {noise.moments} probes), interrupted for {noise.interrupted:.1%}{clock}"
    )
    for line in host.advice(environment.counter, noise):
        say(f"- {line}")


def _content(environment: campaign.Environment) -> dict[str, Any]:
    assert environment.probe
    noise = host.listen(environment.probe, environment.core)
    scores = [{**asdict(score), "chosen": score == environment.counter} for score in environment.scores]
    return {
        "facts": {fact.name: fact.value for fact in host.facts()},
        "measuring_core": environment.core,
        "counters": scores,
        "core_hertz": environment.counter.core_hertz or None,
        "noise": {
            "moments": noise.moments,
            "clock_spread": noise.clock_spread,
            "neighbours_take": noise.disturbed,
            "interruptions_take": noise.interrupted,
        },
        "advice": host.advice(environment.counter, noise),
    }


def _counters(scores: list[host.CounterScore], chosen: host.CounterScore) -> Table:
    table = Table(
        "", "counter", "counts", "overhead", "resolution", "chain: counts/cycles", "per second",
        box=rich.box.SIMPLE, title="Counters, best first", title_justify="left",
    )  # fmt: skip
    for score in scores:
        if score.absent:
            table.add_row("", score.file, f"- {score.absent}")
        else:
            ratio = f"{score.chain:.0f}/{score.chain_cycles}"
            numbers = (f"{score.overhead:.0f}", f"{score.resolution:.0f}", ratio, f"{score.per_second:.4g}")
            table.add_row("*" if score == chosen else "", score.name, score.unit, *numbers)
    return table
