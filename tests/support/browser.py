# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pages in a real browser: headless Chromium, watched for errors and for requests that leave the machine.

    with chromium() as browser, opened(browser, site / "index.html") as tab:
        tab.page.click("th button")
    # leaving raises if the page logged an error or requested anything but files

Chromium is the system's (Debian's `chromium`); the driver is Playwright's.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect, sync_playwright

from support.requirements import is_missing

QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-default-apps"),
)
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
LOCAL = ("file:", "data:", "blob:", "about:")
TIMEOUT_MS = 120_000  # for each step of a page, on a busy machine; the driver's own limits are as short as 5 seconds

expect.set_options(timeout=TIMEOUT_MS)


@dataclass
class Tab:
    """One page, and the errors it logged or caused."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    def go(self, file: Path, fragment: str = "") -> None:
        """Open a file of the site and run its scripts."""
        self.page.goto("about:blank")
        self.page.goto(file.resolve().as_uri() + (f"#{fragment}" if fragment else ""), wait_until="load")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser, or skip the test if there is none (in CI: fail it)."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        is_missing("chromium is not installed")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=program, args=list(QUIET), timeout=TIMEOUT_MS)
        except Error as error:
            is_missing(f"chromium does not start: {str(error).splitlines()[0]}")
        yield browser
        browser.close()


@contextmanager
def tab(browser: Browser, *, viewport: dict[str, int] | None = None, dark: bool = False) -> Iterator[Tab]:
    """Open an empty tab with a fresh profile; on leaving, assert that it logged no error."""
    wanted: Any = viewport or DESKTOP
    context = browser.new_context(viewport=wanted, color_scheme="dark" if dark else "light")
    context.set_default_timeout(TIMEOUT_MS)
    opened = Tab(context.new_page())
    opened.page.on(
        "console", lambda message: opened.complaints.append(message.text) if message.type == "error" else None
    )
    opened.page.on("pageerror", lambda error: opened.complaints.append(f"uncaught: {error}"))
    opened.page.on("dialog", lambda dialog: (opened.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    context.route("**/*", lambda route: _refuse_remote(route, opened))
    yield opened
    context.close()
    assert not opened.complaints, "\n".join(opened.complaints)


def _refuse_remote(route: Route, opened: Tab) -> None:
    if route.request.url.startswith(LOCAL):
        route.continue_()
    else:
        opened.complaints.append(f"requested {route.request.url}")
        route.abort()


def pages_of(site: Path) -> list[Path]:
    """List the pages of a site."""
    found = sorted(site.rglob("*.html"))
    if not found:
        pytest.fail(f"{site} has no page")
    return found
