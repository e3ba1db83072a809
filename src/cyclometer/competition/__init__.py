# SPDX-License-Identifier: MIT OR Apache-2.0
"""Competitions: entrants check, operators measure blindly, anybody verifies (docs/competition.md).

A competition is a folder: competition.toml, workloads/, submissions/, attacks/, and what the commands add to it:
frozen.json, runs/, and in a bundle tables/. A user of rankings and of the campaign, which do not know it.
"""

from cyclometer.competition.bundle import publish, verify
from cyclometer.competition.check import Verdict, check_submissions
from cyclometer.competition.files import Competition, read_competition
from cyclometer.competition.freeze import freeze, require_frozen
from cyclometer.competition.operate import measure, results_of
from cyclometer.competition.repeat import Conclusion, repeat
from cyclometer.competition.standing import moved
from cyclometer.competition.tables import standing_table

__all__ = [
    "Competition",
    "Conclusion",
    "Verdict",
    "check_submissions",
    "freeze",
    "measure",
    "moved",
    "publish",
    "read_competition",
    "repeat",
    "require_frozen",
    "results_of",
    "standing_table",
    "verify",
]
