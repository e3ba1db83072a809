# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 8: from raw series to headlines, intervals, ties and tables (docs/how-numbers-are-made.md).

A database of runs and options go in, frozen records come out; nothing here prints.
"""

from cyclometer.analyse.estimate.aa_control import control_spread, control_spreads
from cyclometer.analyse.estimate.calibration import CalibrationPoint, calibration_points
from cyclometer.analyse.estimate.calibration import summary as calibration_summary
from cyclometer.analyse.estimate.cells import Cell, cells, summarise
from cyclometer.analyse.estimate.core_cycles import prepare
from cyclometer.analyse.estimate.estimators import median_interval, stabilised_quartiles
from cyclometer.analyse.estimate.ranking import Rank, Spread, no_difference_seen, ranks
from cyclometer.analyse.security import counted_attacks, is_unbroken, meets, remaining_bits, remaining_quantum_bits
from cyclometer.analyse.tables.placement import placement_tables
from cyclometer.analyse.tables.tables import build_tables
from cyclometer.analyse.tables.views import TableOptions, View

__all__ = [
    "CalibrationPoint",
    "Cell",
    "Rank",
    "Spread",
    "TableOptions",
    "View",
    "build_tables",
    "calibration_points",
    "calibration_summary",
    "cells",
    "control_spread",
    "control_spreads",
    "counted_attacks",
    "is_unbroken",
    "median_interval",
    "meets",
    "no_difference_seen",
    "placement_tables",
    "prepare",
    "ranks",
    "remaining_bits",
    "remaining_quantum_bits",
    "stabilised_quartiles",
    "summarise",
]
