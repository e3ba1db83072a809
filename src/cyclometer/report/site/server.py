# SPDX-License-Identifier: MIT OR Apache-2.0
"""The live report: served to this machine only, rebuilt when the results change."""

from __future__ import annotations

import json
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cyclometer.analyse.site_data import SiteData
from cyclometer.errors import CyclometerError, NothingToDo, first_line
from cyclometer.paths import temporary_folder
from cyclometer.report.site.build import build_site

ADDRESS = "127.0.0.1"
POLL_SECONDS = 2.0  # between two checks for new results
REST = 9  # during a run: wait this many times as long as a build took, so that builds use at most a tenth of a core

CLIENT_SECONDS = 10.0  # for a client to send its request, and to take each piece of the answer
ANSWER_SECONDS = 60.0  # for a client to take the whole answer
MAX_ASKING = 512  # clients that have not sent their request: each holds a file descriptor that a build may need
MAX_ANSWERED = 128  # clients that take their answer: each holds two
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # that end the server
HEADERS = {
    "Cache-Control": "no-store",
    # Scripts are files of the site. Bokeh writes its styles into the page, and draws icons as data.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

Choose = Callable[[], tuple[object, bool, AbstractContextManager[SiteData]]]
"""Returns a fingerprint that changes with the results, whether a run is under way, and the data, not yet open."""


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

        During a run it is rebuilt now and then, after its end at once. Errors are printed, and the build is tried again
        later.
        """
        is_resting = time.monotonic() < self._rest_until
        try:
            fingerprint, is_under_way, opening = self._choose()
            if fingerprint == self._shown or (is_resting and is_under_way):
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
    """Serve the site until SIGINT, SIGTERM or SIGHUP. Raises `CyclometerError` if the port is not available."""
    stopping = threading.Event()
    before = {number: signal.signal(number, partial(_stop, stopping)) for number in SIGNALS}
    try:
        with temporary_folder("serve") as folder:
            live = LiveSite(choose, folder, say)
            with _listen(live, port) as server:
                _follow(live, server, choose, stopping, say)
    except BaseException as error:  # the database makes another error of an interrupt
        if not stopping.is_set() and not isinstance(error, KeyboardInterrupt):
            raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
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
    """A server with a thread for each client, which a client that is slow or leaves does not disturb."""

    daemon_threads = True
    request_queue_size = 1024  # clients that wait for their thread

    def __init__(self, *arguments: Any) -> None:
        self._asking: dict[socket.socket, float] = {}  # connections that have not sent their request, and since when
        self._answered: dict[socket.socket, float] = {}  # those that take their answer
        super().__init__(*arguments)

    def process_request(self, request: Any, client_address: Any) -> None:
        self._make_room(self._asking, MAX_ASKING)
        self._asking[request] = time.monotonic()
        super().process_request(request, client_address)

    def asked(self, request: socket.socket) -> None:
        """Note that a request is complete."""
        if self._asking.pop(request, None):
            self._make_room(self._answered, MAX_ANSWERED)
            self._answered[request] = time.monotonic()

    def service_actions(self) -> None:
        """Disconnect clients that take too long to ask or to read, even if a byte comes or goes now and then."""
        for clients, seconds in ((self._asking, CLIENT_SECONDS), (self._answered, ANSWER_SECONDS)):
            for request, since in list(clients.items()):
                if time.monotonic() - since > seconds:
                    self._disconnect(request)

    def _make_room(self, clients: dict[socket.socket, float], most: int) -> None:
        """Disconnect those that have waited longest."""
        for request in list(clients)[: max(0, len(clients) - most + 1)]:
            self._disconnect(request)

    def _disconnect(self, request: socket.socket) -> None:
        self._forget(request)
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)

    def _forget(self, request: socket.socket) -> None:
        self._asking.pop(request, None)
        self._answered.pop(request, None)

    def shutdown_request(self, request: Any) -> None:
        self._forget(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what is not the client's doing, in one line."""
        error = sys.exception()
        if error and not isinstance(error, OSError):
            print(f"cyclometer: cannot answer a request: {first_line(error)}", file=sys.stderr)


class _Handler(SimpleHTTPRequestHandler):
    """A handler that serves the files of the latest version, and live.json with its number."""

    timeout = CLIENT_SECONDS  # for each read and each write
    default_request_version = "HTTP/1.0"  # of a request that cannot be read: HTTP/0.9 would answer without headers

    def __init__(self, live: LiveSite, *arguments: Any) -> None:
        self.live = live
        self.site_version = live.version  # read once: it may change while this request is answered
        super().__init__(*arguments, directory=str(live.site(self.site_version)))

    def do_GET(self) -> None:
        self._answer(super().do_GET)

    def do_HEAD(self) -> None:
        self._answer(super().do_HEAD)

    def _answer(self, with_file: Callable[[], None]) -> None:
        assert isinstance(self.server, _Server)
        self.server.asked(self.connection)
        if not self._is_from_here():
            self.send_error(403)
        elif self.path == "/live.json":
            self._send("application/json", json.dumps({"version": self.live.version, "trouble": self.live.trouble}))
        elif self.site_version == 0:
            self._send("text/html; charset=utf-8", _NOTHING_YET)
        else:
            with_file()

    def send_head(self) -> Any:
        """Open the file that is asked for; a path that cannot name one (as one with a zero byte) is not found."""
        try:
            return super().send_head()
        except ValueError:
            return self.send_error(404)

    def list_directory(self, path: Any) -> None:
        """Refuse to list folders: the site has a page for everything."""
        self.send_error(404)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log no requests; the terminal shows messages about the data only."""

    def _is_from_here(self) -> bool:
        """Return whether the host name is local; this prevents DNS rebinding by other sites."""
        hosts = [host.rpartition(":")[0] for host in self.headers.get_all("Host", [])]
        return len(hosts) == 1 and hosts[0] in {ADDRESS, "localhost"}

    def _send(self, kind: str, text: str) -> None:
        content = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


_NOTHING_YET = """<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="color-scheme" content="light dark"><meta name="viewport" content="width=device-width">
<title>Cyclometer</title><main style="font:1rem/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem">
<h1>Nothing measured yet</h1><p>The report appears here as soon as a run has stored its first round.</p></main></html>
"""
