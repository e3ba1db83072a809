# SPDX-License-Identifier: MIT OR Apache-2.0
"""Many runs of many machines at once: headlines, orders that differ, histories, changes since a release.

Nothing here reads raw timings: every run is summarised once, in the cache of cells, so that a thousand runs are read in
seconds.
"""

from cyclometer.analyse.across.changes import Changes, changes_since
from cyclometer.analyse.across.gather import Across, AcrossOperation, Point, gather_across
from cyclometer.analyse.across.orders import Disagreement, differing_orders

__all__ = [
    "Across",
    "AcrossOperation",
    "Changes",
    "Disagreement",
    "Point",
    "changes_since",
    "differing_orders",
    "gather_across",
]
