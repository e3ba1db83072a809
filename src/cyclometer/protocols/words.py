# SPDX-License-Identifier: MIT OR Apache-2.0
"""The verdict on a ladder in words: shares of the call, a cipher that costs nothing, and whether the order is kept."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from cyclometer.analyse import Cell, Spread, no_difference_seen
from cyclometer.protocols.predict import Prediction, predictions
from cyclometer.protocols.rungs import PLAIN
from cyclometer.protocols.stored import Ladder

EXPLAINED_WITHIN = 0.10
"""The share of the added cost up to which an unexplained rest counts as explained."""


def verdict(ladder: Ladder) -> list[str]:
    """Return the sentences for every transport and payload that was measured with one connection."""
    lines: list[str] = []
    for measure, payload, keys in ladder.places:
        transport = measure.removeprefix("call-")
        if keys == 1 and "-" not in transport:
            found = predictions(ladder, transport, payload)
            lines += [f"{transport}, {payload} bytes: {line}" for line in _sentences(ladder, found)]
    return lines


def _sentences(ladder: Ladder, found: Sequence[Prediction]) -> Iterator[str]:
    if not found:
        return
    yield _shares(ladder, found)
    yield _for_nothing(found)
    if len(found) > 1:
        yield _order(ladder, found)
    yield _explained(found)


def _shares(ladder: Ladder, found: Sequence[Prediction]) -> str:
    first = found[0]
    plain = ladder.cell(PLAIN, f"call-{first.transport}", first.payload)
    transport = plain.cycles if plain else first.base
    layer = first.base - transport
    shares = {each.rung.name: each.added / each.measured.cycles for each in found if each.measured.cycles > 0}
    cheap, dear = min(shares, key=shares.__getitem__), max(shares, key=shares.__getitem__)
    upper = f" to {_percent(shares[dear])} ({dear})" if dear != cheap else ""
    of = next(each.measured.cycles for each in found if each.rung.name == dear)
    return (
        f"cryptography is {_percent(shares[cheap])} of the call ({cheap}){upper}; "
        f"there the layer is {_percent(max(0.0, layer) / of)} and the transport {_percent(transport / of)}"
    )


def _for_nothing(found: Sequence[Prediction]) -> str:
    gains = sorted((1 - each.base / each.measured.cycles, each.rung.name) for each in found)
    (least, cheap), (most, dear) = gains[0], gains[-1]
    lowest = f"{_percent(least)} faster than {cheap} and " if cheap != dear else ""
    return f"with a cipher that costs nothing the call would be {lowest}{_percent(most)} faster than {dear}"


def _order(ladder: Ladder, found: Sequence[Prediction]) -> str:
    spread = ladder.spreads.get(f"call-{found[0].transport}")
    tau, ties = kendall([(each.hot, each.measured) for each in found], spread)
    if math.isnan(tau):
        return f"isolated order and order in the RPC: all {len(found)} rungs tie"
    tied = f", {ties} pairs tie in the RPC" if ties else ""
    return f"isolated order and order in the RPC agree: Kendall τ = {tau:.2f}{tied}"


def _explained(found: Sequence[Prediction]) -> str:
    shares = [(each.unexplained_share, each.rung.name) for each in found]
    known = [(share, name) for share, name in shares if share is not None]
    bad = [f"{name} ({100 * share:+.0f} %)" for share, name in known if abs(share) > EXPLAINED_WITHIN]
    rest = f"; more in {', '.join(bad)}" if bad else ""
    return (
        f"at most {100 * EXPLAINED_WITHIN:.0f} % of the added cost is unexplained in {len(known) - len(bad)} of "
        f"{len(known)} rungs{rest}"
    )


def kendall(pairs: Sequence[tuple[float, Cell]], spread: Spread | None) -> tuple[float, int]:
    """Return Kendall's τ between isolated costs and cells, and the pairs of cells that tie and do not count.

    NaN if every pair ties.
    """
    agree = differ = ties = 0
    for index, (isolated, cell) in enumerate(pairs):
        for other_isolated, other in pairs[index + 1 :]:
            if no_difference_seen(cell, other, spread):
                ties += 1
            elif (isolated - other_isolated) * (cell.cycles - other.cycles) > 0:
                agree += 1
            else:
                differ += 1
    return ((agree - differ) / (agree + differ) if agree + differ else math.nan), ties


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %" if share < 0.1 else f"{100 * share:.0f} %"
