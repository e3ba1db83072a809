# SPDX-License-Identifier: MIT OR Apache-2.0
"""The cost of a workload as a weighted sum of measured points."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from cyclometer.records.grid import Point
from cyclometer.records.run import REPLAY
from cyclometer.workload.workload import Workload

OPERATION = "crypto_aead"
TERMS = ("encrypt", "decrypt", "reject", "expandkey")
"""The parts of the cost, which are measures of the operation."""

REPETITIONS = "repetition=1-2"
CHOOSING_REPETITIONS = "repetition=1-4"  # as in [choose] of the operation
_WEIGHT_UNIT = 1_000_000  # of a mix's weights


@dataclass(frozen=True, kw_only=True)
class Term:
    """One part of the sum: how often a packet of the workload costs what was measured at a point."""

    name: str
    point: Point
    weight: float


def model_terms(workload: Workload) -> list[Term]:
    """Return the terms of e sum w E + (1 - e) [(1 - f) sum w D + f sum w R] + X / P, without those of weight 0."""
    terms = [
        Term(name=name, point=(name, length, ad, workload.keys, 0), weight=weight * share)
        for name, weight in _directions(workload)
        for (length, ad), share in workload.packets.items()
    ]
    expand = Term(name="expandkey", point=("expandkey", 0, 0, 1, 0), weight=1 / workload.packets_per_key)
    return [term for term in (*terms, expand) if term.weight]


def replay_terms(workload: Workload) -> list[Term]:
    """Return the terms whose packets were timed between others of the mix."""
    prefix = f"{REPLAY}{mix_name(workload)}-"
    return [
        replace(term, point=(prefix + term.name, *term.point[1:])) if term.name != "expandkey" else term
        for term in model_terms(workload)
    ]


def flood(workload: Workload) -> Workload | None:
    """Return the workload if everything received is forged; None if nothing is received."""
    return replace(workload, forged=1.0) if workload.encrypt < 1 else None


def one_key(workload: Workload) -> Workload:
    """Return the workload under a single key."""
    return replace(workload, keys=1)


def needed_points(workload: Workload, *, replay: bool) -> set[Point]:
    """Return every point that the ranking of a workload needs."""
    loads = [workload, one_key(workload), *filter(None, [flood(workload)])]
    terms = [term for load in loads for term in model_terms(load)]
    return {term.point for term in (*terms, *(replay_terms(workload) if replay else ()))}


def mix_line(workload: Workload) -> str:
    """Return the grid line that describes the mix to an executable (docs/harness.md)."""
    packets = [
        f"{name}:{length}:{ad}:{max(1, round(_WEIGHT_UNIT * weight * share))}"
        for name, weight in _directions(workload)
        for (length, ad), share in workload.packets.items()
        if weight * share
    ]
    what = f"{workload.order.replace(' of ', ' ').replace(' ', ':')} {','.join(packets)}"
    return f"mix {hashlib.sha256(what.encode()).hexdigest()[:8]} {what}"


def mix_name(workload: Workload) -> str:
    """Return what tells the measures of one mix from those of another."""
    return mix_line(workload).split()[1]


def grid(points: Collection[Point], workloads: Iterable[Workload]) -> tuple[str, ...]:
    """Return the grid lines that measure these points, the mixes of replayed workloads first."""
    lengths: dict[tuple[str, str], list[int]] = {}
    for measure, length, ad, keys, _ in sorted(points):
        changed = [("ad_length", ad)] * (ad != 0) + [("keys", keys)] * (keys != 1)
        variables = "".join(f" {name}={value}" for name, value in changed)
        lengths.setdefault((str(measure), variables), []).append(int(length))
    lines = [
        f"{measure} length={','.join(map(str, values))}{variables} {REPETITIONS}"
        for (measure, variables), values in lengths.items()
    ]
    measures = {measure for measure, _ in lengths}
    mixes = [mix_line(w) for w in workloads if any(m.startswith(f"{REPLAY}{mix_name(w)}-") for m in measures)]
    return (*dict.fromkeys(mixes), *lines)


MAX_CHOOSING_LENGTH = 16384
"""Bytes of a packet beyond which costs grow in proportion."""


def choose_grid(workloads: Iterable[Workload], *, with_ad: bool) -> tuple[str, ...]:
    """Return the grid lines that choose a tuning for these workloads: of each, packets of its mean length."""
    lines = []
    for each in workloads:
        length = min(round(each.mean_bytes), MAX_CHOOSING_LENGTH)
        ad = round(sum(share * ad for (_, ad), share in each.packets.items())) if with_ad else 0
        shares = (("encrypt", each.encrypt), ("decrypt", 1 - each.encrypt))
        lines += [f"{name} length={length} ad_length={ad} {CHOOSING_REPETITIONS}" for name, share in shares if share]
    return tuple(dict.fromkeys(lines))


def _directions(workload: Workload) -> list[tuple[str, float]]:
    received = 1 - workload.encrypt
    return [
        ("encrypt", workload.encrypt),
        ("decrypt", received * (1 - workload.forged)),
        ("reject", received * workload.forged),
    ]
