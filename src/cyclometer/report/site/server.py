# SPDX-License-Identifier: MIT OR Apache-2.0
"""The report of live data: served to this machine alone, made again when the results have changed."""

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
LOOK_EVERY = 2.0  # seconds between two looks at the results
REST = 9  # times as long as a making took is waited before the next: a tenth of one core at most, on the average

Choose = Callable[[], tuple[object, AbstractContextManager[SiteData]]]
"""What is to be shown now: a fingerprint that changes when the results do, and the data behind it, not yet open."""


class LiveSite:
    """A site that follows the results. `refresh` makes it again if they have changed; a server shows the latest."""

    def __init__(self, choose: Choose, folder: Path, say: Callable[[str], None]) -> None:
        self._choose = choose
        self._folder = folder
        self._say = say
        self._seen: object = None
        self._rest_until = 0.0
        self.version = 0
        self.trouble = ""

    def site(self, version: int) -> Path:
        """The folder of a making, the latest or the one before: two folders take turns, so that a reader of the
        latest finds all its files while the next is made."""
        return self._folder / f"site-{version % 2}"

    def refresh(self) -> bool:
        """Whether there was something new, and it could be shown. Bad input is told and tried again later."""
        if time.monotonic() < self._rest_until:
            return False
        try:
            now, opening = self._choose()
            if now == self._seen:
                return False
            began = time.monotonic()
            build_site(opening, self.site(self.version + 1), live=True)
        except CyclometerError as error:
            self._complain(str(error))
            return False
        self._rest_until = time.monotonic() + REST * (time.monotonic() - began)
        self._seen, self.trouble = now, ""
        self.version += 1
        return True

    def _complain(self, words: str) -> None:
        if words != self.trouble:
            self.trouble = words
            self._say(words)


def serve(choose: Choose, port: int, say: Callable[[str], None]) -> None:
    """Serve until interrupted."""
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
    """What is being made is dropped; should the database turn the interrupt into an error, the event remembers."""
    stopping.set()
    raise KeyboardInterrupt


def _follow(
    live: LiveSite, server: ThreadingHTTPServer, choose: Choose, stopping: threading.Event, say: Callable[[str], None]
) -> None:
    if not live.refresh() and not stopping.is_set() and not isinstance(_why(choose), NothingToDo):
        raise CyclometerError(live.trouble)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        say(f"http://{ADDRESS}:{server.server_address[1]}/ (Ctrl-C ends it)")
        while not stopping.wait(LOOK_EVERY):
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
        raise CyclometerError(f"cannot serve on port {port}: {reason}; choose another with --port, 0 = any") from error


class _Server(ThreadingHTTPServer):
    daemon_threads = True


class _Handler(SimpleHTTPRequestHandler):
    """Files of the latest making, and live.json: which making that is."""

    def __init__(self, live: LiveSite, *arguments: Any) -> None:
        self.live = live
        self.making = live.version  # looked at once: while this request is answered, the next may come
        super().__init__(*arguments, directory=str(live.site(self.making)))

    def do_GET(self) -> None:
        if not self._is_from_here():
            self.send_error(403)
        elif self.path == "/live.json":
            self._send("application/json", json.dumps({"version": self.live.version, "trouble": self.live.trouble}))
        elif self.making == 0:
            self._send("text/html; charset=utf-8", _NOTHING_YET)
        else:
            super().do_GET()

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Silence: the terminal tells about the data, not about the reader."""

    def _is_from_here(self) -> bool:
        """A page of somebody else's must not read results through a name that it points to this machine."""
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
<h1>Nothing measured yet</h1><p>This page turns into the report when a run has stored its first round.</p></main></html>
"""
