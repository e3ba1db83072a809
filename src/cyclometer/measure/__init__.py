# SPDX-License-Identifier: MIT OR Apache-2.0
"""Stage 5: run the chosen executables, round by round in random order, and read their samples."""

from cyclometer.measure.confirm import Confirmer
from cyclometer.measure.extra_rounds import QuietCoverage
from cyclometer.measure.noise_floor import NoiseFloor, undisturbed
from cyclometer.measure.process import NotTimed, run_process, with_run_columns
from cyclometer.measure.runner import Runner
from cyclometer.measure.schedule import Job, Plan, interleaved_jobs, next_round, plan_jobs
from cyclometer.measure.sizes import all_sizes

__all__ = [
    "Confirmer",
    "Job",
    "NoiseFloor",
    "NotTimed",
    "Plan",
    "QuietCoverage",
    "Runner",
    "all_sizes",
    "interleaved_jobs",
    "next_round",
    "plan_jobs",
    "run_process",
    "undisturbed",
    "with_run_columns",
]
