# SPDX-License-Identifier: MIT OR Apache-2.0
"""Rankings by traffic: what a workload costs each system, and the security that is left there (docs/rank.md).

A user of the campaign and of the analysis, which do not know it.
"""

from cyclometer.records.grid import Point
from cyclometer.workload.costs import RESAMPLES, cost_for
from cyclometer.workload.files import find_workload, of_trace, shipped
from cyclometer.workload.measure import measure_missing
from cyclometer.workload.model import OPERATION, needed_points
from cyclometer.workload.modes import measure_mode, mode_notes, modes_table, point_of
from cyclometer.workload.pairs import (
    LEADING,
    PairEstimate,
    candidates,
    estimates,
    measure_parts,
    pairs_table,
    parts_needed,
)
from cyclometer.workload.ranking import Ranking, insecure, rank, unfit
from cyclometer.workload.stored import Needs, Survey, read_material, survey
from cyclometer.workload.tables import ranking_tables, regret_table
from cyclometer.workload.workload import Workload

__all__ = [
    "LEADING",
    "OPERATION",
    "RESAMPLES",
    "Needs",
    "PairEstimate",
    "Point",
    "Ranking",
    "Survey",
    "Workload",
    "candidates",
    "cost_for",
    "estimates",
    "find_workload",
    "insecure",
    "measure_missing",
    "measure_mode",
    "measure_parts",
    "mode_notes",
    "modes_table",
    "needed_points",
    "of_trace",
    "pairs_table",
    "parts_needed",
    "point_of",
    "rank",
    "ranking_tables",
    "read_material",
    "regret_table",
    "shipped",
    "survey",
    "unfit",
]
