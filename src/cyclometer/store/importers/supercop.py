# SPDX-License-Identifier: MIT OR Apache-2.0
"""SUPERCOP and eBACS data lines; docs/exchange.md has the fields.

A process begins with an `implementation` line. SUPERCOP repeats its grid in
one process; each repetition becomes a round.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cyclometer.records.failure import Failure, FailureKind
from cyclometer.records.run import Size
from cyclometer.records.supercop_names import CONTRACT, DataLines
from cyclometer.records.tuning import Trial, Tuning
from cyclometer.store.importers._session import ImportSession, RunBuffer, RunName, is_plain

_VERSION = re.compile(r"[0-9]{8}|cyclometer-[0-9A-Za-z.+]+")
_OPERATION = re.compile(r"crypto_[a-z0-9_]+")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_OFFSETS = re.compile(r"(?:[+-][0-9]{1,18})+")
_OFFSET = re.compile(r"[+-][0-9]+")

_FIELDS = 6  # before the kind of record
_MOST_TIMINGS = 100_000
_MOST_LENGTH = 2**31 - 1
_MOST_ROUNDS = 2**15 - 1
_TRY_FIELDS = 7  # checksums, status, cycles, check, per second, implementation, compiler

# Part of a counter's name -> what it counts. What is scaled to the core's nominal clock counts neither.
_UNITS = {"tsc": "TSC ticks", "pmc": "core cycles", "perf": "core cycles", "mcycle": "core cycles"}


class MalformedLine(Exception):
    """Why a line cannot be read."""


@dataclass
class _Process:
    """What the lines before a measurement have said."""

    run: RunBuffer
    names: DataLines
    operation: str
    primitive: str
    goal: str
    implementation: str = ""
    compiler: str = ""
    sequence: int = 0
    first_round: int | None = None
    seen: dict[tuple[str, int], int] = field(default_factory=dict)
    measured: set[Tuning] = field(default_factory=set)

    def subject(self, implementation: str = "", compiler: str = "") -> Tuning:
        """The tuning named, else the one being measured."""
        return Tuning(
            operation=self.operation,
            primitive=self.primitive,
            implementation=implementation or self.implementation,
            compiler=compiler or self.compiler,
        )

    @property
    def facts(self) -> dict[str, Any]:
        """Of the primitive, in run.json."""
        return self.run.primitives.setdefault(f"{self.operation}/{self.primitive}", {"goals": {}})


@dataclass
class _State:
    """Between the lines of one file."""

    processes: dict[tuple[RunName, str, str, str], _Process] = field(default_factory=dict)
    rounds: dict[tuple[int, Tuning], int] = field(default_factory=dict)  # the next, by run and tuning
    objects: dict[tuple[int, Tuning], dict[str, int]] = field(default_factory=dict)  # text bytes by name


def recognises(line: str) -> bool:
    """Whether a line begins as data lines do."""
    try:
        _address(line.split())
    except MalformedLine:
        return False
    return True


def read(lines: Iterable[str], catch: ImportSession) -> None:
    """Every line by itself: one that cannot be read is counted and the next one tried."""
    state = _State()
    for line in lines:
        catch.next_line()
        words = line.split()
        if not words:
            continue
        try:
            _line(words, state, catch)
        except MalformedLine as error:
            catch.malformed(str(error))
    for process in state.processes.values():
        _close(process, state)


def _line(words: Sequence[str], state: _State, catch: ImportSession) -> None:
    address = _address(words)
    if address not in state.processes:
        name, operation, primitive, goal = address
        run = catch.run(name)
        run.contracts.setdefault(operation, name.source)
        run.facts.setdefault("abi", name.variant)
        names = DataLines(operation, catch.foreign)
        state.processes[address] = _Process(run=run, names=names, operation=operation, primitive=primitive, goal=goal)
    process, kind, rest = state.processes[address], words[_FIELDS], words[_FIELDS + 1 :]
    if kind in _KINDS:
        _KINDS[kind](process, rest, state)
    elif kind.endswith("bytes") and len(rest) == 1:
        process.facts[process.names.size_of(kind)] = _number(rest[0])
    elif measure := process.names.measure_of(kind):
        _measurement(process, measure, rest, state, catch)
    else:
        catch.leave_out(kind)


def _address(words: Sequence[str]) -> tuple[RunName, str, str, str]:
    """Run, operation, primitive and goal of a line."""
    if len(words) <= _FIELDS:
        raise MalformedLine("fewer than seven fields")
    version, machine, abi, day, operation, named = words[:_FIELDS]
    primitive, _, goal = named.partition("/")
    if not _VERSION.fullmatch(version):
        raise MalformedLine("the first field is no version of SUPERCOP")
    if not _OPERATION.fullmatch(operation):
        raise MalformedLine("the fifth field is no operation")
    if not is_plain(primitive) or (goal and not is_plain(goal)):
        raise MalformedLine("the sixth field is no primitive")
    if not is_plain(machine) or not is_plain(abi):
        raise MalformedLine("the second and third fields are no machine and ABI")
    source = version if version.startswith("cyclometer-") else CONTRACT + version
    return RunName(machine=machine, date=_date(day), source=source, variant=abi), operation, primitive, goal


def _date(text: str) -> datetime.date:
    try:
        return datetime.datetime.strptime(text, "%Y%m%d").date()
    except ValueError:
        raise MalformedLine("the fourth field is no date") from None


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise MalformedLine("not a number where one must be")
    return int(text)


def _text(word: str) -> str:
    return "" if word == "-" else word.replace("_", " ").strip()


def _path(process: _Process, word: str) -> str:
    """The implementation's name: its path below the primitive."""
    return word.removeprefix(f"{process.operation}/{process.primitive}/").removeprefix(f"{process.operation}/")


