# SPDX-License-Identifier: MIT OR Apache-2.0
"""The web report: a folder of plain files that a browser opens without a network.

    summary = build_site(site_data(...), Path("site"))

A kind of page is a module in pages/ and a template in templates/; nothing else
lists them. docs/web-report.md describes the folder and how to add a page.
"""

from cyclometer.report.site.build import Summary, build_site, runs_of_report, silent_stage

__all__ = ["Summary", "build_site", "runs_of_report", "silent_stage"]
