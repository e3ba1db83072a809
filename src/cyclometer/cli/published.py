# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer published`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from cyclometer import paths
from cyclometer.analyse import prepare
from cyclometer.analyse.published import published_tables
from cyclometer.cli._options import AllRuns, Machines, Measures, Results, Runs, TableFormat
from cyclometer.cli._select import selected
from cyclometer.discover.published import read_published
from cyclometer.errors import NothingToDo, UnknownName
from cyclometer.records.published import Published
from cyclometer.records.table import Report, Table
from cyclometer.report import reporter
from cyclometer.store import connect, results_folder, storage

PANEL = "Look at results"

Documents = Annotated[
    list[str] | None, typer.Argument(metavar="[DOCUMENT]...", help="S0 to S4, as listed above; default: all.")
]

Then = Annotated[str, typer.Option("--then", metavar="MACHINE", help="Only figures of this machine of the document.")]


def command(
    documents: Documents = None,
    *,
    then: Then = "",
    measure: Measures = None,
    run: Runs = None,
    machine: Machines = None,
    everything: AllRuns = False,
    format: TableFormat = "terminal",
    results: Results = None,
) -> None:
    """Show the figures that published documents print beside ours: then, now, ratio, and place then and now.

    \b
    S0  Cycle counts for auth. encryption  run crypto_aead
    S1  How fast is cryptography?          run crypto_sign crypto_dh
    S2  Poly1305-AES speed tables          see docs/published.md
    S3  Building a battlefield ...         run aes-128-gcm --length 4096
    S4  Performance of Protocols           run crypto_blockcipher; run sha-1
                                           --length 16,32,64,1024
    """
    write, published = reporter(format), read_published(paths.root())
    published = _only(published, documents or (), then, measure or ())
    folder = results_folder(results)
    stored = selected(folder, run, machine, everything=everything)
    infos = [entry.info for entry in stored if entry.info]
    with storage("read", folder), connect(stored) as connection:
        prepare(connection, infos)
        tables = published_tables(connection, infos, published)
    if not tables:
        asked = ", ".join(documents or published.titles)
        raise NothingToDo(
            f"the selected runs have no figure of {asked}; `cyclometer published --help` says what to run"
        )
    write(Report(tables=tuple(tables), notes=tuple(_notes(published, tables))), sys.stdout)


def _only(published: Published, documents: Sequence[str], then: str, measures: Sequence[str]) -> Published:
    """Keep the figures asked for. Raises `UnknownName`."""
    for name in documents:
        if name not in published.titles:
            raise UnknownName("document", name, published.titles, "one of " + ", ".join(published.titles))
    figures = [figure for figure in published.figures if not documents or figure.document in documents]
    for kind, wanted, names in (
        ("machine of the documents", [then] if then else [], {figure.machine for figure in figures} - {""}),
        ("measure", measures, {figure.measure for figure in figures}),
    ):
        for name in wanted:
            if name not in names:
                raise UnknownName(kind, name, sorted(names), "known: " + ", ".join(sorted(names)))
    kept = [f for f in figures if (not then or f.machine == then) and (not measures or f.measure in measures)]
    return Published(
        titles=published.titles,
        figures=tuple(kept),
        matches=published.matches,
        cpus=published.cpus,
        megahertz=published.megahertz,
    )


def _notes(published: Published, tables: Sequence[Table]) -> list[str]:
    shown = dict.fromkeys(table.title.partition(",")[0] for table in tables)
    return [f"{name}: {published.titles[name]}" for name in shown]
