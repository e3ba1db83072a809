# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cached verdicts of checks, and how long they hold."""

from __future__ import annotations

from cyclometer.check.agreement import Outputs, Passed
from cyclometer.check.properties import restore, serialise
from cyclometer.records.failure import Failure, FailureKind, Severity
from support.fakes import executable

HARE = executable("hare")
OUTPUTS = Outputs(count=17, digest="00112233", digests="01234567", lenient=True)


def passed(kind: FailureKind) -> Passed:
    warning = Failure(stage="check", subject=HARE.subject, kind=kind, reason="any words", severity=Severity.WARNING)
    return Passed(HARE, OUTPUTS, checksum="checksum", confirmed=True, warning=warning)


def test_a_stored_verdict_is_read_back_unchanged() -> None:
    for what in (Passed(HARE, OUTPUTS), passed(FailureKind.FORGERY_ACCEPTED)):
        assert restore(serialise(what, 6), HARE, 60) == what


def test_a_time_limit_warning_holds_until_the_limit_is_raised() -> None:
    short = passed(FailureKind.TIME_LIMIT)
    assert restore(serialise(short, 6), HARE, 7) is None
    assert restore(serialise(short, 6), HARE, 6) == short
    assert restore(serialise(short, 6), HARE, 1) == short


def test_a_verdict_that_rests_on_a_share_of_the_cases_does_not_serve_who_wants_all() -> None:
    what = Passed(HARE, OUTPUTS)
    assert restore(serialise(what, 6, share=0.25), HARE, 60, share=1.0) is None
    assert restore(serialise(what, 6, share=0.25), HARE, 60, share=0.25) == what
    assert restore(serialise(what, 6, share=1.0), HARE, 60, share=0.25) == what
