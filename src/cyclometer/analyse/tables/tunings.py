# SPDX-License-Identifier: MIT OR Apache-2.0
"""The table of chosen tunings, which has text instead of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import duckdb

from cyclometer.analyse.estimate.comparability import OLDEST_FIRST, RUNS, Scope
from cyclometer.analyse.estimate.unclear import TUNING, UNCLEAR_TUNINGS
from cyclometer.analyse.tables.plan import of_systems
from cyclometer.analyse.tables.views import TableOptions, View
from cyclometer.records.run import CONSTANT_TIME
from cyclometer.records.table import Column, Context, Row, Table, Value
from cyclometer.records.tuning import UNCLEAR

DETAILS = ("runner-up", "margin", "parts")
"""The columns after that of the chosen tunings, if there is only one machine."""


@dataclass(frozen=True, kw_only=True)
class _Choice:
    """What one machine's newest run chose for a primitive, and its trial of the runner-up, if it stored one."""

    implementation: str
    compiler: str
    cycles: float
    parts: str
    unclear: bool  # disturbed timings leave open whether another is faster
    runner_up: tuple[str, str, float, str, float | None] | None = None  # implementation .. quick_ratio of the trial

    def margin(self) -> str:
        """Return how far behind the runner-up is, what decided if it ties on the work load, or that this is unclear."""
        if not self.runner_up:
            return ""
        _, _, cycles, decided_by, quick_ratio = self.runner_up
        if self.unclear:
            return UNCLEAR
        if decided_by == "quick grid" and quick_ratio is not None:
            return f"tie; quick grid {100 * (quick_ratio - 1):.1f} %"
        if decided_by != "work load" or self.cycles <= 0:
            return f"tie; {decided_by}"
        return f"{100 * (cycles / self.cycles - 1):.1f} %"

    def details(self) -> list[Value | None]:
        """Return the figures of DETAILS."""
        implementation, compiler = self.runner_up[:2] if self.runner_up else ("", "")
        runner_up = Value(value=f"{implementation} {compiler}", implementation=implementation, compiler=compiler)
        texts = [Value(value=text) if text else None for text in (self.margin(), self.parts)]
        return [runner_up if self.runner_up else None, *texts]


def tuning_table(
    connection: duckdb.DuckDBPyConnection,
    scope: Scope,
    view: View,
    options: TableOptions,
    contexts: Mapping[str, Context],
) -> list[Table]:
    """Return the tuning that each machine's newest run chose; no table if there is none.

    For a single machine it also shows the runner-up, the margin, and the tunings of a composed system's parts.
    """
    chosen = _choices(connection, scope, of_systems(scope, options))
    verdicts = _constant_time(connection, scope)
    machines = sorted({machine for _, machine in chosen})
    if not machines:
        return []
    detailed = len(machines) == 1 and any(any(choice.details()) for choice in chosen.values())
    rows = []
    for primitive in sorted({primitive for primitive, _ in chosen}):
        choices = [chosen.get((primitive, machine)) for machine in machines]
        figures = [
            _figure(choice, verdicts.get((machine, primitive, choice.implementation, choice.compiler)))
            if choice
            else None
            for machine, choice in zip(machines, choices, strict=True)
        ]
        details = choices[0].details() if detailed and choices[0] else []
        rows.append(_row(scope.operation, primitive, [*figures, *details]))
    return [
        Table(
            view=view.name,
            operation=scope.operation,
            measure="",
            title=view.title,
            variable="machine",
            columns=tuple(Column(label=name, unit="") for name in (*machines, *(DETAILS if detailed else ()))),
            rows=tuple(rows),
            contexts=tuple(contexts[machine] for machine in machines),
        )
    ]


def _row(operation: str, primitive: str, figures: Iterable[Value | None]) -> Row:
    return Row(
        operation=operation,
        primitive=primitive,
        implementation="",
        compiler="",
        label=primitive,
        figures=tuple(figures),
    )


def _choices(connection: duckdb.DuckDBPyConnection, scope: Scope, systems: str) -> dict[tuple[str, str], _Choice]:
    """Return the choices by (primitive, machine); runs of older versions have no places, so no runner-up."""
    rows = connection.sql(
        f"""
        SELECT primitive, machine, run, chosen, implementation, compiler, cycles, decided_by, quick_ratio, parts,
               ({TUNING}) IN (SELECT ({TUNING}) FROM ({UNCLEAR_TUNINGS}))
        FROM trials {RUNS} WHERE (chosen OR place = 2) AND {scope.sql()} AND {systems}
        ORDER BY {OLDEST_FIRST}, chosen DESC
        """
    ).fetchall()
    choices: dict[tuple[str, str], _Choice] = {}
    runs: dict[tuple[str, str], str] = {}
    for primitive, machine, run, is_chosen, *tuning, cycles, decided_by, quick_ratio, parts, unclear in rows:
        key, (implementation, compiler) = (primitive, machine), tuning
        if is_chosen:
            runs[key] = run
            choices[key] = _Choice(
                implementation=implementation, compiler=compiler, cycles=cycles, parts=parts, unclear=unclear
            )
        elif runs.get(key) == run:
            second = implementation, compiler, cycles, decided_by, quick_ratio
            choices[key] = replace(choices[key], runner_up=second)
    return choices


def _constant_time(connection: duckdb.DuckDBPyConnection, scope: Scope) -> dict[tuple[str, ...], bool]:
    """Return the verdicts by (machine, primitive, implementation, compiler)."""
    rows = connection.sql(
        f"SELECT machine, primitive, implementation, compiler, value FROM sizes {RUNS} "
        f"WHERE name = '{CONSTANT_TIME}' AND {scope.sql()} ORDER BY {OLDEST_FIRST}"
    ).fetchall()
    return {tuple(tuning): bool(value) for *tuning, value in rows}


def _figure(choice: _Choice, verdict: bool | None) -> Value:
    suffix = "" if verdict is None else ", constant time" if verdict else ", time depends on secrets"
    text = f"{choice.implementation} {choice.compiler}{suffix}"
    return Value(value=text, implementation=choice.implementation, compiler=choice.compiler)
