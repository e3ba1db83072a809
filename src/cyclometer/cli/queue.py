# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer queue`, whose subcommands take in, examine and list submissions."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from cyclometer.campaign.budget import seconds_of
from cyclometer.cli._json import Format, print_json, wants_json
from cyclometer.cli._options import TimeLimit
from cyclometer.cli._output import console, plain, say
from cyclometer.errors import MachineUnfit, NothingToDo, StorageFailed
from cyclometer.publish import hand_in
from cyclometer.records.submission import SubmissionVerdict
from cyclometer.records.table import Table
from cyclometer.signing import read_key
from cyclometer.store import list_runs
from cyclometer.submissions import Examiner, LocalExaminer, Queue, publish_alone, read_archive, work
from cyclometer.submissions.signed import signature_of
from cyclometer.untrusted import printable

PANEL = "Exchange and publish"

group = typer.Typer(
    no_args_is_help=True,
    help="Take in code of others, examine it in the sandbox and publish a verdict on each (docs/submissions.md).",
)

Folder = Annotated[Path, typer.Argument(metavar="QUEUE", help="The folder of the queue; made if there is none.")]


@group.command()
def add(
    folder: Folder,
    submissions: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Archives (tar, also compressed) or folders of SUPERCOP, NIST or PQClean style."
        ),
    ],
    name: Annotated[str, typer.Option(help="What to call it; default: the name of the file.")] = "",
) -> None:
    """Put submissions into the queue; none of them, if one is too large or cannot be read."""
    queue = Queue(folder)
    contents = [(name or path.resolve().name, read_archive(path)) for path in submissions]
    for called, content in contents:
        added = queue.add(content, called)
        say(f"{added.id}: {added.name}: {added.bytes:,} bytes wait")


@group.command(name="send")
def send_(
    url: Annotated[str, typer.Argument(metavar="URL", help="The server of a collection that takes submissions.")],
    submissions: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Archives or folders.")],
    key: Annotated[Path, typer.Option(metavar="FILE", help="Your private key, as for `cyclometer publish`.")],
) -> None:
    """Sign submissions and hand them to a server, which examines them there."""
    private = read_key(key)
    for path in submissions:
        name, archive = path.resolve().name, read_archive(path)
        number = hand_in(archive, name, url, signature_of(archive, private))
        say(f"{number}: {name}: the verdict will be at {url}/submissions/")


@group.command(name="work")
def work_(
    folder: Folder,
    machine: Annotated[str, typer.Option(help="Name of this machine in the results; default: its host name.")] = "",
    fleet: Annotated[
        Path | None,
        typer.Option(metavar="FLEET.toml", help="Examine on each of these machines instead (docs/fleet.md)."),
    ] = None,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="What one submission may take, such as 20min; then it is abandoned.")
    ] = "1h",
    time_limit: TimeLimit = 60.0,
    watch: Annotated[
        float,
        typer.Option(
            min=0, metavar="SECONDS", help="Look for new submissions every SECONDS; 0: end when the queue is empty."
        ),
    ] = 0.0,
) -> None:
    """Examine what waits, one after the other, and write a page about each verdict."""
    queue, seconds = Queue(folder) if watch else _existing(folder), seconds_of(budget)
    with ExitStack() as opened:
        if fleet:
            examine = _on_a_fleet(fleet, seconds, time_limit, opened)
        else:
            local = LocalExaminer(machine=machine or socket.gethostname(), budget=seconds, check_seconds=time_limit)
            local.require()
            examine = local
        _publish_missing(queue)
        while True:
            try:
                done = work(queue, examine, partial(_publish, queue), _progress)
            except StorageFailed as error:
                if not watch:
                    raise
                _progress(f"{error}")  # it may be mended before the next look
            if not watch:
                return _progress(f"{done} examined; the list is {folder / 'index.html'}")
            time.sleep(watch)


def _existing(folder: Path) -> Queue:
    queue = Queue(folder)
    if not queue.exists:
        raise NothingToDo(f"{folder} is not a queue; `cyclometer queue add {folder} FILE` makes one")
    return queue


def _on_a_fleet(file: Path, seconds: float, time_limit: float, opened: ExitStack) -> Examiner:
    try:
        from cyclometer.fleet import read_fleet, session  # noqa: PLC0415 - of an optional group
        from cyclometer.submissions.everywhere import FleetExaminer  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MachineUnfit(f"{error.name} is not installed; pip install 'cyclometer[fleet]'") from None
    everywhere = opened.enter_context(session(read_fleet(file), _progress))
    return FleetExaminer(everywhere=everywhere, budget=seconds, check_seconds=time_limit)


def _publish_missing(queue: Queue) -> None:
    """Write the pages that a worker that was killed did not, and the list."""
    for verdict in queue.done():
        if not (queue.folder_of(verdict) / "index.html").exists():
            publish_alone(verdict, partial(_publish, queue), _progress)
    _list(queue)


@group.command()
def show(folder: Folder, format: Format = "terminal") -> None:
    """List what waits, what is being examined, and all verdicts."""
    queue = _existing(folder)
    waiting, running, done = queue.waiting(), queue.running(), queue.done()
    if wants_json(format):
        return print_json(
            {
                "waiting": [asdict(each) for each in waiting],
                "running": [asdict(each) for each in running],
                "done": [{"decision": each.decision, **asdict(each)} for each in done],
            }
        )
    for state, submissions in (("waiting", waiting), ("running", running)):
        for each in submissions:
            say(f"{state:12} {each.id} {each.name}")
    for verdict in done:
        said = ": ".join(filter(None, [verdict.submission.name, verdict.reasons]))
        say(f"{verdict.decision.words:12} {verdict.submission.id} {said}")
    if not (waiting or running or done):
        say(f"{folder} is empty; `cyclometer queue add {folder} FILE` puts something in")


def _publish(queue: Queue, verdict: SubmissionVerdict) -> None:
    """Write the report on what was measured, the page of the verdict, and the list of all."""
    from cyclometer.report.site.verdicts import write_verdict  # noqa: PLC0415 - templates take a while to load

    folder = queue.folder_of(verdict)
    write_verdict(folder, verdict, _report(folder) if any(each.run for each in verdict.machines) else ())
    _list(queue)


def _report(folder: Path) -> Sequence[Table]:
    """Write the web report on the runs of a submission; return its tables."""
    from cyclometer.cli._site import site_data_of  # noqa: PLC0415 - templates take a while to load
    from cyclometer.report.site import build_site  # noqa: PLC0415

    stored = [run for run in list_runs(folder / "results") if run.state == "complete"]
    build_site(site_data_of(stored), folder / "report")
    with site_data_of(stored) as data:
        return data.material.tables


def _list(queue: Queue) -> None:
    from cyclometer.report.site.verdicts import write_list  # noqa: PLC0415 - templates take a while to load

    write_list(queue.folder, queue.done(), waiting=len(queue.waiting()), running=len(queue.running()))


def _progress(line: str) -> None:
    """Print a line of progress at once."""
    console(stderr=True).print(plain(printable(line)), soft_wrap=True)
