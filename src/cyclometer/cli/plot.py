# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer plot`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.analyse import contents
from cyclometer.cli import _values
from cyclometer.cli._options import AllRuns, Machines, MinSecurity, Names, Results, Runs, Unbroken
from cyclometer.cli._output import complain, say
from cyclometer.cli._select import selected
from cyclometer.cli._systems import chosen, secure
from cyclometer.discover.views import length_units
from cyclometer.errors import CyclometerError, UnknownName
from cyclometer.records.curve import PlotOptions
from cyclometer.report import plots
from cyclometer.store import connect, results_folder, storage

PANEL = "Look at results"

MOST_DRAWN = 8

Length = Annotated[
    int | None,
    typer.Option(
        min=0,
        metavar="N",
        help="Length (bytes, or what the operation counts) of plots that show one, interpolated if not measured; "
        "default: a typical one.",
    ),
]

Top = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        show_default=False,
        help=f"Draw the N fastest systems of each operation; default: those named, else {MOST_DRAWN} where a plot of "
        "all would be crowded.",
    ),
]

UpTo = Annotated[
    int | None,
    typer.Option(
        "--up-to",
        min=1,
        metavar="N",
        show_default=False,
        help="Longest packet drawn; default: the longest measured.",
    ),
]

Diagonal = Annotated[
    float,
    typer.Option(
        min=0,
        metavar="N",
        show_default=False,
        help="Slope of the corner-to-corner diagonal in cycles per byte (or what a length counts); default: automatic.",
    ),
]

Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="File to write, .png, .svg or .pdf; default: KIND.png."),
]


def command(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND", help="One of " + ", ".join(plots.kind_names()) + ".", autocompletion=_values.plots
        ),
    ],
    names: Names = None,
    *,
    measure: Annotated[str, typer.Option(help="Only this measure, such as encrypt; default: all.")] = "",
    length: Length = None,
    top: Top = None,
    up_to: UpTo = None,
    diagonal: Diagonal = 0,
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    unbroken: Unbroken = False,
    min_security: MinSecurity = 0,
    output: Output = None,
    results: Results = None,
) -> None:
    plot = plots.kind(kind)
    if length is not None and not plot.needs.one_length:
        raise CyclometerError(
            f"--length {length}: {kind} shows every length; leave it out, or end the axis by --up-to N"
        )
    from cyclometer.analyse.curves import plot_data  # noqa: PLC0415
    from cyclometer.analyse.leaders import leaders  # noqa: PLC0415

    file = output or Path(f"{kind}.png")
    plots.require_drawable(file)
    folder = results_folder(results)
    machines = machine or (["*"] if plot.needs.all_machines and not run else [])
    stored = selected(folder, run, machines, everything=everything)
    infos = [entry.info for entry in stored if entry.info]
    with storage("read", stored[0].folder if len(stored) == 1 else folder), connect(stored) as connection:
        named = chosen(contents.measured(connection), names or [])
        systems, insecure = secure(named, infos, unbroken=unbroken, least_bits=min_security)
        _check_measure(contents.measures(connection), systems, measure)
        most = top or (MOST_DRAWN if plot.needs.leaders and not _are_named(systems, names or ()) else None)
        systems, left_out = leaders(connection, systems, most, measure) if most else (systems, [])
        data, notes = plot_data(connection, infos, systems, plot.needs, length, length_units(paths.root(), systems))
    options = PlotOptions(measure=measure, length=length, up_to=up_to or 0, diagonal=diagonal)
    written = plots.save(lambda: plot.draw(data, options), file)
    for note in (*left_out, *notes, *insecure):
        complain(note)
    for path in written:
        say(path)


_KINDS = "\n\n".join(f"{name}: {summary}." for name, summary in plots.summaries().items())
command.__doc__ = f"Plot measurements, for print.\n\n{_KINDS}\n"


def _are_named(systems: contents.Systems, names: Sequence[str]) -> bool:
    """Return whether every system was named itself, not by its operation or a pattern."""
    primitives = {primitive for several in systems.values() for primitive in several}
    return bool(names) and all(name.rpartition("/")[2] in primitives for name in names)


def _check_measure(measures: Mapping[str, Sequence[str]], systems: contents.Systems, measure: str) -> None:
    known = sorted({name for operation, names in measures.items() if operation in systems for name in names})
    if measure and measure not in known:
        raise UnknownName("measure", measure, known, "known: " + ", ".join(known))
