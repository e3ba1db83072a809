# SPDX-License-Identifier: MIT OR Apache-2.0
"""Roe's experiment: a MAC from SHA-1 and five ciphers in CBC, 8 runs of 10,000 calls, beside the published figures."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from cyclometer import campaign, paths
from cyclometer.discover import first_answer
from cyclometer.errors import CyclometerError, UnknownName, some_of
from cyclometer.protocols.model import CostModel, fit
from cyclometer.protocols.predict import predictions
from cyclometer.protocols.published import Published, roe
from cyclometer.protocols.run import Grid, run_ladder
from cyclometer.protocols.rungs import CIPHER, DEFAULT_MAC, MACS, NULL, PLAIN, Rung
from cyclometer.protocols.stored import Ladder, read_ladder
from cyclometer.protocols.studies import Findings, Request
from cyclometer.records.run import PROTOCOL
from cyclometer.records.table import PERCENT, Column, Row, Table, Value
from cyclometer.store import StoredRun

TITLE = "Roe's experiment: SHA-1 and five ciphers in CBC, 8 runs of 10,000 calls, beside the published table"

KINDS = {"integer": 4, "string": 45}  # payloads in bytes
TRANSPORTS = ("queue", "tcp")
ROUNDS = 5
SHA_1 = "crypto_hash/sha-1"
SHA_1_PADDING, SHA_1_BLOCK = 9, 64
MAC = f"{MACS[0]}/{DEFAULT_MAC}"


def measure(request: Request, results: Path, progress: campaign.Progress) -> Path:
    """Repeat the experiment; return the folder of the finished run."""
    if request.systems:
        raise CyclometerError("the experiment has its own five ciphers; leave out the systems, or measure a ladder")
    for transport in request.transports:
        if transport not in TRANSPORTS:
            raise UnknownName("transport of the experiment", transport, TRANSPORTS, some_of(TRANSPORTS))
    environment = campaign.prepare_environment(paths.root())
    published = roe(environment.tree)
    if not request.all_compilers:
        environment = replace(environment, catalogue=first_answer(environment.catalogue))
    lengths = f"length={','.join(map(str, KINDS.values()))}"
    transports = request.transports or TRANSPORTS
    lines = [f"call-{transport} {lengths} repetition=1-6" for transport in transports]
    grid = Grid(
        lines=tuple(lines),
        payloads=tuple(KINDS.values()),
        transports=tuple(transports),
        rounds=request.rounds or ROUNDS,
        once=tuple(f"batch-{transport} {lengths}" for transport in transports),
        beside={SHA_1: (f"hash length={','.join(map(str, published.hash_ms))} repetition=1-2",)},
    )
    return run_ladder(environment, request.options, _rungs(published), grid, results, progress, study="experiment")


def findings(run: StoredRun) -> Findings:
    """Return what the repeated experiment says beside the published one."""
    ladder, published = read_ladder(run), roe(paths.root())
    transports = [transport for transport in TRANSPORTS if ladder.cell(NULL, f"call-{transport}", 4)]
    tables = [_runs_table(ladder, published, transport) for transport in transports]
    tables += [_extra_table(ladder, published, transport) for transport in transports]
    hashed = _hash_costs(ladder)
    verdict = [_order(ladder, published, transport) for transport in transports]
    if len(hashed) > 1:
        model = fit(hashed, padding=SHA_1_PADDING, block=SHA_1_BLOCK)
        tables.append(_hash_table(ladder, published, hashed, model))
        verdict.append(_fit_in_words(ladder, published, model))
    return Findings(verdict=verdict, tables=tables, failures=ladder.failures)


def _rungs(published: Published) -> list[Rung]:
    return [PLAIN, NULL, Rung(layer="mac", parts=(MAC,)), *(_rung(published, name) for name in published.rpc)]


def _rung(published: Published, cipher: str) -> Rung:
    return Rung(layer="mte", parts=(MAC, f"{CIPHER}/{published.ours[cipher]}-cbc"))


def _runs_table(ladder: Ladder, published: Published, transport: str) -> Table:
    """Return mean and quartiles of the 8 runs, beside the published ones."""
    columns = [
        Column(label=f"{payload}: {name}", unit="ns")
        for payload in KINDS.values()
        for name in ("mean", "lower", "upper", "Roe's mean", "Roe's lower", "Roe's upper")
    ]
    rows = []
    for label, rung, name in _labelled(published):
        figures: list[Value | None] = []
        for kind, payload in KINDS.items():
            batches = ladder.batches.get((rung.name, (f"batch-{transport}", payload, 1)))
            figures += _mean_and_quartiles(batches)
            roes = published.rpc[name][kind] if name else None
            figures += [Value(value=1e6 * each) for each in roes] if roes else [None] * 3
        rows.append(_row(rung, label, figures))
    title = f"Nanoseconds a call over {transport}: mean and quartiles of 8 runs of 10,000 calls; here, and Roe's"
    return _table(ladder, "protocol-experiment", title, columns, rows, rows_are="protection")


def _mean_and_quartiles(batches: Sequence[float] | None) -> list[Value | None]:
    """Return nanoseconds; `batches` are microseconds a call."""
    if not batches:
        return [None] * 3
    lower, _, upper = statistics.quantiles(batches, n=4, method="inclusive")
    return [Value(value=1000 * each) for each in (statistics.fmean(batches), lower, upper)]


def _labelled(published: Published) -> list[tuple[str, Rung, str]]:
    fixed = [("none", PLAIN, ""), ("null layer", NULL, ""), ("SHA-1 MAC", Rung(layer="mac", parts=(MAC,)), "")]
    return [*fixed, *((f"SHA-1 MAC, {name}", _rung(published, name), name) for name in published.rpc)]


def _extra_table(ladder: Ladder, published: Published, transport: str) -> Table:
    """Return the extra time over the first cipher: predicted from isolated speeds, and measured; here and published."""
    unit, first = ladder.context.unit, next(iter(published.rpc))
    names = ("predicted", "measured", "residual %", "Roe's predicted", "Roe's measured", "Roe's residual %")
    columns = [
        Column(label=f"{payload}: {name}", unit=PERCENT if "%" in name else "")
        for payload in KINDS.values()
        for name in names
    ]
    rows = []
    for cipher in list(published.rpc)[1:]:
        figures: list[Value | None] = []
        for kind, payload in KINDS.items():
            found = {each.rung: each for each in predictions(ladder, transport, payload)}
            own, base = found.get(_rung(published, cipher)), found.get(_rung(published, first))
            if own and base:
                figures += _extra(own.hot - base.hot, own.measured.cycles - base.measured.cycles)
            else:
                figures += [None] * 3
            figures += _extra(
                published.predicted_extra_us(cipher, first, kind), published.measured_extra_us(cipher, first, kind)
            )
        rows.append(_row(_rung(published, cipher), cipher, figures))
    title = f"Extra {unit} a call over {first}, predicted and measured, beside Roe's µs: {transport}"
    return _table(ladder, "protocol-extra", title, columns, rows, rows_are="cipher")


def _extra(predicted: float, measured: float) -> list[Value | None]:
    share = 100 * (measured / predicted - 1) if predicted > 0 else None
    return [Value(value=predicted), Value(value=measured), None if share is None else Value(value=share)]


def _order(ladder: Ladder, published: Published, transport: str) -> str:
    """Say in which order the ciphers are in the call, beside Roe's."""
    cells = {name: ladder.cell(_rung(published, name), f"call-{transport}", 45) for name in published.rpc}
    order = sorted((cell.cycles, name) for name, cell in cells.items() if cell)
    return (
        f"{transport}, 45 bytes: the order of the ciphers in the call is {', '.join(name for _, name in order)}; "
        f"Roe's was {', '.join(published.rpc)}"
    )


