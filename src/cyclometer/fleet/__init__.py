# SPDX-License-Identifier: MIT OR Apache-2.0
"""One campaign on many machines (docs/fleet.md): a folder above the stages, which the stages do not know.

    fleet = read_fleet(Path("FLEET.toml"))
    FleetCampaign.start(fleet, options, results, say).run()

A Dask scheduler hands out the work. Each machine runs one worker, which measures one thing at a time and builds and
checks the next on its other cores. What a worker finishes is on its disk before it says so.
"""

from cyclometer.fleet.campaign import EMULATED, FleetCampaign
from cyclometer.fleet.roster import Fleet, Machine, read_fleet
from cyclometer.fleet.session import Everywhere, Problem, session

__all__ = ["EMULATED", "Everywhere", "Fleet", "FleetCampaign", "Machine", "Problem", "read_fleet", "session"]
