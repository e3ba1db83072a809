# SPDX-License-Identifier: MIT OR Apache-2.0
"""A verdict in one line."""

from __future__ import annotations

from cyclometer.records.verdict import NO_DIFFERENCE, Verdict
from cyclometer.untrusted import printable


def name(verdict: Verdict) -> str:
    """Return what was compared."""
    return printable(f"{verdict.system} {verdict.measure}")


def sentence(verdict: Verdict) -> str:
    """Return the verdict with the ratio of the worst point, its interval and its limit."""
    seen = verdict.verdict if verdict.verdict == NO_DIFFERENCE else f"B is {verdict.verdict}"
    if verdict.ratio is None:
        return f"{seen}; no ratio can be computed"
    interval = "" if verdict.interval is None else f" ({verdict.interval[0]:.4f} to {verdict.interval[1]:.4f})"
    limit = "" if verdict.limit is None else f", limit {verdict.limit:.4f}"
    return f"{seen}; B / A is {verdict.ratio:.4f}{interval} at {verdict.by} {verdict.at}{limit}"
