# SPDX-License-Identifier: MIT OR Apache-2.0
"""SUPERCOP and eBACS data lines; docs/exchange.md describes the fields.

A process begins with an `implementation` line. SUPERCOP repeats its grid in one process; each repetition becomes a
round.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import Size
from cyclometer.records.supercop_names import CONTRACT, DataLines, is_plain
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.store.importers._session import ImportSession, RunBuffer, RunName
from cyclometer.untrusted import shortened

OWN = "cyclometer-"
_VERSION = re.compile(r"[0-9]{8}|cyclometer-[0-9A-Za-z.+]+")
_OPERATION = re.compile(r"crypto_[a-z0-9_]+")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_OFFSETS = re.compile(r"(?:[+-][0-9]{1,18})+")
_OFFSET = re.compile(r"[+-][0-9]+")

_FIELDS = 6  # before the kind of record
_MAX_TIMINGS = 100_000
_MAX_LENGTH = 2**31 - 1
_MAX_ROUNDS = 2**15 - 1
_MAX_DETAIL = 1 << 16  # characters of what a compiler says of one tuning
_TRY_FIELDS = 7  # checksums, status, cycles, check, per second, implementation, compiler

# Part of a counter's name -> its unit. A counter scaled to the core's nominal clock has neither of these units.
_UNITS = {"tsc": "TSC ticks", "pmc": "core cycles", "perf": "core cycles", "mcycle": "core cycles"}


class MalformedLine(Exception):
    """The reason why a line cannot be read."""


@dataclass
class _Process:
    """The context of a measurement, from the lines before it."""

    run: RunBuffer
    names: DataLines
    operation: str
    primitive: str
    goal: str
    is_round: bool = False  # of Cyclometer, whose processes measure the empty call again and again
    implementation: str = ""
    compiler: str = ""
    sequence: int = 0
    first_round: int | None = None
    repetitions: dict[tuple[str, int], int] = field(default_factory=dict)
    measured: set[Tuning] = field(default_factory=set)

    def subject(self, implementation: str = "", compiler: str = "") -> Tuning:
        """Return the named tuning; names not given are those being measured."""
        return Tuning(
            operation=self.operation,
            primitive=self.primitive,
            implementation=implementation or self.implementation,
            compiler=compiler or self.compiler,
        )

    @property
    def facts(self) -> dict[str, Any]:
        """Return the primitive's entry in run.json."""
        return self.run.primitives.setdefault(f"{self.operation}/{self.primitive}", {"goals": {}})


@dataclass
class _State:
    """What is carried from line to line of one file."""

    processes: dict[tuple[RunName, str, str, str], _Process] = field(default_factory=dict)
    rounds: dict[tuple[int, Tuning], int] = field(default_factory=dict)  # the next, by run and tuning
    object_sizes: dict[tuple[int, Tuning], dict[str, int]] = field(default_factory=dict)  # text bytes by name


def recognises(line: str) -> bool:
    """Return whether a line begins like a data line."""
    try:
        _address(line.split())
    except MalformedLine:
        return False
    return True


def read(lines: Iterable[str], session: ImportSession) -> None:
    """Read line by line; a malformed line is counted and skipped."""
    state = _State()
    for line in lines:
        session.next_line(line)
        words = line.split()
        if not words:
            continue
        try:
            _line(words, state, session)
        except MalformedLine as error:
            session.malformed(str(error))
    for process in state.processes.values():
        _finish_process(process, state)


def _line(words: Sequence[str], state: _State, session: ImportSession) -> None:
    address = _address(words)
    if address not in state.processes:
        name, operation, primitive, goal = address
        run = session.run(name)
        run.contracts.setdefault(operation, name.source)
        run.facts.setdefault("abi", name.variant)
        names = DataLines(operation, session.foreign)
        state.processes[address] = _Process(
            run=run,
            names=names,
            operation=operation,
            primitive=primitive,
            goal=goal,
            is_round=name.source.startswith(OWN),
        )
    process, kind, fields = state.processes[address], words[_FIELDS], words[_FIELDS + 1 :]
    if kind in _KINDS:
        _KINDS[kind](process, fields, state)
    elif kind.endswith("bytes") and len(fields) == 1:
        process.facts[process.names.size_of(kind)] = _number(fields[0])
    elif measure := process.names.measure_of(kind):
        _measurement(process, measure, fields, state, session)
    else:
        session.skip(kind)


