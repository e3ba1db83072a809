# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pages from templates; everything is escaped, because names come from foreign trees and results."""

from __future__ import annotations

import datetime
import posixpath
import shlex
from collections.abc import Sequence
from pathlib import Path

import jinja2
from markupsafe import Markup

from cyclometer.analyse import is_unbroken, remaining_bits, remaining_quantum_bits
from cyclometer.records.digits import error_of, number_text
from cyclometer.records.run import RunInfo
from cyclometer.records.table import Table, Value
from cyclometer.report.site import pages
from cyclometer.report.site.datafiles import script
from cyclometer.report.site.page_tables import PageTable
from cyclometer.report.site.site import Page, Site, value_of
from cyclometer.report.site.slugs import machine_page, slug, system_page, tables_page
from cyclometer.report.text import MEANINGS, caption, difference_text, is_slow

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def templates() -> jinja2.Environment:
    """Return the templates, with what every page needs, whatever it is about."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cyclometer.report.site"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        count=count,
        day=day,
        timestamp=timestamp,
        plural=plural,
        spaced=lambda name: name.replace("_", " "),
        grouped=lambda value: count(value) if isinstance(value, float) and value >= 1000 else value,
    )
    environment.globals.update(
        number_text=number_text,
        difference_text=difference_text,
        error_of=error_of,
        value_of=value_of,
        is_slow=is_slow,
        meanings=MEANINGS,
        made=datetime.datetime.now(datetime.UTC),
    )
    return environment


class Renderer:
    """The templates, with the functions and links that all of them use."""

    def __init__(self, site: Site, folder: Path) -> None:
        self.site = site
        self.folder = folder
        self.environment = templates()
        self.environment.globals.update(
            captions=captions,
            table_rank=table_rank,
            remaining_bits=remaining_bits,
            remaining_quantum_bits=remaining_quantum_bits,
            is_unbroken=is_unbroken,
            command=shlex.join,
            data=lambda value: Markup(script(value)),
            site=site,
            material=site.material,
            navigation=[(kind.TITLE, kind.ADDRESS) for kind in pages.kinds() if kind.PLACE],
            system_page=system_page,
            machine_page=machine_page,
            tables_page=tables_page,
            slug=slug,
        )

    def write(self, page: Page) -> Path:
        """Render one page to its file; return the file."""
        path = self.folder / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        here = posixpath.dirname(page.path)
        up = posixpath.relpath(".", here) if here else "."

        def link(target: str) -> str:
            """Return the address, relative to this page, of a path in the site."""
            return posixpath.join(up, target) if up != "." else target

        template = self.environment.get_template(page.template)
        content = template.render(page=page, link=link, root="" if up == "." else f"{up}/", **page.values)
        path.write_text(content, encoding="utf-8")
        return path


def captions(shown: PageTable) -> list[str]:
    """Return the caption lines of a table, each once, and the line on ranks only if it shows ranks."""
    lines = dict.fromkeys(line for table in shown.captions for line in caption(table, verbose=True))
    return [line for line in lines if shown.ranked_by or not line.startswith("#")]


def table_rank(table: Table, figures: Sequence[Value | None]) -> str:
    """Return the rank of a row in the column that ranks the table: 1, or 1= if it is shared."""
    if not table.ranked_by:
        return ""
    figure = figures[[column.label for column in table.columns].index(table.ranked_by)]
    if figure is None or not figure.rank:
        return ""
    return f"{figure.rank}{'=' if figure.shares_rank else ''}"


def count(value: float) -> str:
    """Return a number in groups of three digits."""
    return f"{value:,.0f}".replace(",", "\u202f")


def plural(value: int, one: str, several: str = "") -> str:
    """Return a number with its noun: 1 system, 2 systems."""
    return f"{count(value)}\u00a0{one if value == 1 else several or one + 's'}"


def day(info: RunInfo) -> str:
    """Return the date on which a run started: 21 November 2026."""
    started = info.started
    return f"{started.day} {_MONTHS[started.month - 1]} {started.year}"


def timestamp(when: datetime.datetime | None) -> str:
    """Return a time to the minute, with its zone; `under way` for None."""
    return when.strftime("%Y-%m-%d %H:%M %Z") if when else "under way"
