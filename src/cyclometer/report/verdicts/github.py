# SPDX-License-Identifier: MIT OR Apache-2.0
"""Annotations of GitHub Actions: an error for each measure that fails, a notice for each other one.

The form is `::error title=TITLE::MESSAGE`; GitHub's documents, "Workflow commands", name the characters to escape.
"""

from __future__ import annotations

from typing import TextIO

from cyclometer.records.table import Report
from cyclometer.report.verdicts._sentence import name, sentence
from cyclometer.untrusted import printable


def write(report: Report, stream: TextIO) -> None:
    """Write one line per measure, and one per system that B lacks."""
    for verdict in report.verdicts:
        text = sentence(verdict) if verdict.passed else f"{verdict.reason}; {sentence(verdict)}"
        stream.write(_annotation(f"cyclometer: {name(verdict)}", text, passed=verdict.passed))
    for missing in report.missing:
        stream.write(_annotation(f"cyclometer: {missing.system}", "B lacks this system", passed=missing.passed))


def _annotation(title: str, message: str, *, passed: bool) -> str:
    kind = "notice" if passed else "error"
    return f"::{kind} title={_property(printable(title))}::{_message(printable(message))}\n"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
