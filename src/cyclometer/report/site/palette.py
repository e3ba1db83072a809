# SPDX-License-Identifier: MIT OR Apache-2.0
"""Colours of graphs by what they are for. assets/graph.js puts the style sheet's in their place, light or dark."""

from __future__ import annotations

TEXT = "#f00001"
MUTED = "#f00002"
GRID = "#f00003"
SERIES = tuple(f"#f0001{place}" for place in range(8))
"""Told apart by colour-blind eyes too (Okabe and Ito's); beyond eight, dashes tell more apart."""

DASHES = ("solid", "dashed", "dotted", "dotdash")
