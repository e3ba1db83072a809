# SPDX-License-Identifier: MIT OR Apache-2.0
"""A campaign on one machine: the only room that calls the stages.

discover -> compile -> check -> choose -> measure -> store

`campaign.py` is the table of contents. Analysis and reports read what is stored.
"""

from cyclometer.campaign.calibrate import calibrate
from cyclometer.campaign.campaign import Campaign
from cyclometer.campaign.earlier_runs import earlier_runs
from cyclometer.campaign.environment import COUNTED, Environment, environment_for, machine_mode, prepare_environment
from cyclometer.campaign.instructions import InstructionCount, count_instructions
from cyclometer.campaign.options import Options, Progress, drawn_seed
from cyclometer.campaign.plan import grids_asked, named_machine, plan_for
from cyclometer.campaign.runs import compare, resume, run
from cyclometer.campaign.systems import catalogue_of
from cyclometer.campaign.verify import build_ahead, check, constant_time, counterpart

__all__ = [
    "COUNTED",
    "Campaign",
    "Environment",
    "InstructionCount",
    "Options",
    "Progress",
    "build_ahead",
    "calibrate",
    "catalogue_of",
    "check",
    "compare",
    "constant_time",
    "count_instructions",
    "counterpart",
    "drawn_seed",
    "earlier_runs",
    "environment_for",
    "grids_asked",
    "machine_mode",
    "named_machine",
    "plan_for",
    "prepare_environment",
    "resume",
    "run",
]
