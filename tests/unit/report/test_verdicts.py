# SPDX-License-Identifier: MIT OR Apache-2.0
"""Verdicts as JUnit XML and as annotations of GitHub Actions."""

from __future__ import annotations

import io
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from cyclometer.errors import UnknownName
from cyclometer.records.table import Report
from cyclometer.records.verdict import Missing, PointVerdict, Verdict
from cyclometer.report import format_names, reporter

POINT = PointVerdict(value=64, verdict="slower", ratio=1.02, interval=(1.01, 1.03), limit=1.005, passed=False)
SLOWER = Verdict(
    operation="crypto_hash",
    system="sha-256",
    measure="hash",
    by="length",
    a="sha-256 base gcc-O3 (box, r1)",
    b="sha-256 change gcc-O3 (box, r1)",
    verdict="slower",
    passed=False,
    at=64,
    ratio=1.02,
    interval=(1.01, 1.03),
    limit=1.005,
    points=(POINT,),
    reason="sha-256 hash is slower by more than its limit",
)
SAME = replace(SLOWER, measure="update", verdict="no difference", passed=True, reason="")
REPORT = Report(tables=(), verdicts=(SLOWER, SAME), missing=(Missing(system="crypto_hash/md5", passed=False),))


def written(name: str, report: Report = REPORT) -> str:
    stream = io.StringIO()
    reporter(name, verdicts=True)(report, stream)
    return stream.getvalue()


def test_junit_has_a_case_for_each_measure_and_counts_failures() -> None:
    root = ElementTree.fromstring(written("junit"))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "3", "2")
    suites = {suite.get("name"): suite for suite in root}
    assert suites.keys() == {"crypto_hash/sha-256", "crypto_hash/md5"}
    hashed, updated = suites["crypto_hash/sha-256"]
    assert (hashed.tag, hashed.get("classname"), hashed.get("name")) == ("testcase", "crypto_hash/sha-256", "hash")
    [failure] = hashed.findall("failure")
    assert failure.get("message") == SLOWER.reason
    assert "limit 1.0050" in str(failure.text)
    assert updated.find("failure") is None


def test_junit_holds_no_characters_that_xml_forbids() -> None:
    hostile = replace(SLOWER, system='<a>&"\x1b[31m', reason="]]>\x00")
    root = ElementTree.fromstring(written("junit", Report(tables=(), verdicts=(hostile,))))
    assert root.get("failures") == "1"


def test_annotations_are_errors_only_for_what_fails() -> None:
    lines = written("github").splitlines()
    assert [line.split(" ")[0] for line in lines] == ["::error", "::notice", "::error"]
    assert lines[0].startswith("::error title=cyclometer%3A sha-256 hash::sha-256 hash is slower")
    assert "no difference" in lines[1]


def test_annotations_are_escaped_as_github_documents() -> None:
    hostile = replace(SLOWER, system="a,b::c%", reason="100 % of\n::error::it")
    [line] = written("github", Report(tables=(), verdicts=(hostile,))).splitlines()
    title, message = line.removeprefix("::error title=").split("::", 1)
    assert title == "cyclometer%3A a%2Cb%3A%3Ac%25 hash"
    assert message.startswith("100 %25 of\\n::error::it")  # on one line: the line break was made visible before


def test_these_formats_are_for_comparisons_alone() -> None:
    assert set(format_names(verdicts=True)) - set(format_names()) == {"github", "junit"}
    with pytest.raises(UnknownName):
        reporter("junit")
