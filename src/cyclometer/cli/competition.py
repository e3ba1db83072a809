# SPDX-License-Identifier: MIT OR Apache-2.0
"""The subcommand `cyclometer competition`, whose subcommands are the steps of a round."""

from __future__ import annotations

import datetime
import socket
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from cyclometer import campaign, competition, paths
from cyclometer.cli._json import Format, print_json, wants_json
from cyclometer.cli._options import TimeLimit, Unsafe
from cyclometer.cli._output import say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.competition.bundle import Outcome
from cyclometer.competition.repeat import FAILS, HOLDS, UNKNOWN
from cyclometer.errors import CyclometerError
from cyclometer.records.table import Report
from cyclometer.report import reporter
from cyclometer.signing import fingerprint, make_key
from cyclometer.untrusted import MAX_LINE_FILE, read_text

PANEL = "Exchange and publish"

group = typer.Typer(
    no_args_is_help=True,
    help="Hold a competition: check, freeze, run blindly, publish, verify, repeat (docs/competition.md).",
)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder with competition.toml.")]
Bundle = Annotated[Path, typer.Argument(metavar="BUNDLE", help="The folder that `publish` wrote.")]
Key = Annotated[Path, typer.Option(metavar="FILE", help="Private key (Ed25519, OpenSSH); `competition key` makes one.")]
Machine = Annotated[str, typer.Option(help="Name of this machine in the competition; default: its host name.")]
Rounds = Annotated[int | None, typer.Option(min=1, max=1000, help="Rounds (processes) per system.")]


@group.command()
def key(file: Annotated[Path, typer.Argument(metavar="FILE", help="The new private key; FILE.pub is public.")]) -> None:
    """Make a key that signs a round, in the format of OpenSSH."""
    line = make_key(file)
    say(f"{line}")
    say(f"{file} signs; publish {file}.pub ({fingerprint(line)})")


@group.command()
def check(
    folder: Folder,
    submissions: Annotated[list[str] | None, typer.Argument(help="Submissions; default: all.")] = None,
    time_limit: TimeLimit = 60.0,
    unsafe: Unsafe = False,
    format: Format = "terminal",
) -> None:
    """Build and check submissions and follow their secrets, offline; exit with status 1 if one is not admitted."""
    as_json = wants_json(format)
    verdicts = competition.check_submissions(
        paths.root(),
        competition.read_competition(folder),
        submissions or [],
        ProgressReporter(),
        time_limit=time_limit,
        unsafe=unsafe,
    )
    if as_json:
        print_json({"verdicts": [{**asdict(each), "admitted": each.admitted} for each in verdicts]})
    else:
        for each in verdicts:
            _print_verdict(each)
    if not all(each.admitted for each in verdicts):
        raise typer.Exit(1)


def _print_verdict(each: competition.Verdict) -> None:
    say(f"{'admitted' if each.admitted else 'REFUSED':9}{each.submission}")
    for title, lines in (("right", each.right), ("WRONG", each.failures), ("without", each.unavailable)):
        for line in lines:
            say(f"         {title:9}{line}")
    for line in each.constant:
        say(f"         constant {line}: no branch or address was seen to depend on a secret")
    for line in each.leaks:
        say(f"         LEAKS    {line}")
    fits = "takes it" if each.admitted else "would take it if it were right"
    for name, reason in each.classes.items():
        say(f"         class    {name}: {reason or fits}")


@group.command()
def freeze(folder: Folder, key: Key) -> None:
    """Write and sign the digests of submissions, workloads and harness; later changes wait for the next round."""
    file = competition.freeze(paths.root(), competition.read_competition(folder), key, _today())
    say(f"{file} and its signature; publish both")


@group.command()
def run(
    folder: Folder,
    operator: Annotated[str, typer.Option(help="Who measures.")],
    machine: Machine = "",
    rounds: Rounds = None,
    time_limit: TimeLimit = 60.0,
    unsafe: Unsafe = False,
) -> None:
    """Measure the frozen submissions under random labels in random order, what is missing of the classes."""
    options = campaign.Options(machine=machine or socket.gethostname(), rounds=rounds, check_seconds=time_limit)
    found = competition.read_competition(folder)
    stored = competition.measure(paths.root(), found, operator, options, ProgressReporter(), unsafe=unsafe)
    say(f"stored {stored}")


@group.command()
def publish(
    folder: Folder,
    key: Key,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The bundle to write.")],
) -> None:
    """Write a signed bundle of sources, digests, raw runs and tables; print the standings."""
    outcome = competition.publish(competition.read_competition(folder), key, output, _today())
    _print_outcome(outcome)
    say(f"wrote {output}, signed by {fingerprint(outcome.signer)}")


@group.command()
def verify(
    bundle: Bundle,
    signer: Annotated[
        str, typer.Option(metavar="KEY|FILE.pub", help="The public key that must have signed; default: any, printed.")
    ] = "",
    attacks: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Attacks that arrived later: recompute the ranks with them.")
    ] = None,
) -> None:
    """Check signatures and digests, and recompute every table of a bundle byte for byte."""
    if attacks and not attacks.is_dir():
        raise CyclometerError(f"{attacks} is not a folder of attacks")
    outcome = competition.verify(bundle, _public(signer), attacks)
    if attacks:
        _print_outcome(outcome)
    say(f"{bundle}: every file and every table is as signed by {fingerprint(outcome.signer)}")


@group.command()
def repeat(
    bundle: Bundle,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Folder for one's own runs.")] = Path("repeat-runs"),
    machine: Machine = "",
    rounds: Rounds = None,
    time_limit: TimeLimit = 60.0,
    unsafe: Unsafe = False,
    format: Format = "terminal",
) -> None:
    """Measure a bundle's submissions here and list which conclusions hold, fail, or cannot be told."""
    as_json = wants_json(format)
    outcome = competition.verify(bundle)
    options = campaign.Options(machine=machine or socket.gethostname(), rounds=rounds, check_seconds=time_limit)
    found = competition.repeat(paths.root(), outcome, options, runs, ProgressReporter(), unsafe=unsafe)
    if as_json:
        return print_json({"conclusions": [asdict(each) for each in found]})
    for verdict in (HOLDS, FAILS, UNKNOWN):
        for each in found:
            if each.verdict == verdict:
                say(f"{verdict:15}{each.name}: {each.text}")
    if not found:
        say("the bundle concludes nothing: no rank counts")


def _print_outcome(outcome: Outcome) -> None:
    standings = outcome.standings.values()
    tables = [competition.standing_table(outcome.competition, found, reasons=False) for found in standings]
    notes = [f"{found.name}: no rank counts: {found.incomplete}" for found in standings if found.incomplete]
    for found in standings:
        notes += [f"{found.name}: {p.system} is not ranked: {p.excluded}" for p in found.places if p.excluded]
    reporter("terminal")(Report(tables=tuple(tables), notes=tuple(notes)), sys.stdout)
    for line in outcome.moved:
        say(f"an attack on record moves {line}")


def _public(signer: str) -> str:
    """Return the public line that is given, or that of a file."""
    if not signer or signer.startswith("ssh-"):
        return signer
    line = read_text(Path(signer), limit=MAX_LINE_FILE).strip()
    fingerprint(line)  # refuses what is not a public key
    return line


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()
