# SPDX-License-Identifier: MIT OR Apache-2.0
"""What the graph of a system shows and in which order. assets/graph.js draws it from the data file of its lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cyclometer.analyse.site_series import Line
from cyclometer.records.length_unit import BYTES

KEYED = "many keys"
DISTURBED = "disturbed lengths"
LOGARITHMIC = "logarithmic axes"


@dataclass(frozen=True, kw_only=True)
class Graph:
    """The parts of a graph that can be switched on and off."""

    toggles: tuple[str, ...]
    coloured: int  # number of toggles, the first ones, that are lines in a series colour
    off: tuple[str, ...]  # toggles that are initially off


def system_graph(lines: Sequence[Line], in_order: Callable[[Iterable[str]], list[str]] = sorted) -> Graph | None:
    """Return the graph of one system; None if nothing was measured at several lengths."""
    single = [line for line in lines if line.keys == 1 and len(line.lengths) > 1]
    if not single:
        return None
    order = in_order({line.measure for line in single})
    single.sort(key=lambda line: (order.index(line.measure), line.ad_length))
    names = dict.fromkeys(label(line) for line in single)
    more = [KEYED] if any(line.keys > 1 and len(line.lengths) > 1 for line in lines) else []
    more += [DISTURBED] if any((~connected_lengths(line)).any() for line in single) else []
    return Graph(toggles=(*names, *more, LOGARITHMIC), coloured=len(names), off=(LOGARITHMIC,))


def label(line: Line) -> str:
    """Return the name of a line in the graph of its system, as assets/graph.js forms it."""
    return line.measure + (f", {line.ad_length} bytes of associated data" if line.ad_length else "")


def connected_lengths(line: Line) -> npt.NDArray[np.bool_]:
    """Return which lengths a line connects: the undisturbed ones if they are the majority, else all."""
    undisturbed = ~line.disturbed
    return undisturbed if 2 * undisturbed.sum() > len(undisturbed) else np.ones(len(undisturbed), bool)


def length_label(length_unit: str) -> str:
    """Return the label of an axis of lengths."""
    return "length in bytes" if length_unit == BYTES else f"number of {length_unit}"
