# SPDX-License-Identifier: MIT OR Apache-2.0
"""The studies among stored runs, for a report."""

from __future__ import annotations

from collections.abc import Sequence

from cyclometer.errors import CyclometerError
from cyclometer.protocols.studies import studies, study
from cyclometer.records.study import StudyResult
from cyclometer.store import StoredRun


def study_results(stored: Sequence[StoredRun]) -> list[StudyResult]:
    """Return the newest run of each study on each machine; one that cannot be read says why in place of a verdict."""
    newest: dict[tuple[str, str], StoredRun] = {}
    for run in sorted((run for run in stored if run.info and run.state == "complete"), key=_started):
        assert run.info
        if (name := run.info.study) in studies():
            newest[name, run.machine] = run
    return [_result(name, newest[name, machine]) for name, machine in sorted(newest, key=_ladders_first)]


def _ladders_first(key: tuple[str, str]) -> tuple[bool, str, str]:
    return (key[0] != "ladder", *key)


def _started(run: StoredRun) -> float:
    assert run.info
    return run.info.started.timestamp()


def _result(name: str, run: StoredRun) -> StudyResult:
    title = study(name).TITLE
    try:
        found = study(name).findings(run)
    except CyclometerError as error:
        return StudyResult(study=name, title=title, machine=run.machine, run=run.run, verdict=(str(error),))
    return StudyResult(
        study=name,
        title=title,
        machine=run.machine,
        run=run.run,
        verdict=tuple(found.verdict),
        tables=tuple(found.tables),
        pictures=tuple(found.pictures),
    )
