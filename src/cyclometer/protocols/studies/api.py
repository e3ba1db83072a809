# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the interface around a primitive costs: calls, key schedules, memory, byte order, buffers, each by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cyclometer import campaign, paths
from cyclometer.errors import CyclometerError
from cyclometer.protocols.api import LENGTHS, ROUNDS, run_api, systems_of
from cyclometer.protocols.effects import API, Effect, Effects, read_effects
from cyclometer.protocols.rungs import DEFAULT_SYSTEMS
from cyclometer.protocols.studies import Findings, Request
from cyclometer.records.table import PERCENT, Column, Row, Table, Value
from cyclometer.store import StoredRun

TITLE = "what an interface costs: calls, key schedules, memory, byte order, buffers and more, each by itself"

SYSTEMS = (*DEFAULT_SYSTEMS, "sha-1", "sha-256")
MAX_LENGTH = 16384  # room that toggles have on the stack
TYPICAL = 45  # bytes of the messages that the verdict is about, if they were measured


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Measure every toggle around the systems; return the folder of the finished run."""
    if request.transports or request.under_way or request.keys or request.apart or request.formats:
        raise CyclometerError("the toggles surround single calls: leave out --transport, --keys and the like")
    lengths = request.payloads or LENGTHS
    for length in lengths:
        if not 1 <= length <= MAX_LENGTH:
            raise CyclometerError(f"--payload {length} is out of range; give a number from 1 to {MAX_LENGTH}")
    environment = campaign.prepare_environment(paths.root())
    return run_api(
        environment,
        request.options,
        systems_of(environment.tree, environment.catalogue, request.systems or SYSTEMS),
        lengths,
        request.rounds or ROUNDS,
        results,
        progress,
        all_compilers=request.all_compilers,
    )


def findings(run: StoredRun) -> Findings:
    """Return a sentence and a table for each toggle."""
    read = read_effects(run)
    return Findings(
        verdict=[line for toggle in read.toggles if (line := _sentence(read, toggle))],
        tables=[_table(read, toggle) for toggle in read.toggles],
        failures=read.failures,
    )


def _sentence(read: Effects, toggle: str) -> str:
    """Say between what the levels of a toggle cost beside its base, over all systems."""
    every = read.of(toggle)
    lengths = sorted({effect.length for effect in every})
    length = TYPICAL if TYPICAL in lengths else lengths[len(lengths) // 2]
    at = [effect for effect in every if effect.length == length]
    base = next((effect.level for effect in at if effect.is_base), "")
    levels = dict.fromkeys(effect.level for effect in at if not effect.is_base)
    said = [_range(level, [e for e in at if e.level == level]) for level in levels]
    if not said:
        return ""
    return f"{toggle}, {length} bytes, beside {base!r}: {'; '.join(said)} ({read.context.unit} a call)"


def _range(level: str, effects: Sequence[Effect]) -> str:
    seen = sorted(((each.more, each) for each in effects if each.is_seen), key=lambda pair: pair[0])
    if not seen:
        return f"{level} no difference seen"
    (least, cheap), (most, dear) = seen[0], seen[-1]
    if cheap is dear:
        return f"{level} {most:+.0f} ({100 * dear.share:+.0f} %, {dear.system})"
    return (
        f"{level} {least:+.0f} ({100 * cheap.share:+.0f} %, {cheap.system}) "
        f"to {most:+.0f} ({100 * dear.share:+.0f} %, {dear.system})"
    )


def _table(read: Effects, toggle: str) -> Table:
    every, unit = read.of(toggle), read.context.unit
    lengths = sorted({effect.length for effect in every})
    found = {(effect.system, effect.level, effect.length): effect for effect in every}
    columns = [
        column
        for length in lengths
        for column in (Column(label=f"{length}", unit=unit), Column(label=f"{length}: %", unit=PERCENT))
    ]
    rows = [
        _row([found.get((system, level, length)) for length in lengths], system, level)
        for system, level in dict.fromkeys((effect.system, effect.level) for effect in every)
    ]
    base = next(effect.level for effect in every if effect.is_base)
    title = f"{unit[0].upper()}{unit[1:]} a call by bytes of the message, and more than {base!r} in %: {toggle}"
    return Table(
        view="protocol-api",
        operation=API,
        measure=toggle,
        title=title,
        variable="length",
        columns=tuple(columns),
        rows=tuple(rows),
        contexts=(read.context,),
        rows_are="system, level",
        tie="no difference seen: it is within that of equal calls at other places of the program, or its interval",
    )


def _row(effects: Sequence[Effect | None], system: str, level: str) -> Row:
    first = next(effect for effect in effects if effect)
    return Row(
        operation=API,
        primitive=system,
        implementation=first.implementation,
        compiler=first.compiler,
        label=f"{system}, {level}",
        figures=tuple(value for effect in effects for value in _values(effect)),
    )


def _values(effect: Effect | None) -> tuple[Value | None, Value | None]:
    """Return cycles, and per cent more than the base; `ties_with_best` marks a difference that was not seen."""
    if effect is None:
        return None, None
    cycles = Value(value=effect.cycles, rounds=effect.rounds, disturbed=effect.disturbed)
    if effect.is_base:
        return cycles, None
    interval = None
    if effect.interval and effect.base > 0:
        interval = (100 * effect.interval[0] / effect.base, 100 * effect.interval[1] / effect.base)
    share = Value(
        value=100 * effect.share,
        interval=interval,
        rounds=effect.rounds,
        ties_with_best=not effect.is_seen,
    )
    return cycles, share
