# SPDX-License-Identifier: MIT OR Apache-2.0
"""Cached verdicts: what they hold for, and how long."""

from __future__ import annotations

from pathlib import Path

from cyclometer.check.agreement import Outputs, Passed
from cyclometer.check.cache import VerdictCache, restore, serialise
from cyclometer.records.failure import Failure, FailureKind, Severity
from support.fakes import executable

CHECKED = executable("checked")
OUTPUTS = Outputs(count=17, digest="00112233", digests="01234567", lenient=True)


def passed(kind: FailureKind) -> Passed:
    warning = Failure(stage="check", subject=CHECKED.subject, kind=kind, reason="any words", severity=Severity.WARNING)
    return Passed(CHECKED, OUTPUTS, checksum="checksum", confirmed=True, warning=warning)


def test_a_verdict_holds_for_the_same_files_of_answers_only(tmp_path: Path) -> None:
    cache, tested = VerdictCache(tmp_path, "this CPU"), executable("ref")
    whole, empty, part, rest = (tmp_path / name for name in ("whole", "empty", "part", "rest"))
    for path, text in ((whole, "ab"), (empty, ""), (part, "a"), (rest, "b")):
        path.write_text(text)
    cache.put(tested, [], "none")
    cache.put(tested, [whole], "whole")
    assert cache.get(tested, []) == "none"
    assert cache.get(tested, [whole]) == "whole"
    assert cache.get(tested, [empty]) == ""
    assert cache.get(tested, [part, rest]) == ""


def test_a_verdict_that_cannot_be_stored_is_given_again(tmp_path: Path) -> None:
    """The cache's disk may be full, or be read-only."""
    (tmp_path / "cache").touch()  # no folder can be made in it
    cache = VerdictCache(tmp_path / "cache", "this CPU")
    cache.put(CHECKED, [], "passed")
    assert cache.get(CHECKED, []) == ""


def test_a_stored_verdict_is_read_back_unchanged() -> None:
    for what in (Passed(CHECKED, OUTPUTS), passed(FailureKind.FORGERY_ACCEPTED)):
        assert restore(serialise(what, 6), CHECKED, 60) == what


def test_a_time_limit_warning_holds_until_the_limit_is_raised() -> None:
    short = passed(FailureKind.TIME_LIMIT)
    assert restore(serialise(short, 6), CHECKED, 7) is None
    assert restore(serialise(short, 6), CHECKED, 6) == short
    assert restore(serialise(short, 6), CHECKED, 1) == short


def test_a_verdict_that_rests_on_a_share_of_the_cases_does_not_serve_who_wants_all() -> None:
    what = Passed(CHECKED, OUTPUTS)
    assert restore(serialise(what, 6, share=0.25), CHECKED, 60, share=1.0) is None
    assert restore(serialise(what, 6, share=0.25), CHECKED, 60, share=0.25) == what
    assert restore(serialise(what, 6, share=1.0), CHECKED, 60, share=0.25) == what


def test_a_cache_that_cannot_be_written_costs_another_check_and_no_more(tmp_path: Path) -> None:
    (tmp_path / "verdicts").write_text("a file where the folder should be")
    cache = VerdictCache(tmp_path, "this CPU")
    cache.put(executable("ref"), [], "passed")
    assert cache.get(executable("ref"), []) == ""