def _at_least(rest: Sequence[str], count: int) -> None:
    if len(rest) < count:
        raise MalformedLine("fewer fields than its kind of record has")


def _implementation(process: _Process, rest: Sequence[str], state: _State) -> None:
    """A process begins; what it says of itself follows."""
    _at_least(rest, 1)
    process.implementation, process.compiler = _path(process, rest[0]), ""
    process.sequence, process.first_round, process.seen = 0, None, {}


def _compiler(process: _Process, rest: Sequence[str], state: _State) -> None:
    _at_least(rest, 1)
    process.compiler = _text(rest[0])
    version = _text(rest[1]) if len(rest) > 1 else ""
    process.run.compilers[process.compiler] = f"{process.compiler} ({version})" if version else process.compiler


def _cpu(process: _Process, rest: Sequence[str], state: _State) -> None:
    _at_least(rest, 1)
    process.run.facts.setdefault("cpu", _text(rest[0]))


def _per_second(process: _Process, rest: Sequence[str], state: _State) -> None:
    _at_least(rest, 1)
    process.run.counter.setdefault("per_second", _number(rest[0]))


def _counter(process: _Process, rest: Sequence[str], state: _State) -> None:
    _at_least(rest, 1)
    name = rest[0]
    unit = next((unit for part, unit in _UNITS.items() if part in name), "counter units")
    process.run.counter.setdefault("name", name)
    process.run.counter.setdefault("unit", unit)
    if name != process.run.counter["name"]:
        raise MalformedLine(f"counts with {name}, its run with {process.run.counter['name']}")


def _try(process: _Process, rest: Sequence[str], state: _State) -> None:
    _at_least(rest, _TRY_FIELDS if rest[1:2] != ["fails"] else 4)
    status = rest[1]
    if status == "fails":
        subject = process.subject(_path(process, rest[-2]), _text(rest[-1]))
        kind, reason = FailureKind.WRONG_OUTPUT, "fails the checksum"
        process.run.failures[subject] = Failure(stage="check", subject=subject, kind=kind, reason=reason)
        return
    subject = process.subject(_path(process, rest[5]), _text(rest[6]))
    timings = len(_OFFSET.findall(rest[7])) if len(rest) > _TRY_FIELDS else 1
    cycles = _number(rest[2])
    process.run.trials.setdefault(subject, Trial(subject=subject, cycles=cycles, timings=timings, chosen=False))


def _try_fails(process: _Process, rest: Sequence[str], state: _State) -> None:
    """The first line of several is the reason, the rest its detail."""
    _at_least(rest, 3)
    subject, words = process.subject(_path(process, rest[0]), _text(rest[1])), " ".join(rest[2:])
    before = process.run.failures.get(subject)
    if before is None:
        process.run.failures[subject] = Failure(stage="check", subject=subject, kind=FailureKind.UNKNOWN, reason=words)
    elif words != before.reason and words not in before.detail:
        detail = f"{before.detail}\n{words}".strip()
        process.run.failures[subject] = replace(before, detail=detail)


