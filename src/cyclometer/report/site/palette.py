# SPDX-License-Identifier: MIT OR Apache-2.0
"""Placeholder colours of graphs by purpose; assets/graph.js replaces them by the style sheet's, light or dark."""

from __future__ import annotations

TEXT = "#f00001"
MUTED = "#f00002"
GRID = "#f00003"
SERIES = tuple(f"#f0001{index}" for index in range(8))
"""Distinct for colour-blind readers (Okabe and Ito); beyond eight lines, dashes distinguish them."""

DASHES = ("solid", "dashed", "dotted", "dotdash")
