# SPDX-License-Identifier: MIT OR Apache-2.0
"""One process that measures placement: trials go out as records, what its probes do not prove is left out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cyclometer.execute import keypair_cache, sandbox
from cyclometer.execute.page_copies import PageCopies
from cyclometer.execute.timed import call
from cyclometer.measure.process import RECORD, table_of
from cyclometer.records.columns import INT16, INT32, INT64_LIST, TEXT, Columns, Types, array_of, chosen, with_constants
from cyclometer.records.executable import Executable
from cyclometer.records.failure import Failure, FailureKind, Severity
from cyclometer.records.placement import ALL, PLACEMENT, Layout, bits_of, cold_name
from cyclometer.records.run import EMPTY, Size

PROVEN = 0.95
"""Share of the probes that must look cold, or warm, for a cell to have a number."""

TRIALS, TRIAL_BUDGET_MS = 31, 150

MANY_CELLS, FEW_TRIALS = 1000, 5
"""Of more cells than that, such as every length, each has few trials: neighbours make up for them."""

LEVELS = ("", "L2", "L3", "memory")
"""Where something evicted is then, the farthest last."""

IN_ALL = ("code", "tables", "key", "input", "output")
"""What must be proven for `all`; the others are part of it where the machine can evict them."""

_RECORD: Types = {
    "record": TEXT,
    **{name: RECORD[name] for name in ("measure", "length", "ad_length", "keys", "alignment")},
    "output_alignment": INT16,
    "key_alignment": INT16,
    "bits": INT32,
    "call_site": INT16,
    "between": INT32,
    "trial": INT16,
    "counter": TEXT,
    **{name: RECORD[name] for name in ("context_switches", "chain_before", "chain_after", "load_before", "load_after")},
    "series": INT64_LIST,
}


@dataclass(frozen=True, kw_only=True)
class Placed:
    """What one process measured: samples, why others are missing, and how far evictions were proven."""

    table: Columns | None
    failures: tuple[Failure, ...]
    proofs: tuple[Size, ...]  # evicted_<what>_percent of its probes looked evicted; evicted_<what>_level says how far


def run_placed(
    executable: Executable,
    grid: Sequence[str],
    layout: Layout,
    *,
    seed: int,
    core: int | None,
    seconds: float,
    dither: int,
    copies: PageCopies | None = None,
    by_plan: bool = False,
) -> Placed:
    """Take the trials of a grid in one process of an executable that was built for placement with this layout.

    The process reads its files from `copies`, if there are any. Buffers that a measure lacks are named unless the grid
    is that of the default plan.
    """
    cells = sum(map(_cells, grid))
    trials = TRIALS if cells <= MANY_CELLS else FEW_TRIALS
    numbers = (seed, dither, trials, TRIAL_BUDGET_MS, layout.stack_bytes)
    outcome = call(
        executable,
        *("place", *map(str, numbers), *keypair_cache.arguments(executable), *grid),
        cpu=core,
        limits=sandbox.Limits(seconds=seconds + cells * TRIAL_BUDGET_MS / 1000, output=1024 * sandbox.MEGABYTE),
        copies=copies,
        padding=layout.environment_bytes,
        fixed_addresses=layout.fixed_addresses,
    )
    lines = outcome.stdout.splitlines()
    if outcome.problem:
        kind = outcome.kind or FailureKind.NO_VERDICT
        return Placed(table=None, failures=(_warning(executable, kind, f"no placement: {outcome.problem}"),), proofs=())
    asked = {word for line in grid for word in _cold_asked(line)}
    unproven, failures, proofs = _judged(executable, lines)
    failures += [
        _warning(executable, FailureKind.NOT_EVICTED, f"{what} is not made cold here", why)
        for what, why in _records(lines, b"unable", 2)
        if asked & {what, ALL}
    ]
    samples = [line for line in lines if line.startswith(b"placed\t")]
    failures += [] if by_plan else _unplaced(executable, lines, asked)
    if any(what in IN_ALL for what, _ in _records(lines, b"unable", 2)):
        unproven.add(ALL)
    table = _without(_table(samples, layout), unproven) if samples else None
    proofs += _line_cost(executable, lines, table) + _levels(executable, lines)
    return Placed(table=table, failures=tuple(failures), proofs=tuple(proofs))


def _cells(line: str) -> int:
    """Return the number of cells of a grid line, whose variables are lists of single values."""
    return math.prod(word.count(",") + 1 for word in line.split()[1:])


def _cold_asked(line: str) -> list[str]:
    """Return what a grid line makes cold."""
    words = (word.partition("=")[2] for word in line.split() if word.startswith("cold="))
    return [cold_name(int(bits)) for word in words for bits in word.split(",")]


def _records(lines: Sequence[bytes], name: bytes, words: int) -> list[list[str]]:
    prefix = name + b"\t"
    return [line.decode(errors="replace").split("\t", words)[1:] for line in lines if line.startswith(prefix)]


def _unplaced(executable: Executable, lines: Sequence[bytes], asked: set[str]) -> list[Failure]:
    """Return a line for each buffer that a measure lacks, or cannot move, if it was asked for."""
    measures: dict[tuple[str, str], list[str]] = defaultdict(list)
    for measure, how, what in _records(lines, b"unplaced", 3):
        if measure not in measures[how, what]:
            measures[how, what].append(measure)
    words = {"cold": "no {} that could be cold by itself", "alignment": "the {} is not moved to other alignments"}
    return [
        _warning(executable, FailureKind.NOT_EVICTED, f"{', '.join(sorted(several))}: {words[how].format(what)}")
        for (how, what), several in measures.items()
        if how == "alignment" or what in asked
    ]


def _levels(executable: Executable, lines: Sequence[bytes]) -> list[Size]:
    """Return how far the chosen ways evict, as numbers: 1 to the second level of cache, 2 to the third, 3 to memory."""
    return [
        Size(subject=executable.subject, name=f"evicted_{what}_level", value=LEVELS.index(level))
        for what, _, level, *_ in _records(lines, b"way", 5)
        if level in LEVELS[1:]
    ]


def _line_cost(executable: Executable, lines: Sequence[bytes], table: Columns | None) -> list[Size]:
    """Return what a line of code from memory costs, in hundredths of a core cycle (or counter unit)."""
    info = {name: int(value) for name, value in _records(lines, b"info", 2)}
    if table is None or not info.get("code_line_cost"):
        return []
    chain = float(np.median(table["chain_before"]))
    scale = info["chain_cycles"] / chain if info.get("chain_cycles") and chain > 0 else 1.0
    return [Size(subject=executable.subject, name="code_line_cost", value=round(scale * info["code_line_cost"]))]


def _judged(executable: Executable, lines: Sequence[bytes]) -> tuple[set[str], list[Failure], list[Size]]:
    """Judge the probes: return the values of `cold` without proof, why, and the shares that looked evicted."""
    counts: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for measure, _, bits, what, expected, *numbers in _records(lines, b"proof", 7):
        if measure != EMPTY:
            count = counts[cold_name(int(bits)), what, expected]
            for index, number in enumerate(numbers):
                count[index] += int(number)
    probed = {cold for cold, _, expected in counts if expected == "cold"}
    unproven, failures, proofs = _evicted(lines) - probed, [], []
    failures += [
        _warning(executable, FailureKind.NOT_EVICTED, f"no number for {cold} cold: every probe was interrupted")
        for cold in sorted(unproven)
    ]
    for (cold, what, expected), (probes, passed) in counts.items():
        if cold == what:
            proofs.append(
                Size(subject=executable.subject, name=f"evicted_{what}_percent", value=round(100 * passed / probes))
            )
        if passed < PROVEN * probes and not (cold == ALL and what not in IN_ALL):
            unproven.add(cold)
            reason = f"no number for {cold} cold: too few probes of {what} look {expected}"
            seen = f"{passed} of {probes}, with {PROVEN:.0%} needed"
            failures.append(_warning(executable, FailureKind.NOT_EVICTED, reason, seen))
    return unproven, failures, proofs


def _evicted(lines: Sequence[bytes]) -> set[str]:
    """Return what was cold in some sample of a measure."""
    samples = [line.split(b"\t", 9) for line in lines if line.startswith(b"placed\t")]
    return {cold_name(int(fields[8])) for fields in samples if fields[1] != EMPTY.encode()} - {""}


def _warning(executable: Executable, kind: FailureKind, reason: str, detail: str = "") -> Failure:
    return Failure(
        stage="measure",
        subject=executable.subject,
        kind=kind,
        reason=reason,
        detail=detail,
        severity=Severity.WARNING,
    )


def _table(lines: Sequence[bytes], layout: Layout) -> Columns:
    record = table_of(lines, _RECORD)
    cold = [cold_name(bits) for bits in record["bits"].tolist()]
    constants = {"link": layout.link, "environment": layout.environment, "retakes": 0, "tsc": 0}
    return {
        **with_constants(record, constants, {**RECORD, **PLACEMENT}),
        "cold": array_of(TEXT, cold),
    }


def _without(table: Columns, unproven: set[str]) -> Columns:
    return chosen(table, np.array([cold not in unproven for cold in table["cold"].tolist()], np.bool_))


def line_of(measure: str, **values: object) -> str:
    """Return a grid line; `cold` is given by names."""
    words = [f"{name}={_text(name, value)}" for name, value in values.items()]
    return " ".join([measure, *words])


def _text(name: str, value: object) -> str:
    values = value if isinstance(value, tuple) else (value,)
    return ",".join(str(bits_of(each)) if name == "cold" else str(each) for each in values)
