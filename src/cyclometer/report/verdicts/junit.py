# SPDX-License-Identifier: MIT OR Apache-2.0
"""JUnit XML: a test case for each measure that is compared, a failure for each that fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO
from xml.etree import ElementTree

from cyclometer.records.table import Report
from cyclometer.records.verdict import Verdict
from cyclometer.report.verdicts._sentence import sentence
from cyclometer.untrusted import printable


def write(report: Report, stream: TextIO) -> None:
    """Write one suite per system; points and sides are the case's output."""
    cases = [_case(verdict) for verdict in report.verdicts]
    for missing in report.missing:
        case = ElementTree.Element("testcase", _named(missing.system, "measured"))
        if not missing.passed:
            ElementTree.SubElement(case, "failure", message="B lacks this system", type="missing")
        cases.append(case)
    names = list(dict.fromkeys(case.get("classname", "") for case in cases))
    suites = [_suite(name, [case for case in cases if case.get("classname") == name]) for name in names]
    root = ElementTree.Element("testsuites", {"name": "cyclometer", **_counts(cases)})
    root.extend(suites)
    ElementTree.indent(root)
    stream.write('<?xml version="1.0" encoding="UTF-8"?>\n')
    stream.write(ElementTree.tostring(root, encoding="unicode") + "\n")


def _suite(name: str, cases: Sequence[ElementTree.Element]) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": name, **_counts(cases)})
    suite.extend(cases)
    return suite


def _named(system: str, measure: str) -> dict[str, str]:
    return {"classname": printable(system), "name": printable(measure), "time": "0"}


def _counts(cases: Sequence[ElementTree.Element]) -> dict[str, str]:
    failures = sum(case.find("failure") is not None for case in cases)
    return {"tests": str(len(cases)), "failures": str(failures), "errors": "0", "skipped": "0", "time": "0"}


def _case(verdict: Verdict) -> ElementTree.Element:
    case = ElementTree.Element("testcase", _named(f"{verdict.operation}/{verdict.system}", verdict.measure))
    if not verdict.passed:
        failure = ElementTree.SubElement(case, "failure", message=printable(verdict.reason), type="slower")
        failure.text = sentence(verdict)
    lines = [f"A: {printable(verdict.a)}", f"B: {printable(verdict.b)}", sentence(verdict)]
    lines += [
        f"{verdict.by} {point.value}: {point.verdict}, "
        + ("no ratio" if point.ratio is None else f"ratio {point.ratio:.4f}")
        + ("" if point.limit is None else f", limit {point.limit:.4f}")
        for point in verdict.points
    ]
    ElementTree.SubElement(case, "system-out").text = "\n".join(lines)
    return case