def _hash_costs(ladder: Ladder) -> dict[int, float]:
    return {
        length: cell.cycles
        for (key, _, length, _), cell in sorted(ladder.parts.items())
        if key == SHA_1 and cell.cycles > 0
    }


def _hash_table(ladder: Ladder, published: Published, costs: dict[int, float], model: CostModel) -> Table:
    columns = [Column(label=name, unit="") for name in ("measured", "fitted", "error %", "Roe's µs", "Roe's fit")]
    roes_fit = fit(published.hash_ms, padding=SHA_1_PADDING, block=SHA_1_BLOCK)
    rows = []
    for length, cost in costs.items():
        figures = [cost, model(length), 100 * (model(length) / cost - 1)]
        figures += [1000 * published.hash_ms[length], 1000 * roes_fit(length)]
        rows.append(_row(NULL, f"{length} byte{'' if length == 1 else 's'}", [Value(value=each) for each in figures]))
    title = f"SHA-1: {ladder.context.unit} to hash a message, and the fit of a constant and a slope in whole blocks"
    return _table(ladder, "protocol-sha-1", title, columns, rows, rows_are="message")


def _fit_in_words(ladder: Ladder, published: Published, model: CostModel) -> str:
    roes_fit = fit(published.hash_ms, padding=SHA_1_PADDING, block=SHA_1_BLOCK)
    return (
        f"SHA-1 takes {model.constant:.0f} + {model.slope:.0f} ⌈(n + 9)/64⌉ {ladder.context.unit}, within "
        f"{100 * model.worst:.0f} %; Roe's took {1000 * roes_fit.constant:.1f} + {1000 * roes_fit.slope:.1f} "
        f"⌈(n + 9)/64⌉ µs, within {100 * roes_fit.worst:.0f} %"
    )


def _row(rung: Rung, label: str, figures: Sequence[Value | None]) -> Row:
    return Row(
        operation=PROTOCOL,
        primitive=rung.name,
        implementation="",
        compiler="",
        label=label,
        figures=tuple(figures),
    )


def _table(
    ladder: Ladder, view: str, title: str, columns: Sequence[Column], rows: Sequence[Row], *, rows_are: str
) -> Table:
    return Table(
        view=view,
        operation=PROTOCOL,
        measure="",
        title=title,
        variable="experiment",
        columns=tuple(columns),
        rows=tuple(rows),
        contexts=(ladder.context,),
        rows_are=rows_are,
    )
