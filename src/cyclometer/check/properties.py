# SPDX-License-Identifier: MIT OR Apache-2.0
"""The property tests of one executable."""

from __future__ import annotations

from collections.abc import Sequence

from cyclometer.check.agreement import Outputs, Passed
from cyclometer.check.vectors import SECONDS, LabelledRequest, failure_of, limits, lines_of, unlike_vectors
from cyclometer.execute import keypair_cache
from cyclometer.execute.timed import call
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind

LENIENT, BUDGET = "lenient", "budget"  # words for the verb `check`
THOROUGH = 20.0  # share of CPU time with which a fast function is compared at every length that is compared at all
SEED = 20071119  # arbitrary, but fixed, so that failures can be reproduced


def check_properties(
    executable: Executable, seconds: float, *words: str, requests: Sequence[LabelledRequest] = ()
) -> Passed | Failure:
    """Run the property tests, in a process that answers these requests of published vectors first."""
    limit = limits(executable.compiler, seconds)
    outcome = call(executable, "check", str(SEED), *words, stdin=lines_of(requests), limits=limit)
    if failure := unlike_vectors(executable, requests, outcome):
        return failure
    records = outcome.stdout.decode(errors="replace").splitlines()
    if not outcome.problem and (outputs := _digests(records, LENIENT in words)):
        keypair_cache.put(executable, outcome.stdout.splitlines())
        return Passed(executable, outputs)
    kind, reason = failure_of(outcome)
    if kind is FailureKind.TIME_LIMIT:
        reason = f"property tests: {reason}"
    return Failure(stage="check", subject=executable.subject, kind=kind, reason=reason, detail=outcome.last_words())


def outputs_of(executable: Executable, first: int, lenient: bool) -> list[tuple[str, bytes]]:
    """Return some outputs of the property tests with their cases, from the number `first` on."""
    words = ("check", str(SEED), *([LENIENT] if lenient else []), BUDGET, str(THOROUGH), "outputs", str(first))
    outcome = call(executable, *words, limits=limits(executable.compiler, SECONDS))
    records = [record.split("\t") for record in outcome.stdout.decode(errors="replace").splitlines()]
    return [(fields[1], bytes.fromhex(fields[2])) for fields in records if fields[0] == "output"]


def _digests(records: Sequence[str], lenient: bool) -> Outputs | None:
    """Read the last two records of a check that was passed; None if they are others."""
    last = [record.split("\t") for record in records[-2:]]
    if [fields[0] for fields in last] != ["digests", "verdict"] or last[1][1] != "ok":
        return None
    return Outputs(count=int(last[0][1]), digest=last[1][2], digests=last[0][2], lenient=lenient)