def _object_size(process: _Process, rest: Sequence[str], state: _State) -> None:
    _at_least(rest, 6)
    if rest[5] != "try":
        subject = process.subject(_path(process, rest[0]), _text(rest[1]))
        state.objects.setdefault((id(process.run), subject), {})[rest[5]] = _number(rest[2])


def _nothing(process: _Process, rest: Sequence[str], state: _State) -> None:
    """A record that is in order and says nothing about speed."""


_KINDS: dict[str, Callable[[_Process, Sequence[str], _State], None]] = {
    "implementation": _implementation,
    "compiler": _compiler,
    "cpuid": _cpu,
    "cpucycles_persecond": _per_second,
    "cpucycles_implementation": _counter,
    "try": _try,
    "tryfails": _try_fails,
    "objsize": _object_size,
    "fromcompiler": _nothing,
}


def _measurement(process: _Process, measure: str, rest: Sequence[str], state: _State, catch: ImportSession) -> None:
    _at_least(rest, 2)
    field_ = 0 if rest[0] == "-" else _number(rest[0])
    headline = _number(rest[1])
    series = _series(headline, rest[2:])
    if rest[2:3] and rest[2][0] in "+-" and abs(_stq2_times_2n(series) - headline * 2 * len(series)) >= 2 * len(series):
        catch.doubt("the series has another StQ2 than the line says")
    ad_length, length = process.names.lengths(field_)
    if not (0 <= length <= _MOST_LENGTH and 0 <= ad_length <= _MOST_LENGTH):
        raise MalformedLine("a length out of range")
    subject = process.subject()
    process.run.add_sample(
        subject,
        {
            "measure": measure,
            "length": length,
            "ad_length": ad_length,
            "counter": process.run.counter.get("name", "unknown"),
            "series": series,
            "round": _round(process, subject, (measure, field_), state),
            "sequence": process.sequence,
        },
    )
    process.sequence += 1
    process.measured.add(subject)
    process.facts["goals"].setdefault(f"{subject.implementation} {subject.compiler}", process.goal)


def _round(process: _Process, subject: Tuning, point: tuple[str, int], state: _State) -> int:
    """After all rounds of processes before; one further for each time this process has measured the same."""
    key = (id(process.run), subject)
    if process.first_round is None:
        process.first_round = state.rounds.get(key, 0)
    number = process.first_round + process.seen.get(point, 0)
    if number > _MOST_ROUNDS:
        raise MalformedLine("more repetitions than can be told apart")
    process.seen[point] = process.seen.get(point, 0) + 1
    state.rounds[key] = max(state.rounds.get(key, 0), number + 1)
    return number


def _series(headline: int, rest: Sequence[str]) -> list[int]:
    """The raw timings: offsets from StQ2 in one field, or (older) as they are in many."""
    if not rest:
        return [headline]
    if len(rest) == 1 and _OFFSETS.fullmatch(rest[0]):
        series = [headline + int(offset) for offset in _OFFSET.findall(rest[0])]
    else:
        series = [_number(word) for word in rest]
    if len(series) > _MOST_TIMINGS:
        raise MalformedLine("a series too long to be true")
    return series


def _stq2_times_2n(series: Sequence[int]) -> int:
    """The sum whose 2n-th part is StQ2: places 3n to 5n - 1 of the n sorted timings written eight times."""
    ordered, count = sorted(series), len(series)
    return sum(
        value * (min(8 * place + 8, 5 * count) - max(8 * place, 3 * count))
        for place, value in enumerate(ordered)
        if 8 * place + 8 > 3 * count and 8 * place < 5 * count
    )


def _close(process: _Process, state: _State) -> None:
    """What is known only at the end: which tunings were measured, and their sizes."""
    run = process.run
    for subject in process.measured:
        if subject in run.trials:
            before = run.trials[subject]
            run.trials[subject] = Trial(subject=subject, cycles=before.cycles, timings=before.timings, chosen=True)
        objects = state.objects.get((id(run), subject))
        if objects:
            run.sizes[subject, "code_bytes"] = Size(subject=subject, name="code_bytes", value=sum(objects.values()))
        if process.names.packet_overhead in process.facts:
            name, value = "packet_overhead_bytes", process.facts[process.names.packet_overhead]
            run.sizes[subject, name] = Size(subject=subject, name=name, value=value)
