# SPDX-License-Identifier: MIT OR Apache-2.0
"""The web report: a folder of plain files that a browser opens from anywhere, the network not needed.

    summary = build_site(site_data(...), Path("site"))

A kind of page is a module in pages/ with TITLE, PLACE (its place in the
navigation, 0 = none) and `def pages(site: Site) -> Iterable[Page]`, and a template of
the same name in templates/. Nothing else lists them. docs/web-report.md has
the layout of the folder and how to add a page.
"""

from cyclometer.report.site.build import Summary, build_site

__all__ = ["Summary", "build_site"]
