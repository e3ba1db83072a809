# SPDX-License-Identifier: MIT OR Apache-2.0
"""The gate of `cyclometer compare`: its limit, and the exit status."""

from __future__ import annotations

import math
from typing import Annotated

import typer

from cyclometer.analyse.comparison.gate import AUTO, Limit
from cyclometer.cli._output import complain
from cyclometer.errors import CyclometerError
from cyclometer.records.table import Report

AUTO_ROUNDS = 30
"""The default number of rounds with an automatic limit: enough to see 1 % beside 20 points that do not differ."""

FailAbove = Annotated[
    str | None,
    typer.Option(
        metavar="PERCENT|auto",
        help="Exit with status 1 if B is significantly slower by more than PERCENT, or by more than chance explains "
        "(auto, from the A/A control: at most one false alarm in 100 comparisons), or lacks a system that A has.",
    ),
]


def limit_of(text: str | None) -> Limit:
    """Return the limit that the user set, None without one. Raises `CyclometerError`, also for an empty text.

    A script whose variable is not set must not pass every change.
    """
    if text is None or text == AUTO:
        return text
    try:
        percent = float(text)
    except ValueError:
        percent = math.nan
    if not 0 <= percent < math.inf:
        raise CyclometerError(f"--fail-above {text!r} is no limit; give a percentage from 0 on, such as 5, or auto")
    return percent


def close(report: Report) -> None:
    """Exit with status 1 if B is worse than the limit allows."""
    worse = [verdict.reason for verdict in report.verdicts if not verdict.passed]
    worse += [f"it has no {missing.system}" for missing in report.missing if not missing.passed]
    if worse:
        complain(f"B is worse: {'; '.join(worse)}")
        raise typer.Exit(1)