def _address(words: Sequence[str]) -> tuple[RunName, str, str, str]:
    """Return run, operation, primitive and goal of a line."""
    if len(words) <= _FIELDS:
        raise MalformedLine("fewer than seven fields")
    version, machine, abi, day, operation, named = words[:_FIELDS]
    primitive, _, goal = named.partition("/")
    if not _VERSION.fullmatch(version):
        raise MalformedLine("the first field is not a version of SUPERCOP")
    if not _OPERATION.fullmatch(operation):
        raise MalformedLine("the fifth field is not an operation")
    if not is_plain(primitive) or (goal and not is_plain(goal)):
        raise MalformedLine("the sixth field is not a primitive")
    if not is_plain(machine) or not is_plain(abi):
        raise MalformedLine("the second and third fields are not a machine and an ABI")
    source = version if version.startswith(OWN) else CONTRACT + version
    return RunName(machine=machine, date=_date(day), source=source, variant=abi), operation, primitive, goal


def _date(text: str) -> datetime.date:
    try:
        return datetime.datetime.strptime(text, "%Y%m%d").date()
    except ValueError:
        raise MalformedLine("the fourth field is not a date") from None


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise MalformedLine("a field that must be a number is not one")
    return int(text)


def _text(word: str) -> str:
    return "" if word == "-" else word.replace("_", " ").strip()


def _path(process: _Process, word: str) -> str:
    """Return the implementation's name, its path below the primitive."""
    return word.removeprefix(f"{process.operation}/{process.primitive}/").removeprefix(f"{process.operation}/")


def _require_fields(fields: Sequence[str], count: int) -> None:
    if len(fields) < count:
        raise MalformedLine("fewer fields than this kind of record has")


def _implementation(process: _Process, fields: Sequence[str], state: _State) -> None:
    """Begin a process, which the following lines describe."""
    _require_fields(fields, 1)
    process.implementation, process.compiler = _path(process, fields[0]), ""
    process.sequence, process.first_round, process.repetitions = 0, None, {}


def _compiler(process: _Process, fields: Sequence[str], state: _State) -> None:
    _require_fields(fields, 1)
    process.compiler = _text(fields[0])
    version = _text(fields[1]) if len(fields) > 1 else ""
    process.run.compilers[process.compiler] = f"{process.compiler} ({version})" if version else process.compiler


def _cpu(process: _Process, fields: Sequence[str], state: _State) -> None:
    _require_fields(fields, 1)
    process.run.facts.setdefault("cpu", _text(fields[0]))


def _per_second(process: _Process, fields: Sequence[str], state: _State) -> None:
    _require_fields(fields, 1)
    process.run.counter.setdefault("per_second", _number(fields[0]))


def _counter(process: _Process, fields: Sequence[str], state: _State) -> None:
    _require_fields(fields, 1)
    name = fields[0]
    unit = next((unit for part, unit in _UNITS.items() if part in name), "counter units")
    process.run.counter.setdefault("name", name)
    process.run.counter.setdefault("unit", unit)
    if name != process.run.counter["name"]:
        raise MalformedLine(f"counted with another counter than the run, {shortened(process.run.counter['name'])}")


def _try(process: _Process, fields: Sequence[str], state: _State) -> None:
    _require_fields(fields, _TRY_FIELDS if fields[1:2] != ["fails"] else 4)
    status = fields[1]
    if status == "fails":
        subject = process.subject(_path(process, fields[-2]), _text(fields[-1]))
        kind, reason = FailureKind.WRONG_OUTPUT, "fails the checksum"
        process.run.failures[subject] = Failure(stage="check", subject=subject, kind=kind, reason=reason)
        return
    subject = process.subject(_path(process, fields[5]), _text(fields[6]))
    timings = len(_OFFSET.findall(fields[7])) if len(fields) > _TRY_FIELDS else 1
    cycles = _number(fields[2])
    process.run.trials.setdefault(subject, Trial(subject=subject, cycles=cycles, timings=timings, chosen=False))


def _try_fails(process: _Process, fields: Sequence[str], state: _State) -> None:
    """Record a failure: the first of several lines is the reason, the others its detail."""
    _require_fields(fields, 3)
    subject, words = process.subject(_path(process, fields[0]), _text(fields[1])), " ".join(fields[2:])[:_MAX_DETAIL]
    prior = process.run.failures.get(subject)
    if prior is None:
        process.run.failures[subject] = Failure(stage="check", subject=subject, kind=FailureKind.UNKNOWN, reason=words)
    elif len(prior.detail) < _MAX_DETAIL and words != prior.reason and words not in prior.detail:
        detail = f"{prior.detail}\n{words}".strip()
        process.run.failures[subject] = replace(prior, detail=detail)


