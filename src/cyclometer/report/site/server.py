# SPDX-License-Identifier: MIT OR Apache-2.0
"""The live report: served to this machine only, rebuilt when the results change."""

from __future__ import annotations

import json
import signal
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cyclometer.analyse.site_data import SiteData
from cyclometer.errors import CyclometerError, NothingToDo
from cyclometer.report.site.build import build_site

ADDRESS = "127.0.0.1"
POLL_SECONDS = 2.0  # between two checks for new results
REST = 9  # wait this many times as long as a build took, so that builds use at most a tenth of a core on average

Choose = Callable[[], tuple[object, AbstractContextManager[SiteData]]]
"""Returns a fingerprint that changes with the results, and the data to show, not yet open."""


class LiveSite:
    """A site that follows the results: `refresh` rebuilds it if they have changed."""

    def __init__(self, choose: Choose, folder: Path, say: Callable[[str], None]) -> None:
        self._choose = choose
        self._folder = folder
        self._say = say
        self._shown: object = None
        self._rest_until = 0.0
        self.version = 0
        self.trouble = ""

    def site(self, version: int) -> Path:
        """Return the folder of a version; two folders alternate, so that the current one stays complete."""
        return self._folder / f"site-{version % 2}"

    def refresh(self) -> bool:
        """Rebuild the site if the results have changed; return whether it was rebuilt.

        Errors are printed, and the build is tried again later.
        """
        if time.monotonic() < self._rest_until:
            return False
        try:
            fingerprint, opening = self._choose()
            if fingerprint == self._shown:
                return False
            start = time.monotonic()
            build_site(opening, self.site(self.version + 1), live=True)
        except CyclometerError as error:
            self._complain(str(error))
            return False
        self._rest_until = time.monotonic() + REST * (time.monotonic() - start)
        self._shown, self.trouble = fingerprint, ""
        self.version += 1
        return True

    def _complain(self, message: str) -> None:
        if message != self.trouble:
            self.trouble = message
            self._say(message)


def serve(choose: Choose, port: int, say: Callable[[str], None]) -> None:
    """Serve the site until interrupted. Raises `CyclometerError` if the port is not available."""
    stopping = threading.Event()
    before = signal.signal(signal.SIGINT, partial(_stop, stopping))
    try:
        with tempfile.TemporaryDirectory(prefix="cyclometer-serve-") as folder:
            live = LiveSite(choose, Path(folder), say)
            with _listen(live, port) as server:
                _follow(live, server, choose, stopping, say)
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGINT, before)
    say("stopped")


def _stop(stopping: threading.Event, *_: object) -> None:
    """Interrupt the build; the event is set too, because the database may turn the interrupt into an error."""
    stopping.set()
    raise KeyboardInterrupt


def _follow(
    live: LiveSite, server: ThreadingHTTPServer, choose: Choose, stopping: threading.Event, say: Callable[[str], None]
) -> None:
    if not live.refresh() and not stopping.is_set() and not isinstance(_why(choose), NothingToDo):
        raise CyclometerError(live.trouble)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        say(f"http://{ADDRESS}:{server.server_address[1]}/ (Ctrl-C stops the server)")
        while not stopping.wait(POLL_SECONDS):
            live.refresh()
    finally:
        server.shutdown()


def _why(choose: Choose) -> CyclometerError | None:
    try:
        choose()
    except CyclometerError as error:
        return error
    return None


def _listen(live: LiveSite, port: int) -> ThreadingHTTPServer:
    try:
        return _Server((ADDRESS, port), partial(_Handler, live))
    except (OSError, OverflowError) as error:
        reason = error.strerror if isinstance(error, OSError) else "no such port"
        raise CyclometerError(
            f"cannot serve on port {port}: {reason}; choose another with --port; 0 picks a free one"
        ) from error


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _Handler(SimpleHTTPRequestHandler):
    """A handler that serves the files of the latest version, and live.json with its number."""

    def __init__(self, live: LiveSite, *arguments: Any) -> None:
        self.live = live
        self.site_version = live.version  # read once: it may change while this request is answered
        super().__init__(*arguments, directory=str(live.site(self.site_version)))

    def do_GET(self) -> None:
        if not self._is_from_here():
            self.send_error(403)
        elif self.path == "/live.json":
            self._send("application/json", json.dumps({"version": self.live.version, "trouble": self.live.trouble}))
        elif self.site_version == 0:
            self._send("text/html; charset=utf-8", _NOTHING_YET)
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log no requests; the terminal shows messages about the data only."""

    def _is_from_here(self) -> bool:
        """Return whether the host name is local; this prevents DNS rebinding by other sites."""
        host = self.headers.get("Host", "").rpartition(":")[0]
        return host in {ADDRESS, "localhost"}

    def _send(self, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


_NOTHING_YET = """<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">
<title>Cyclometer</title><main style="font:1rem/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem">
<h1>Nothing measured yet</h1><p>The report appears here as soon as a run has stored its first round.</p></main></html>
"""
