# SPDX-License-Identifier: MIT OR Apache-2.0
"""Who is best for a workload, at the security that is left, and why the others are not in the race."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cyclometer.analyse.estimate.ranking import Rank, Spread, no_difference_seen, ranks
from cyclometer.analyse.security import (
    Use,
    discounted,
    exceeds,
    exponent,
    forgery_exponent,
    is_known,
    loss_bits,
    remaining_bits,
    remaining_quantum_bits,
)
from cyclometer.records.catalogue import Primitive
from cyclometer.records.run import CONSTANT_TIME, code_size
from cyclometer.records.tuning import Tuning
from cyclometer.workload.changes import Change, Contest
from cyclometer.workload.costs import NO_TUNING, Cost, Measured, cost_of
from cyclometer.workload.coverage import Coverage
from cyclometer.workload.model import flood, model_terms, one_key, replay_terms
from cyclometer.workload.workload import Workload

Sizes = Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One system in a ranking."""

    primitive: Primitive
    tuning: Tuning
    model: Cost
    replay: Cost | None  # None: the mix was not replayed
    flood: Cost | None  # everything received is forged; None: nothing is received
    one_key: Cost
    counts: Cost  # the replay where it differs from the model by more than the error, else the model
    bits: int | None  # left by claim, attacks and proven loss; None: no level is declared
    sizes: Sizes
    rank: Rank
    dominated_by: str  # the cheapest system with at least as many bits that is seen to cost less, or ''


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """The systems that a workload admits, the best first, and those that a limit excludes."""

    workload: Workload
    entries: tuple[Entry, ...]
    changes: tuple[Change, ...]
    excluded: tuple[tuple[str, str], ...]  # system, reason
    notes: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Material:
    """What is known of the systems: declarations, what was measured, and the A/A spread of it."""

    primitives: Mapping[str, Primitive]
    coverage: Mapping[str, Coverage]
    measured: Mapping[str, Measured]
    sizes: Mapping[str, Sizes]
    spread: Spread | None
    failures: Mapping[str, str]  # why a system could not be measured


def use_of(workload: Workload, as_of: datetime.date | None) -> Use:
    """Return what an attacker sees under one key of the workload."""
    packets = workload.packets_per_key
    return Use(
        model=workload.security.model,
        as_of=as_of,
        packets=packets,
        bytes=packets * workload.mean_bytes,
        blocks=packets * workload.mean_blocks,
        forgeries=packets * (1 - workload.encrypt) * workload.forged,
        longest_blocks=workload.longest_blocks,
    )


def rank(workload: Workload, material: Material, *, as_of: datetime.date | None = None) -> Ranking:
    """Rank the systems, with the replay where it was measured; the order of ties is that of their costs."""
    use = use_of(workload, as_of)
    excluded: dict[str, str] = {}
    admitted: list[str] = []
    for name, primitive in material.primitives.items():
        reasons = unfit(workload, primitive) or list(_limits(workload, use, material, primitive))
        if reasons:
            excluded[name] = "; ".join(reasons)
        else:
            admitted.append(name)
    entries = _entries(workload, use, material, admitted)
    return Ranking(
        workload=workload,
        entries=tuple(entries),
        changes=tuple(_changes(workload, entries, material)),
        excluded=tuple(excluded.items()),
        notes=tuple([*_replay_notes(entries), *_attack_notes(entries, use)]),
    )


def _changes(workload: Workload, entries: Sequence[Entry], material: Material) -> list[Change]:
    names = [entry.primitive.name for entry in entries]
    if len(names) < 2:
        return []
    return Contest(
        workload=workload,
        names=names,
        measured=material.measured,
        coverage=material.coverage,
        spread=material.spread,
    ).changes()


def unfit(workload: Workload, primitive: Primitive) -> list[str]:
    """Return why a system cannot carry the packets at all."""
    length, ad_length = workload.longest
    reasons = []
    if ad_length and not primitive.associated_data:
        reasons.append("takes no associated data")
    most = primitive.facts.get("max_bytes")
    if most is not None and length > most:
        reasons.append(f"takes at most {most:,} bytes, not {length:,}")
    return reasons


def insecure(workload: Workload, primitive: Primitive, as_of: datetime.date | None) -> list[str]:
    """Return why a system is not secure enough, or was not known, by what is declared; no measurement changes that."""
    use, facts = use_of(workload, as_of), {**primitive.facts, **primitive.sizes}
    year = facts.get("year")
    unknown = [f"published in {year}"] if as_of and year and int(year) > as_of.year else []
    return unknown + list(_insecure(workload, use, facts))


def bits_left(facts: Mapping[str, object], use: Use) -> int | None:
    """Return the least of claim, attacks that count, and proven loss, in bits; None if no level is declared."""
    remaining = remaining_bits(facts, use)
    loss = loss_bits(facts, use)
    return remaining if remaining is None or loss == math.inf else min(remaining, int(loss))


def _limits(workload: Workload, use: Use, material: Material, primitive: Primitive) -> Iterator[str]:
    """Yield which limits of the workload a system breaks; what it declares comes first."""
    declared = insecure(workload, primitive, use.as_of)
    yield from declared
    if declared:
        return
    coverage = material.coverage.get(primitive.name)
    if coverage is None or coverage.missing or primitive.name not in material.measured:
        yield material.failures.get(primitive.name) or _unmeasured(coverage)
        return
    yield from _too_large(workload, material.sizes.get(primitive.name, {}))


