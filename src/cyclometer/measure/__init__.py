# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 5: run the chosen executables, round by round in random order, and read their samples."""

from cyclometer.measure.confirm import Confirmer, Doubt
from cyclometer.measure.extra_rounds import QuietCoverage
from cyclometer.measure.hot_path import NAMES as HOT_PATH
from cyclometer.measure.hot_path import Point, hot_path_sizes
from cyclometer.measure.noise_floor import NoiseFloor, undisturbed
from cyclometer.measure.pipeline import ProcessPipeline
from cyclometer.measure.placed import Placed, run_placed
from cyclometer.measure.placement_grid import layout_lines, layouts, placement_lines, places, typical_place
from cyclometer.measure.precision import Precision
from cyclometer.measure.process import Measured, NotTimed, Request, with_run_columns
from cyclometer.measure.repeat import Ticks
from cyclometer.measure.runner import Runner
from cyclometer.measure.schedule import (
    CONFIRM_SECONDS,
    LAYOUTS,
    MOST_ROUNDS,
    REDUCED_CONFIRM_SECONDS,
    Job,
    Plan,
    interleaved_jobs,
    next_round,
    plan_jobs,
)
from cyclometer.measure.sizes import all_sizes

__all__ = [
    "CONFIRM_SECONDS",
    "HOT_PATH",
    "LAYOUTS",
    "MOST_ROUNDS",
    "REDUCED_CONFIRM_SECONDS",
    "Confirmer",
    "Doubt",
    "Job",
    "Measured",
    "NoiseFloor",
    "NotTimed",
    "Placed",
    "Plan",
    "Point",
    "Precision",
    "ProcessPipeline",
    "QuietCoverage",
    "Request",
    "Runner",
    "Ticks",
    "all_sizes",
    "hot_path_sizes",
    "interleaved_jobs",
    "layout_lines",
    "layouts",
    "next_round",
    "placement_lines",
    "places",
    "plan_jobs",
    "run_placed",
    "typical_place",
    "undisturbed",
    "with_run_columns",
]
