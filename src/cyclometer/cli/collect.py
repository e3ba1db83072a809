# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer collect`."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import paths, signing
from cyclometer.cli._notes import notes
from cyclometer.cli._output import complain, say
from cyclometer.cli._select import selected
from cyclometer.compile import contracts
from cyclometer.discover import read_operations
from cyclometer.errors import CyclometerError, MachineUnfit, RefusedFile
from cyclometer.protocols.operation import protocol_operations
from cyclometer.publish import Collection, Quota
from cyclometer.report.site import build_site, runs_of_report, silent_stage
from cyclometer.report.site.slugs import slug
from cyclometer.store import StoredRun, select_runs
from cyclometer.submissions import MAX_ARCHIVE, Queue
from cyclometer.submissions.signed import taken
from cyclometer.untrusted import read_bytes

PANEL = "Exchange and publish"

REPORTS = "reports"
"""The folder of a collection with a web report for each machine, and where the server shows it."""

Bundles = Annotated[
    list[Path] | None, typer.Argument(metavar="[BUNDLE]...", help="Take these bundles and end; default: serve.")
]
Keys = Annotated[Path, typer.Option(metavar="FILE", help="Public keys that are trusted, one a line (docs/publish.md).")]
Size = Annotated[int, typer.Option(min=1, metavar="MB", help="The largest bundle.")]
Day = Annotated[int, typer.Option(min=1, metavar="N", help="Bundles, or submissions, of a key within 24 hours.")]

Release = Annotated[
    str | None, typer.Option("--release", metavar="TITLE", help="Make a release of today, to be cited, and end.")
]


def command(
    folder: Annotated[Path, typer.Argument(help="Folder of the collection: runs/, bundles/ and site/.")],
    keys: Keys,
    bundles: Bundles = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8765,
    max_size: Size = 256,
    per_day: Day = 100,
    release: Release = None,
    queue: Annotated[
        Path | None, typer.Option(metavar="QUEUE", help="Also take submissions of these keys into this queue.")
    ] = None,
) -> None:
    """Take bundles of others that are whole, trusted and plausible, and rebuild the public site; run nothing of theirs.

    With bundles, exit status 1 if one is refused.
    """
    quota = Quota(bundle_bytes=max_size << 20, bundles_per_day=per_day)
    known = contracts(paths.root(), [*read_operations(paths.root()).values(), *protocol_operations(paths.root())])
    collection = Collection(folder=folder, trusted=_trusted(keys), contracts=known, quota=quota)
    if release is not None:
        return _release(collection, release)
    if bundles:
        return _take(collection, bundles)
    _serve(collection, queue, host, port)


def _trusted(file: Path) -> signing.TrustedFile:
    """Return the keys of a file, which a server reads anew for each request; CyclometerError if it has none."""
    keys = signing.TrustedFile(file)
    if not [*keys]:
        raise CyclometerError(f"{file} has no public key; put lines of .pub files into it")
    return keys


def _take(collection: Collection, bundles: Sequence[Path]) -> None:
    refused = 0
    for file in bundles:
        try:
            stored = collection.take(read_bytes(file, limit=collection.quota.bundle_bytes))
        except RefusedFile as error:
            complain(f"{file}: refused: {error}")
            refused += 1
            continue
        for run in stored:
            say(f"stored {run}")
    if refused < len(bundles):
        _rebuild(collection)
    if refused:
        raise typer.Exit(1)


def _rebuild(collection: Collection, note: Callable[[str], None] = notes.setdefault) -> None:
    """Make the site anew from all runs of the collection, and the reports of machines that have a new run.

    `note` is called with a line for each run that cannot be read.
    """
    from cyclometer.cli._across import gathered  # noqa: PLC0415 - templates take a while to load
    from cyclometer.report.across import build_across  # noqa: PLC0415

    stored = select_runs(collection.results, everything=True, say=note)
    across, database = gathered(stored, silent_stage)
    newest = {entry.machine: entry for entry in stored if entry.info and across.latest(entry.machine) == entry.info}
    for entry in newest.values():
        _report(entry, collection.folder / REPORTS / slug(entry.machine))
    build_across(
        across,
        database,
        collection.folder / "site",
        releases=collection.folder / "releases",
        reports={machine: f"{REPORTS}/{slug(machine)}/index.html" for machine in newest},
    )


def _report(entry: StoredRun, folder: Path) -> None:
    """Write the web report on a machine's newest run, unless it is there."""
    from cyclometer.analyse.site_data import SecurityFilter  # noqa: PLC0415 - templates take a while to load
    from cyclometer.cli._site import site_data_of  # noqa: PLC0415

    if runs_of_report(folder) != [entry.run]:
        build_site(site_data_of([entry], least=SecurityFilter(unbroken=False, bits=0)), folder)


def _release(collection: Collection, title: str) -> None:
    if not title.strip():
        raise CyclometerError("a release needs a title, such as --release 'Spring 2026'")
    from cyclometer.cli._across import gathered  # noqa: PLC0415 - templates take a while to load
    from cyclometer.report.across import digests_of, write_release  # noqa: PLC0415

    across, database = gathered(selected(collection.results, None, None, everything=True), silent_stage)
    release = write_release(across, digests_of(database.runs), collection.folder / "releases", title)
    say(release.citation)
    _rebuild(collection)


def _serve(collection: Collection, queue: Path | None, host: str, port: int) -> None:
    try:
        import uvicorn  # noqa: PLC0415 - of an optional group

        from cyclometer.publish.application import Submissions, application  # noqa: PLC0415
        from cyclometer.publish.patience import END_SECONDS, PromptClients  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MachineUnfit(f"{error.name} is not installed; pip install 'cyclometer[collect]'") from None
    if queue and queue.exists() and not queue.is_dir():
        raise CyclometerError(f"{queue} is not a folder; name the folder of a queue with --queue")
    take = partial(taken, Queue(queue), collection.trusted, collection.quota.bundles_per_day) if queue else None
    submissions = Submissions(folder=queue, largest=MAX_ARCHIVE, take=take) if queue and take else None
    made = application(collection, lambda: _rebuild(collection, complain), submissions)
    waiting = uvicorn.Config(
        made, host, port, log_level="warning", http=PromptClients, timeout_graceful_shutdown=END_SECONDS
    )
    server = uvicorn.Server(waiting)
    with _listening(host, port) as listening:
        say(f"collecting into {collection.folder} at http://{host}:{listening.getsockname()[1]}/")
        server.run([listening])


def _listening(host: str, port: int) -> socket.socket:
    if not host:
        raise CyclometerError("--host is empty; 0.0.0.0 listens on every address of this machine")
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        why = error.strerror or str(error)
        raise CyclometerError(f"cannot listen on {host}, port {port}: {why}; choose another --host or --port") from None