def _unmeasured(coverage: Coverage | None) -> str:
    """Say what is missing of what a ranking needs."""
    if coverage is None or not coverage.missing:
        return "not measured"
    measure, length, ad_length, keys, _ = min(coverage.missing, key=str)
    data = f" with {ad_length} bytes of associated data" if ad_length else ""
    under = f" under {keys} keys" if keys != 1 else ""
    return f"measured, but not {measure} of {length} bytes{data}{under}"


def _insecure(workload: Workload, use: Use, facts: Mapping[str, object]) -> Iterator[str]:
    needed, left = workload.security, bits_left(facts, use)
    if needed.bits and (left is None or left < needed.bits):
        yield f"bits: {'no level is declared' if left is None else f'{left} of {needed.bits} left'}"
    quantum = remaining_quantum_bits(facts, use)
    if needed.quantum_bits and (quantum or 0) < needed.quantum_bits:
        yield f"quantum_bits: {'no level is declared' if quantum is None else f'{quantum} of {needed.quantum_bits}'}"
    if needed.model == "misuse-resistant" and facts.get("model") != needed.model:
        yield "model: claims nothing if a nonce repeats"
    forgery = forgery_exponent(facts, use)
    if needed.forgery and forgery > exponent(needed.forgery):
        yield f"forgery: up to 2^{forgery:.0f} over a key's life, not {needed.forgery}"
    limit = str(facts.get("data_limit") or "")
    if limit and not exceeds(limit, use):
        yield f"data: more than {limit} under one key ({facts.get('data_limit_source')})"


def _too_large(workload: Workload, sizes: Sizes) -> Iterator[str]:
    limits = workload.limits
    stack = max((value for name, value in sizes.items() if name.endswith("stack_bytes")), default=None)
    for name, limit, size in (
        ("code_bytes", limits.code_bytes, code_size(sizes)),
        ("expanded_key_bytes", limits.expanded_key_bytes, sizes.get("expanded_key_bytes")),
        ("stack_bytes", limits.stack_bytes, stack),
    ):
        if limit is not None and (size is None or size > limit):
            yield f"{name}: {'unknown' if size is None else f'{size:,}'}, not {limit:,}"
    if limits.constant_time and sizes.get(CONSTANT_TIME) != 1:
        yield f"constant_time: {'depends on secrets' if CONSTANT_TIME in sizes else 'not checked'}"


def _entries(workload: Workload, use: Use, material: Material, names: Sequence[str]) -> list[Entry]:
    rows = []
    for name in names:
        measured, facts = material.measured[name], material.primitives[name].facts
        model = cost_of(measured, model_terms(workload))
        replay = replay_terms(workload)
        replayed = cost_of(measured, replay) if all(term.point in measured for term in replay) else None
        forged = flood(workload)
        values: dict[str, Any] = {
            "primitive": material.primitives[name],
            "tuning": material.coverage[name].tuning,
            "model": model,
            "replay": replayed,
            "flood": cost_of(measured, model_terms(forged)) if forged else None,
            "one_key": cost_of(measured, model_terms(one_key(workload))),
            "counts": replayed if replayed and differs(model, replayed, material.spread) else model,
            "bits": bits_left(facts, use),
            "sizes": material.sizes.get(name, {}),
        }
        rows.append(values)
    cells = [row["counts"].as_cell(row["tuning"]) for row in rows]
    places = ranks(cells, material.spread)
    entries = [
        Entry(**row, rank=place, dominated_by=_dominator(row, rows, material.spread))
        for row, place in zip(rows, places, strict=True)
    ]
    return sorted(entries, key=lambda entry: (entry.counts.value, entry.primitive.name))


def _dominator(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], spread: Spread | None) -> str:
    """Return who dominates a system; a tie dominates nobody."""
    cost: Cost = row["counts"]
    better = [
        (other["counts"].value, other["primitive"].name)
        for other in rows
        if (other["bits"] or 0) >= (row["bits"] or 0)
        and other["counts"].value < cost.value
        and differs(cost, other["counts"], spread)
    ]
    return min(better)[1] if better else ""


def differs(one: Cost, other: Cost, spread: Spread | None) -> bool:
    """Return whether two costs differ by more than the error of both."""
    return not no_difference_seen(one.as_cell(NO_TUNING), other.as_cell(NO_TUNING), spread)


def _replay_notes(entries: Sequence[Entry]) -> Iterator[str]:
    for entry in entries:
        if entry.replay is not None and entry.counts is entry.replay:
            percent = 100 * (entry.replay.value / entry.model.value - 1)
            yield f"{entry.primitive.name}: the replay costs {percent:+.1f} % of the model, and counts"


def _attack_notes(entries: Sequence[Entry], use: Use) -> Iterator[str]:
    """Yield the attacks that would leave less than what is shown, and why they do not count."""
    for entry in entries:
        for attack in entry.primitive.facts.get("attacks", []):
            reason = discounted(attack, use)
            below = entry.bits is not None and int(attack["remaining_bits"]) < entry.bits
            if reason and below and is_known(attack, use):
                disputed = f"; disputed: {attack['disputed']}" if attack.get("disputed") else ""
                yield (
                    f"{entry.primitive.name}: {attack['breaks']} with {attack['remaining_bits']} bits left "
                    f"({', '.join(attack['who'])} {attack['year']}) does not count: {reason}{disputed}"
                )
