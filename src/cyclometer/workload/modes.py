# SPDX-License-Identifier: MIT OR Apache-2.0
"""One system at one length, by mode of this machine, beside what others published."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cyclometer import campaign, paths
from cyclometer.analyse import contents
from cyclometer.discover import discover
from cyclometer.discover.schema import Mode
from cyclometer.errors import CyclometerError
from cyclometer.records.catalogue import Primitive
from cyclometer.records.grid import Point
from cyclometer.records.published import PublishedFigure
from cyclometer.records.table import Column, Context, Row, Table, Value
from cyclometer.store import StoredRun, connect
from cyclometer.workload.costs import Cost, cost_of
from cyclometer.workload.model import Term
from cyclometer.workload.stored import Survey, read_material, survey


@dataclass(frozen=True, kw_only=True)
class ModeResult:
    """What one mode of this machine takes: cycles per byte, or why it was not measured."""

    name: str
    mode: Mode
    machine: str
    cost: Cost | None = None
    tuning: str = ""
    day: str = ""  # of the newest run that counts
    tried: int = 0  # tunings that were timed to find the fastest
    context: Context | None = None
    reason: str = ""


_THOROUGH = {"quick", "full"}
"""Profiles whose runs try every compiler and library; a first answer does not."""


def point_of(measure: str, length: int) -> Point:
    """Return the point that is compared: one key, no associated data."""
    return (measure, length, 0, 1, 0)


def measure_mode(
    primitive: Primitive,
    point: Point,
    named: tuple[str, Mode],
    options: campaign.Options,
    contract: str,
    results: Path,
    complete: Callable[[], Sequence[StoredRun]],
    progress: campaign.Progress | None,
) -> ModeResult:
    """Return what is stored of a mode under the contract, after measuring it if nothing is and `progress` is given.

    `complete` lists the complete runs among the results.
    """
    name, mode = named
    options = replace(options, toolchain=mode.toolchain, without=tuple(mode.without))
    catalogue = discover(paths.root(), mode.toolchain)
    machine = campaign.named_machine(options.machine, campaign.machine_mode(catalogue, mode.without))
    result = ModeResult(name=name, mode=mode, machine=machine)
    found = _survey(complete(), primitive, point, machine, contract, options)
    if progress and primitive.name in found.missing({primitive.name: frozenset({point})}):
        try:
            environment = campaign.prepare_environment(
                paths.root(), mode.toolchain, options.systems, time_limit=options.check_seconds, without=mode.without
            )
            campaign.run(environment, options, results, progress)
        except CyclometerError as error:  # another mode may work
            return replace(result, reason=str(error))
        found = _survey(complete(), primitive, point, machine, contract, options)
    return _result(result, primitive, point, found)


def _survey(
    runs: Sequence[StoredRun],
    primitive: Primitive,
    point: Point,
    machine: str,
    contract: str,
    options: campaign.Options,
) -> Survey:
    """Find out what runs have that tried the same implementations: a baseline is the fastest one that is known."""
    as_thorough = [run for run in runs if _tries_as_much(run, options)]
    return survey(as_thorough, {primitive.name: frozenset({point})}, machine, contract, primitive.operation)


def _tries_as_much(run: StoredRun, options: campaign.Options) -> bool:
    asked = run.info.plan.get("options", {}) if run.info else {}
    tried = (tuple(asked.get("implementations", ())), tuple(asked.get("compilers", ())))
    return tried == (options.implementations, options.compilers) and asked.get("profile") in _THOROUGH


def _result(result: ModeResult, primitive: Primitive, point: Point, found: Survey) -> ModeResult:
    needs = {primitive.name: frozenset({point})}
    if found.scope is None or found.missing(needs):
        return replace(result, reason="not measured")
    material, context, _ = read_material(found, needs, {primitive.name: primitive}, result.machine, {})
    coverage = material.coverage[primitive.name]
    term = Term(name=str(point[0]), point=point, weight=1)
    used = [run for run in found.runs if (run.run, run.machine) in coverage.runs]
    return replace(
        result,
        cost=cost_of(material.measured[primitive.name], [term]),
        tuning=f"{coverage.tuning.implementation} {coverage.tuning.compiler}",
        day=max(str(run.info.started.date()) for run in used if run.info),
        tried=_tried(used, primitive),
        context=context,
    )


def _tried(runs: Sequence[StoredRun], primitive: Primitive) -> int:
    """Return how many tunings of the primitive were timed."""
    with connect(runs, samples=False) as connection:
        return contents.tunings_tried(connection, primitive.operation, primitive.name)


def modes_table(
    primitive: Primitive, point: Point, results: Sequence[ModeResult], published: Sequence[PublishedFigure]
) -> Table:
    """Return a row for each mode, with the published figure beside it, and one for each other published machine."""
    contexts = [result.context for result in results if result.context]
    unit = f"{contexts[0].unit if contexts else 'core cycles'}/byte"
    beside: dict[str, list[tuple[str, float]]] = {}
    for figure in published:
        result = next((r for r in results if r.mode.published and figure.machine.endswith(r.mode.published)), None)
        machine = figure.machine.removesuffix(result.mode.published).strip() if result else figure.machine
        beside.setdefault(result.name if result else "", []).append((machine, figure.value))
    rows = [_row(primitive, int(point[1]), result, beside.get(result.name, [])) for result in results]
    rows += [_published_row(primitive, machine, value) for machine, value in beside.get("", [])]
    labels = ("this machine", "from", "to", "published")
    return Table(
        view="modes",
        operation=primitive.operation,
        measure=str(point[0]),
        title=f"{primitive.name}: {unit.replace('/', ' per ')} to {point[0]} {point[1]} bytes, by mode of the machine",
        variable="mode",
        columns=(
            *(Column(label=label, unit=unit) for label in labels),
            *(Column(label=label, unit="") for label in ("published of", "tuning", "day")),
        ),
        rows=tuple(rows),
        contexts=tuple(contexts),
        rows_are="mode",
    )


def mode_notes(results: Sequence[ModeResult], documents: Sequence[str]) -> tuple[str, ...]:
    """Return which baseline each figure is, why a mode has none, and the documents of the published figures."""
    lines = [
        f"{result.mode.title}: {result.reason}"
        if result.reason
        else f"{result.mode.title}: the fastest of {result.tried} tunings tried here ({result.machine}, {result.day})"
        for result in results
    ]
    return (*lines, *(f"published, of other machines: {document}" for document in documents))


def _row(primitive: Primitive, length: int, result: ModeResult, beside: Sequence[tuple[str, float]]) -> Row:
    own: list[Value | None] = [None, None, None]
    if result.cost:
        figure = result.cost.as_value().times(1 / length)
        own = [figure, *(None if end is None else Value(value=end) for end in figure.interval or (None, None))]
    machine, value = beside[0] if beside else ("", None)
    texts = [Value(value=text) if text else None for text in (machine, result.tuning, result.day)]
    figures = (*own, None if value is None else Value(value=value), *texts)
    return _labelled(primitive, result.mode.title, figures)


def _published_row(primitive: Primitive, machine: str, value: float) -> Row:
    return _labelled(primitive, machine, (None, None, None, Value(value=value), Value(value=machine), None, None))


def _labelled(primitive: Primitive, label: str, figures: tuple[Value | None, ...]) -> Row:
    return Row(
        operation=primitive.operation,
        primitive=primitive.name,
        implementation="",
        compiler="",
        label=label,
        figures=figures,
    )
