# SPDX-License-Identifier: MIT OR Apache-2.0
"""The option --constant-time of `cyclometer check`: whether the time of tunings depends on secrets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import typer

from cyclometer import campaign, paths
from cyclometer.cli._json import print_json
from cyclometer.cli._output import say
from cyclometer.cli._progress import ProgressReporter
from cyclometer.discover import FOLLOWS_SECRETS
from cyclometer.records.failure import ConstantTime, Failure


def print_verdicts(options: campaign.Options, *, as_json: bool) -> None:
    """Print a line for each tuning and for each place where a branch or address depends on a secret.

    Exit with status 1 if code that is not a library's leaks without declaring it, if code leaks that is declared
    constant time, or if no tuning could be checked.
    """
    environment = campaign.environment_for(paths.root(), options, checker=FOLLOWS_SECRETS)
    reporter = ProgressReporter()
    reporter.say_origin(environment)
    verdicts, failures = campaign.constant_time(environment, options, reporter)
    checked = [verdict for verdict in verdicts if not verdict.unchecked]
    leaking = [verdict for verdict in checked if not verdict.constant]
    undeclared = [each for each in leaking if each.claimed or (each.claimed is None and not each.library)]
    failures = [failure for failure in failures if failure.subject.implementation]
    if as_json:
        print_json({"verdicts": [_record(each) for each in verdicts], "failures": [asdict(each) for each in failures]})
    else:
        _print(verdicts, failures)
        if leaking:
            expected = len(leaking) - len(undeclared)
            say(
                f"not constant time: {len(leaking)} of {len(checked)} tunings, "
                f"{expected} of them declared so or from a library"
            )
    if undeclared or not checked:
        raise typer.Exit(1)


def _print(verdicts: Sequence[ConstantTime], failures: Sequence[Failure]) -> None:
    for verdict in verdicts:
        say(f"{_mark(verdict):11} {verdict.subject}{_remark(verdict)}")
        for finding in verdict.findings:
            say(f"            {finding.what}: {finding.where}")
    for failure in failures:
        say(f"not checked {failure.subject}: {failure.reason}")


def _record(verdict: ConstantTime) -> dict[str, Any]:
    return {"verdict": _mark(verdict).lower(), **asdict(verdict)}


def _mark(verdict: ConstantTime) -> str:
    if verdict.unchecked:
        return "not checked"
    return "constant" if verdict.constant else "LEAKS"


def _remark(verdict: ConstantTime) -> str:
    if verdict.unchecked:
        return f": {verdict.unchecked}"
    if verdict.constant:
        return ""
    if verdict.claimed is None:
        return " (a library without a declaration)" if verdict.library else " (not declared)"
    return " (declared constant time)" if verdict.claimed else " (as declared)"
