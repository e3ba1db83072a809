# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the sum of isolated speeds predicts for a call, and where the rest of the call's time goes."""

from __future__ import annotations

from dataclasses import dataclass

from cyclometer.analyse import Cell
from cyclometer.protocols.calls import calls_of
from cyclometer.protocols.cold import cold_cost
from cyclometer.protocols.rungs import NULL, Rung
from cyclometer.protocols.stored import Ladder

COPIED_LENGTH = 1024
ALLOCATED_LENGTH = 64
CAUSES = ("cold caches", "overlap", "indirect calls", "allocation", "copies", "system calls")
"""The order in which a residual is attributed. `overlap` is what calls in a row cost less than isolated ones."""


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """One rung over one transport with one payload: measured, predicted, attributed; all in cycles a call."""

    rung: Rung
    transport: str
    payload: int
    measured: Cell
    base: float  # the null layer
    hot: float  # the parts, each timed in a loop by itself
    in_place: float | None  # the parts, each timed inside the call
    cold: float | None  # the parts, each with nothing in the caches; None unless placement was measured
    causes: dict[str, float | None]  # None: not measured

    @property
    def predicted(self) -> float:
        """The null layer and the parts' isolated costs."""
        return self.base + self.hot

    @property
    def predicted_in_place(self) -> float | None:
        """The null layer and what the parts cost inside the call."""
        return None if self.in_place is None else self.base + self.in_place

    @property
    def predicted_cold(self) -> float | None:
        """The null layer and the parts' cold costs: a call that finds nothing of its cryptography in the caches."""
        return None if self.cold is None else self.base + self.cold

    @property
    def residual(self) -> float:
        """What was measured less what was predicted from isolated costs."""
        return self.measured.cycles - self.predicted

    @property
    def added(self) -> float:
        """What the rung adds to the null layer."""
        return self.measured.cycles - self.base

    @property
    def unexplained(self) -> float:
        """The part of the residual for which no cause was measured."""
        return self.residual - sum(value or 0.0 for value in self.causes.values())

    @property
    def unexplained_share(self) -> float | None:
        """The unexplained part as a share of the added cost; None if nothing is added."""
        return self.unexplained / self.added if self.added > 0 else None


def predictions(ladder: Ladder, transport: str, payload: int) -> list[Prediction]:
    """Return the predictions of all rungs above the null layer that were measured, and whose parts were."""
    base = ladder.cell(NULL, f"call-{transport}", payload)
    if base is None:
        return []
    found = [_prediction(ladder, rung, transport, payload, base) for rung in ladder.rungs if rung.parts]
    return [each for each in found if each]


def _prediction(ladder: Ladder, rung: Rung, transport: str, payload: int, base: Cell) -> Prediction | None:
    measured = ladder.cell(rung, f"call-{transport}", payload)
    costs = _part_costs(ladder, rung, payload)
    if measured is None or costs is None:
        return None
    hot, calls = costs
    inside = _inside(ladder, rung, transport, payload, calls)
    causes = {
        "cold caches": None if inside is None else inside - hot,
        "overlap": _overlap(ladder, rung, payload, hot),
        "indirect calls": _indirect(ladder, calls),
        "allocation": _counted(ladder, rung, transport, payload, "allocations", "allocation", ALLOCATED_LENGTH),
        "copies": _copies(ladder, rung, transport, payload),
        "system calls": _counted(ladder, rung, transport, payload, "system_calls", "system", 0),
    }
    return Prediction(
        rung=rung,
        transport=transport,
        payload=payload,
        measured=measured,
        base=base.cycles,
        hot=hot,
        in_place=inside,
        cold=_cold(ladder, rung, payload),
        causes=causes,
    )


def _part_costs(ladder: Ladder, rung: Rung, payload: int) -> tuple[float, int] | None:
    """Return the isolated cost of all calls of parts, and their number; None if one was not measured."""
    total, calls = 0.0, 0
    for call in ladder.calls.get(rung.name, {}).get(payload, ()):
        operations = [key for key in rung.parts if call.measure(key.partition("/")[0])]
        points = [(key, call.measure(key.partition("/")[0]), call.length, call.ad_length) for key in operations]
        cell = next((ladder.parts[point] for point in points if point in ladder.parts), None)
        if cell is None:
            return None
        total += call.count * max(0.0, cell.cycles)
        calls += call.count
    return (total, calls) if calls else None


def _cold(ladder: Ladder, rung: Rung, payload: int) -> float | None:
    """Return the cost of all calls of parts, each cold; None if placement of one was not measured."""
    total = 0.0
    for call, key in calls_of(rung, ladder.calls, payload):
        cost = cold_cost(ladder.cold, key, call.measure(key.partition("/")[0]), call.length)
        if cost is None:
            return None
        total += call.count * max(0.0, cost)
    return total or None


def _inside(ladder: Ladder, rung: Rung, transport: str, payload: int, calls: int) -> float | None:
    """Return the time inside the parts during a call; each call of a part has the overhead of a timing."""
    cell = ladder.cell(rung, f"inside-{transport}", payload)
    return None if cell is None else cell.cycles - (calls - 1) * ladder.overhead


def _overlap(ladder: Ladder, rung: Rung, payload: int, hot: float) -> float | None:
    """Return what one more call of each part costs in its place, in process, less its isolated cost."""
    once, twice = (ladder.cell(rung, f"{name}-queue", payload) for name in ("once", "twice"))
    return None if once is None or twice is None else twice.cycles - once.cycles - hot


def _indirect(ladder: Ladder, calls: int) -> float | None:
    indirect, direct = ladder.cost("indirect"), ladder.cost("direct")
    return None if indirect is None or direct is None else calls * max(0.0, indirect - direct)


def _difference(ladder: Ladder, rung: Rung, transport: str, payload: int, count: str) -> float | None:
    """Return how much more of something a call of the rung has than one of the null layer."""
    name = f"{count}:{payload}:{transport}"
    own, base = ladder.counts.get((rung.name, name)), ladder.counts.get((NULL.name, name))
    return None if own is None or base is None else (own - base) / 1000


def _counted(
    ladder: Ladder, rung: Rung, transport: str, payload: int, count: str, measure: str, length: int
) -> float | None:
    more, cost = _difference(ladder, rung, transport, payload, count), ladder.cost(measure, length)
    return None if more is None or cost is None else round(more) * cost


def _copies(ladder: Ladder, rung: Rung, transport: str, payload: int) -> float | None:
    """Return the cost of bytes that are copied more than in the null layer: by the layer, and on the way."""
    layer = _difference(ladder, rung, transport, payload, "copied_bytes")
    wire = _difference(ladder, rung, transport, payload, "wire_bytes")
    small, large = ladder.cost("copy", 0), ladder.cost("copy", COPIED_LENGTH)
    if layer is None or wire is None or small is None or large is None:
        return None
    passes = 1 if transport == "queue" else 2  # into the kernel and out of it
    return (layer + passes * wire) * (large - small) / COPIED_LENGTH
