# SPDX-License-Identifier: MIT OR Apache-2.0
"""A page per machine, and a page that lists them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cyclometer.report.site.site import Page, Site
from cyclometer.report.site.slugs import machine_page
from cyclometer.report.text import failure_count

TITLE = "Machines"
PLACE = 6
ADDRESS = "machines.html"


def pages(site: Site, folder: Path) -> Iterator[Page]:
    """Yield the list, then one page per machine."""
    yield Page(path=ADDRESS, template="machines.html", title="Machines")
    for machine in site.material.machines:
        yield _page(site, machine)


def _page(site: Site, machine: str) -> Page:
    material = site.material
    chosen = [each for each in material.trials if each.machine == machine and each.record.chosen]
    newest = {(each.record.subject.operation, each.record.subject.primitive): each for each in chosen}
    spreads = [
        (operation, measure, spread)
        for operation in material.operations
        for measure, spread in sorted(operation.spreads_on(machine).items())
    ]
    return Page(
        path=machine_page(machine),
        template="machine.html",
        title=machine,
        values={
            "machine": machine,
            "info": material.latest(machine),
            "runs": [info for info in material.infos if info.machine == machine],
            "noise": {noise.run: noise for noise in material.noise.get(machine, ())},
            "spreads": spreads,
            "tunings": [newest[key] for key in sorted(newest)],
            "measured": {(system.operation, system.primitive) for system in material.systems},
            "failures": failure_count([entry for entry in material.failures if entry.machine == machine]),
        },
    )