def _object_size(process: _Process, fields: Sequence[str], state: _State) -> None:
    _require_fields(fields, 6)
    if fields[5] != "try":
        subject = process.subject(_path(process, fields[0]), _text(fields[1]))
        state.object_sizes.setdefault((id(process.run), subject), {})[fields[5]] = _number(fields[2])


def _ignore(process: _Process, fields: Sequence[str], state: _State) -> None:
    """Accept a valid record that does not concern speed."""


_KINDS: dict[str, Callable[[_Process, Sequence[str], _State], None]] = {
    "implementation": _implementation,
    "compiler": _compiler,
    "cpuid": _cpu,
    "cpucycles_persecond": _per_second,
    "cpucycles_implementation": _counter,
    "try": _try,
    "tryfails": _try_fails,
    "objsize": _object_size,
    "fromcompiler": _ignore,
}


def _measurement(process: _Process, measure: str, fields: Sequence[str], state: _State, session: ImportSession) -> None:
    _require_fields(fields, 2)
    length_field = 0 if fields[0] == "-" else _number(fields[0])
    headline = _number(fields[1])
    series = _series(headline, fields[2:])
    if (
        fields[2:3]
        and fields[2][0] in "+-"
        and abs(_stq2_times_2n(series) - headline * 2 * len(series)) >= 2 * len(series)
    ):
        session.suspicious("the StQ2 of the series differs from the line's")
    ad_length, length = process.names.lengths(length_field)
    if not (0 <= length <= _MAX_LENGTH and 0 <= ad_length <= _MAX_LENGTH):
        raise MalformedLine("a length is out of range")
    subject = process.subject()
    process.run.add_sample(
        subject,
        {
            "measure": measure,
            "length": length,
            "ad_length": ad_length,
            "counter": process.run.counter.get("name", "unknown"),
            "series": series,
            "round": _round(process, subject, (measure, length_field), state),
            "sequence": process.sequence,
        },
    )
    process.sequence += 1
    process.measured.add(subject)
    process.facts["goals"].setdefault(f"{subject.implementation} {subject.compiler}", process.goal)


def _round(process: _Process, subject: Tuning, point: tuple[str, int], state: _State) -> int:
    """Return the round: after those of earlier processes, one for each repetition in a process of SUPERCOP's."""
    key = (id(process.run), subject)
    if process.first_round is None:
        process.first_round = state.rounds.get(key, 0)
    number = process.first_round + (0 if process.is_round else process.repetitions.get(point, 0))
    if number > _MAX_ROUNDS:
        raise MalformedLine("too many repetitions")
    process.repetitions[point] = process.repetitions.get(point, 0) + 1
    state.rounds[key] = max(state.rounds.get(key, 0), number + 1)
    return number


def _series(headline: int, fields: Sequence[str]) -> list[int]:
    """Return the raw timings: offsets from StQ2 in one field, or (older) timings in separate fields."""
    if not fields:
        return [headline]
    if len(fields) == 1 and _OFFSETS.fullmatch(fields[0]):
        series = [headline + int(offset) for offset in _OFFSET.findall(fields[0])]
    else:
        series = [_number(word) for word in fields]
    if len(series) > _MAX_TIMINGS:
        raise MalformedLine("the series is too long")
    return series


def _stq2_times_2n(series: Sequence[int]) -> int:
    """Return the sum whose 2n-th part is StQ2.

    It is the sum of elements 3n to 5n - 1 of the n sorted timings, each repeated eight times.
    """
    ordered, count = sorted(series), len(series)
    return sum(
        value * (min(8 * index + 8, 5 * count) - max(8 * index, 3 * count))
        for index, value in enumerate(ordered)
        if 8 * index + 8 > 3 * count and 8 * index < 5 * count
    )


def _finish_process(process: _Process, state: _State) -> None:
    """Record what is known only at the end: which tunings were measured, and their sizes."""
    run = process.run
    for subject in process.measured:
        if subject in run.trials:
            prior = run.trials[subject]
            run.trials[subject] = Trial(subject=subject, cycles=prior.cycles, timings=prior.timings, chosen=True)
        object_sizes = state.object_sizes.get((id(run), subject))
        if object_sizes:
            run.sizes[subject, "code_bytes"] = Size(
                subject=subject, name="code_bytes", value=sum(object_sizes.values())
            )
        if process.names.packet_overhead in process.facts:
            name, value = "packet_overhead_bytes", process.facts[process.names.packet_overhead]
            run.sizes[subject, name] = Size(subject=subject, name=name, value=value)
