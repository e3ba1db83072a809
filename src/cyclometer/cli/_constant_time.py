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
    """A line for each tuning, and one for each finding; exit status 1 when one breaks its own promise,
    and when none could be followed."""
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
    if not judged or any(verdict.claimed and not verdict.constant for verdict in judged):
        raise typer.Exit(1)


def _mark(verdict: ConstantTime) -> str:
    if verdict.unchecked:
        return "not checked"
    return "constant   " if verdict.constant else "LEAKS      "


def _remark(verdict: ConstantTime) -> str:
    if verdict.unchecked:
        return f": {verdict.unchecked}"
    if verdict.constant or verdict.claimed is None:
        return ""
    return " (although it promises not to)" if verdict.claimed else " (as it says)"
