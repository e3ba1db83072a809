# SPDX-License-Identifier: MIT OR Apache-2.0
"""Functions that accept or reject: branches on a public verdict are told from comparisons that end early.

memcheck sees in both that a branch depends on a secret. So callgrind counts how often each line is executed
(harness/api/verification.h): for a branch on the verdict as often for all that is accepted, and as often for all that
is rejected, wherever it was forged.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from cyclometer.check.vectors import limits
from cyclometer.execute.timed import call
from cyclometer.records.executable import Executable

_INPUT = re.compile(r"^desc: Trigger: Client Request: input (\d+) (\w+)$", re.MULTILINE)
_NAME = re.compile(r"^(fn|fl|fi|fe)=(.*)$")
_JUMP = re.compile(r"^((?:jcnd|jump|calls)=\S+)")
_COST = re.compile(r"^(\d+)(?: (\d+))?\s*$")
_UNKNOWN = "???"

Place = str
"""`file:line`, or the name of a function whose lines are not known."""

Counts = dict[Place, Counter[str]]
"""How often instructions were executed, of one call; how often each kind of jump was taken."""


def uneven_places(executable: Executable, seconds: float) -> tuple[frozenset[Place], str]:
    """Return where calls with one verdict differ in what they execute, and what went wrong if they were not counted."""
    compiler = executable.compiler
    counting = replace(executable, compiler=replace(compiler, emulator=compiler.instruction_counter))
    outcome = call(counting, "verifications", limits=limits(compiler, seconds))
    if outcome.problem or b"verdict\tok\t" not in outcome.stdout:
        return frozenset(), outcome.problem or "no verdict"
    classes: dict[str, dict[str, list[Counts]]] = defaultdict(lambda: defaultdict(list))
    for number, verdict, counts in _calls(outcome.stderr.decode(errors="replace")):
        classes[verdict][number].append(counts)
    if not classes:
        return frozenset(), "no instructions were counted"
    return frozenset(place for inputs in classes.values() for place in _uneven(inputs)), ""


def place(function: str, location: str) -> Place:
    """Return the place of a stack frame of memcheck's: its location is `file:line`, or `in` an object."""
    return function if ":" not in location else PurePath(location).name


def _uneven(inputs: Mapping[str, list[Counts]]) -> Iterator[Place]:
    """Yield the places whose counts depend on the input: each time the same for one, and not the same for all."""
    everywhere = {place for calls in inputs.values() for counts in calls for place in counts}
    for each in everywhere:
        seen = [[counts.get(each) for counts in calls] for calls in inputs.values()]
        steady = all(one == calls[0] for calls in seen for one in calls)
        if steady and any(calls[0] != seen[0][0] for calls in seen):
            yield each


def _calls(text: str) -> Iterator[tuple[str, str, Counts]]:
    """Yield each counted call's number of the input, verdict and counts."""
    for part in text.split("\npart: "):
        if match := _INPUT.search(part):
            yield match[1], match[2], _counts(part.splitlines())


def _counts(lines: Sequence[str]) -> Counts:
    """Read how often each line was executed, and jumps taken: after a jump or a call comes where it is."""
    counts: Counts = {}
    file = function = jump = ""
    for line in lines:
        if match := _NAME.match(line):
            function = match[2] if match[1] == "fn" else function
            file = file if match[1] == "fn" else PurePath(match[2]).name
        elif match := _JUMP.match(line):
            jump = match[1]
        elif match := _COST.match(line):
            at = function if file == _UNKNOWN or match[1] == "0" else f"{file}:{match[1]}"
            here = counts.setdefault(at, Counter())
            if jump:
                here[jump] += 1
            else:
                here["executed"] += int(match[2] or 0)
            jump = ""
    return counts
