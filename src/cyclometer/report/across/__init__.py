# SPDX-License-Identifier: MIT OR Apache-2.0
"""The site over many machines and runs: machines × systems, orders that differ, histories, releases, downloads.

build_across(across, runs, folder, releases=...)

Pages hold headlines only, so that a hundred machines stay small; the web report on one run has its raw timings.
"""

from cyclometer.report.across.build import Database, build_across, digests_of
from cyclometer.report.across.releases import Release, list_releases, write_release

__all__ = ["Database", "Release", "build_across", "digests_of", "list_releases", "write_release"]
