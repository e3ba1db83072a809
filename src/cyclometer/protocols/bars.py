# SPDX-License-Identifier: MIT OR Apache-2.0
"""The predictions of a ladder as stacked bars: transport, layer, primitives; the measured call beside them."""

from __future__ import annotations

from cyclometer.protocols.predict import predictions
from cyclometer.protocols.rungs import PLAIN
from cyclometer.protocols.stored import Ladder
from cyclometer.records.bars import Bar, Bars

PARTS = ("transport (plain call)", "null layer", "primitives, isolated")


def ladder_bars(ladder: Ladder) -> list[Bars]:
    """Return a picture for each transport and payload with predictions."""
    pictures = []
    for measure, payload, keys in ladder.places:
        transport = measure.removeprefix("call-")
        plain = ladder.cell(PLAIN, measure, payload)
        found = predictions(ladder, transport, payload) if keys == 1 and "-" not in transport else []
        if not found or plain is None:
            continue
        bars = tuple(
            Bar(
                label=each.rung.name,
                parts=(plain.cycles, max(0.0, each.base - plain.cycles), each.hot),
                measured=each.measured.cycles,
            )
            for each in found
        )
        pictures.append(
            Bars(
                title=f"{transport}, {payload} bytes",
                unit=f"{ladder.context.unit} a call",
                parts=PARTS,
                bars=bars,
                caption=f"{ladder.context.machine}: {ladder.context.cpu}; {', '.join(ladder.context.runs)}",
            )
        )
    return pictures
