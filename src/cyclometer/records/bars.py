# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stacked bars: what a sum consists of, beside the whole that was measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Bar:
    """One bar; its parts have the order of `Bars.parts`."""

    label: str
    parts: tuple[float, ...]
    measured: float


@dataclass(frozen=True, kw_only=True)
class Bars:
    """A picture of stacked bars."""

    title: str
    unit: str
    parts: tuple[str, ...]
    bars: tuple[Bar, ...]
    caption: str
