# SPDX-License-Identifier: MIT OR Apache-2.0
"""cyclometer check --constant-time"""

from __future__ import annotations

import typer
from rich.console import Console

from cyclometer import pipeline, tree
from cyclometer.cli._progress import Narrator
from cyclometer.model import ConstantTime

CHECKER = "constant-time"


def print_verdicts(options: pipeline.Options) -> None:
    """A line for each tuning, and one for each finding. Exit status 1 when one leaks that does not declare it,
    whether it promised anything or not: it was asked; and when none could be followed."""
    bench = pipeline.prepare(tree.root(), systems=options.systems, foreign=options.tree, checker=CHECKER)
    verdicts, failures = pipeline.constant_time(bench, options, Narrator())
    console = Console(highlight=False, soft_wrap=True)
    for verdict in verdicts:
        console.print(f"{_mark(verdict)} {verdict.subject}{_remark(verdict)}", markup=False)
        for finding in verdict.findings:
            console.print(f"            {finding.what}: {finding.where}", markup=False)
    for failure in failures:
        if failure.subject.implementation:
            console.print(f"not checked {failure.subject}: {failure.reason}", markup=False)
    judged = [verdict for verdict in verdicts if not verdict.unchecked]
    leaking = [verdict for verdict in judged if not verdict.constant]
    undeclared = [verdict for verdict in leaking if verdict.claimed is not False]
    if leaking:
        declared = len(leaking) - len(undeclared)
        print(f"not constant time: {len(leaking)} of {len(judged)} tunings; declared so: {declared}")
    if undeclared or not judged:
        raise typer.Exit(1)


def _mark(verdict: ConstantTime) -> str:
    if verdict.unchecked:
        return "not checked"
    return "constant   " if verdict.constant else "LEAKS      "


def _remark(verdict: ConstantTime) -> str:
    if verdict.unchecked:
        return f": {verdict.unchecked}"
    if verdict.constant:
        return ""
    if verdict.claimed is None:
        return " (and promises nothing)"
    return " (although it promises not to)" if verdict.claimed else " (as it says)"
