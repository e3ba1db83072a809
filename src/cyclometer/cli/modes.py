# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer modes`."""

from __future__ import annotations

import socket
import sys
from typing import Annotated

import typer

from cyclometer import campaign, paths
from cyclometer.cli import _values
from cyclometer.cli._options import Implementations, Results, TableFormat, TimeLimit
from cyclometer.cli._output import say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.cli._select import complete_runs
from cyclometer.compile import contracts
from cyclometer.discover import discover, published_per_byte, read_modes, select, with_pairs
from cyclometer.errors import CyclometerError, NothingToDo, UnknownName
from cyclometer.records.catalogue import Catalogue, Primitive
from cyclometer.records.grid import points_of
from cyclometer.records.table import Report, Table
from cyclometer.report import reporter
from cyclometer.store import results_folder
from cyclometer.workload import measure_mode, mode_notes, modes_table, point_of

PANEL = "Look at results"

Systems = Annotated[
    list[str] | None,
    typer.Argument(help="Systems of one operation; default: aes-128-gcm.", autocompletion=_values.systems),
]

OnlyModes = Annotated[
    list[str] | None,
    typer.Option(
        "--mode", help="Only this mode of the folder modes/ (repeatable; --list).", autocompletion=_values.modes
    ),
]

Length = Annotated[int, typer.Option(min=1, max=1 << 24, help="Length, in bytes or what the operation counts.")]

MeasureNow = Annotated[
    bool, typer.Option("--measure-now/--stored", help="Measure what is missing, or show what is stored.")
]

Rounds = Annotated[
    int | None, typer.Option(min=1, max=1000, help="Rounds (processes) per mode; default: the profile's.")
]


def command(
    systems: Systems = None,
    *,
    length: Length = 4096,
    measure: Annotated[str, typer.Option(help="The measure, such as encrypt.")] = "encrypt",
    mode: OnlyModes = None,
    implementation: Implementations = None,
    rounds: Rounds = None,
    time_limit: TimeLimit = 60.0,
    measure_now: MeasureNow = True,
    list_only: Annotated[bool, typer.Option("--list", help="List the modes of the tree and exit.")] = False,
    format: TableFormat = "terminal",
    results: Results = None,
) -> None:
    """Show a system in each mode of this machine (native, 32-bit, without AES ...), beside published figures."""
    modes = read_modes(paths.root())
    if list_only:
        for name, each in modes.items():
            asked = [f"--toolchain {each.toolchain}"] * bool(each.toolchain)
            asked += [f"--without {','.join(each.without)}"] * bool(each.without)
            say(f"{name:12} {each.title}" + (f" (run {' '.join(asked)})" if asked else ""))
        return
    for name in mode or ():
        if name not in modes:
            raise UnknownName("mode", name, modes, "known: " + ", ".join(modes))
    write, catalogue = reporter(format), with_pairs(discover(paths.root()), systems or ())
    folder = results_folder(results)
    tables: list[Table] = []
    notes: list[str] = []
    for primitive in _primitives(catalogue, systems or ["crypto_aead/aes-128-gcm"], measure):
        options = campaign.Options(
            systems=(primitive.key,),
            machine=socket.gethostname(),
            implementations=tuple(implementation or ()),
            rounds=rounds,
            seed=campaign.drawn_seed(),
            check_seconds=time_limit,
            lengths=str(length),
            keys="1",
        )
        contract = contracts(paths.root(), [catalogue.operations[primitive.operation]])[primitive.operation]
        point, progress = point_of(measure, length), ProgressReporter() if measure_now else None
        found = [
            measure_mode(
                primitive, point, (name, each), options, contract, folder, lambda: complete_runs(folder), progress
            )
            for name, each in modes.items()
            if not mode or name in mode
        ]
        figures, documents = published_per_byte(paths.root(), primitive, measure, length)
        if not any(each.cost for each in found):
            remedy = "" if measure_now else "; `cyclometer modes` without --stored measures it"
            raise NothingToDo(f"{primitive.name}: {found[0].reason}{remedy}")
        tables.append(modes_table(primitive, point, found, figures))
        notes += mode_notes(found, documents)
    write(Report(tables=tuple(tables), notes=tuple(dict.fromkeys(notes))), sys.stdout)


def _primitives(catalogue: Catalogue, names: list[str], measure: str) -> list[Primitive]:
    """Return the systems that the names mean; CyclometerError if their operation has no such measure with lengths."""
    chosen = select(catalogue, names)
    for primitive in chosen:
        lines = catalogue.operations[primitive.operation].profiles["quick"][1]
        with_lengths = sorted({line.split()[0] for line in lines if any(point[1] for point in points_of(line))})
        if measure not in with_lengths:
            raise CyclometerError(
                f"--measure {measure}: {primitive.operation} has {', '.join(with_lengths) or 'no measure with lengths'}"
            )
    return chosen
